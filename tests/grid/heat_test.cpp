// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/heat.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/grid/heat_uniform_kernel.hpp"
#include "setka/grid/heat_ways.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::grid {
namespace {

class HeatOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(HeatOn);

constexpr double pi = std::numbers::pi;

/// The k-th mode of an axis that differences do not mix with others, and 2 - 2 cos of its wave number.
struct Mode {
  std::vector<double> shape;
  double eigenvalue;
};

Mode mode(const HeatAxis& axis, int k) {
  const auto n = static_cast<double>(axis.nodes);
  const double wave = axis.ends == Ends::periodic ? 2 * pi * k / n
                      : axis.ends == Ends::fixed  ? pi * k / (n + 1)
                                                  : pi * k / n;
  Mode found{{}, 4 * std::pow(std::sin(wave / 2), 2)};
  for (std::int64_t i = 0; i < axis.nodes; ++i) {
    const auto x = static_cast<double>(i);
    found.shape.push_back(axis.ends == Ends::periodic ? std::cos(wave * x + 0.3)
                          : axis.ends == Ends::fixed  ? std::sin(wave * (x + 1))
                                                      : std::cos(wave * (x + 0.5)));
  }
  return found;
}

const std::vector<std::vector<HeatAxis>> grids = {
    {{40, 0.1, 2, Ends::periodic}},
    {{33, 0.1, 1, Ends::fixed}, {20, 0.2, 0.5, Ends::insulated}},
    {{17, 0.1, 1, Ends::periodic}, {24, 0.3, 2, Ends::periodic}},
    {{9, 0.1, 1, Ends::insulated}, {12, 0.2, 1, Ends::periodic}, {18, 0.1, 3, Ends::fixed}},
};

/// A product of modes over the axes: it keeps its shape and is multiplied by a factor that is known.
std::vector<double> product_of_modes(const std::vector<HeatAxis>& axes, std::vector<double>& eigenvalues) {
  std::vector<double> u{1};
  for (const HeatAxis& axis : axes) {
    const Mode one = mode(axis, 2);
    eigenvalues.push_back(one.eigenvalue * axis.diffusivity / (axis.spacing * axis.spacing));
    std::vector<double> wider;
    for (const double value : u) {
      for (const double factor : one.shape) wider.push_back(value * factor);
    }
    u = wider;
  }
  return u;
}

constexpr int steps = 5;

TEST_P(HeatOn, implicit_steps_damp_a_mode_at_the_discrete_rate) {
  for (const auto& axes : grids) {
    std::vector<double> eigenvalues;
    std::vector<double> expected = product_of_modes(axes, eigenvalues);
    exec::Array<double> u(device(), expected);
    const double step = 0.05;
    const LodHeat heat(axes, step);
    double factor = 1;
    for (int i = 0; i < steps; ++i) {
      heat.advance<double>(device(), u);
      for (const double eigenvalue : eigenvalues) factor /= 1 + step * eigenvalue;
    }
    for (double& value : expected) value *= factor;
    EXPECT_TRUE(test::all_near(u.to_vector(), expected, test::rounding<double>(100, 1)))
        << axes.size() << " axes, factor " << factor;
  }
}

TEST_P(HeatOn, explicit_steps_damp_a_mode_at_the_discrete_rate) {
  for (const auto& axes : grids) {
    std::vector<double> eigenvalues;
    std::vector<double> expected = product_of_modes(axes, eigenvalues);
    exec::Array<double> u(device(), expected);
    exec::Array<double> next(device(), u.size());
    const double step = 0.9 * ExplicitHeat::longest_step(axes);
    const ExplicitHeat heat(axes, step);
    double factor = 1;
    for (int i = 0; i < steps; ++i) {
      heat.advance<double>(device(), u, next);
      std::swap(u, next);
      factor *= 1 - step * std::accumulate(eigenvalues.begin(), eigenvalues.end(), 0.0);
    }
    for (double& value : expected) value *= factor;
    EXPECT_TRUE(test::all_near(u.to_vector(), expected, test::rounding<double>(100, 1)))
        << axes.size() << " axes, factor " << factor;
  }
}

double sum(const exec::Array<double>& u) {
  const std::vector<double> values = u.to_vector();
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST_P(HeatOn, heat_is_kept_where_none_leaves_and_grows_by_its_source) {
  for (const Ends ends : {Ends::periodic, Ends::insulated}) {
    const std::vector<HeatAxis> axes{{15, 0.1, 1, ends}, {1, 0.1, 1, ends}, {22, 0.2, 2, ends}};
    const LodHeat implicit(axes, 0.3);
    const ExplicitHeat explicitly(axes, 0.5 * ExplicitHeat::longest_step(axes));
    exec::Array<double> u(device(), test::random_values<double>(implicit.nodes(), 5));
    exec::Array<double> next(device(), u.size());
    const double before = sum(u);
    for (int i = 0; i < steps; ++i) {
      implicit.advance<double>(device(), u);
      explicitly.advance<double>(device(), u, next);
      std::swap(u, next);
    }
    const double bound = test::rounding<double>(100, static_cast<double>(u.size()));
    EXPECT_NEAR(sum(u), before, bound);
    const exec::Array<double> f(device(), test::random_values<double>(implicit.nodes(), 6));
    implicit.advance<double>(device(), u, f);
    EXPECT_NEAR(sum(u), before + 0.3 * sum(f), bound);
  }
}

enum class Given { nothing, source, fields };

template <class T>
void compare_with_every_cell_alone(const exec::Device& device, const std::vector<HeatAxis>& axes, Given given,
                                   int only) {
  const std::int64_t cells = detail::nodes_of(axes);
  const exec::Array<T> u(device, test::random_values<T>(cells, 5));
  const exec::Array<T> source(device, test::random_values<T>(cells, 6));
  std::vector<T> conducting = test::random_values<T>(cells, 7);
  for (T& value : conducting) value += T(1.5);
  const exec::Array<T> diffusivity(device, conducting);
  exec::Array<T> next(device, cells);
  exec::Array<T> alone(device, cells);
  const bool all = only < 0;
  kernel::HeatChange<T> change{detail::cells_of<T>(axes),
                               {all || only == 0, all || only == 1, all || only == 2},
                               T(1),
                               T(1),
                               T(0.001),
                               u.data(),
                               next.data()};
  change.grid.uniform_reaction = T(0.5);
  if (given != Given::nothing) change.grid.source = source.data();
  if (given == Given::fields) {
    change.grid.diffusivity = diffusivity.data();
    change.grid.reaction = source.data();
  }
  ASSERT_EQ(kernel::is_uniform(change), given != Given::fields && axes.size() > 1);
  change_heat(device.stream(), cells, change);
  change.next = alone.data();
  exec::parallel_for(device.stream(), cells, change);
  const std::vector<T> found = next.to_vector();
  const std::vector<T> expected = alone.to_vector();
  // The rates reach 4000 and are rounded before the step makes them small.
  const T bound = T(100) * std::numeric_limits<T>::epsilon();
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], bound) << "cell " << i;
}

TEST_P(HeatOn, grids_change_as_every_cell_does_alone) {
  const HeatSide warm{HeatSide::Kind::robin, 2, 3};
  const HeatSide held{HeatSide::Kind::dirichlet, 1};
  const HeatSide fed{HeatSide::Kind::neumann, 0.5};
  for (const std::vector<HeatAxis>& axes :
       {std::vector<HeatAxis>{{17, 0.1, 1, Ends::sides, warm, held}, {24, 0.3, 2, Ends::sides, fed, warm}},
        {{40, 0.1, 1, Ends::periodic}, {1031, 0.2, 2, Ends::periodic}},
        {{1, 0.1, 1, Ends::sides, warm, held}, {1, 0.1, 1, Ends::periodic}},
        {{70, 0.1, 1, Ends::sides, warm, fed}},
        {{9, 0.1, 1, Ends::periodic}, {13, 0.2, 1, Ends::sides, held, fed}, {66, 0.1, 3, Ends::fixed}},
        {{5, 0.1, 1, Ends::sides, warm, held}, {4, 0.2, 1, Ends::periodic}, {33, 0.1, 3, Ends::periodic}}}) {
    for (int only = -1; only < static_cast<int>(axes.size()); ++only) {
      for (const Given given : {Given::nothing, Given::source, Given::fields}) {
        SCOPED_TRACE(testing::Message() << axes.size() << " axes, the last of " << axes.back().nodes
                                        << " cells, A of axis " << only << " (-1: of all)");
        compare_with_every_cell_alone<double>(device(), axes, given, only);
        compare_with_every_cell_alone<float>(device(), axes, given, only);
      }
    }
  }
}

/// Enough cells for the long runs of a GPU, which do not end with the grid.
TEST_P(HeatOn, large_grids_change_as_every_cell_does_alone) {
  const HeatSide warm{HeatSide::Kind::robin, 2, 3};
  const HeatSide held{HeatSide::Kind::dirichlet, 1};
  for (const std::vector<HeatAxis>& axes :
       {std::vector<HeatAxis>{{1421, 0.1, 1, Ends::periodic}, {1028, 0.2, 2, Ends::periodic}},
        {{1421, 0.1, 1, Ends::sides, warm, held}, {1028, 0.2, 2, Ends::sides, held, warm}},
        {{1421, 0.1, 1, Ends::periodic}, {515, 0.2, 2, Ends::sides, held, warm}},
        {{103, 0.1, 1, Ends::periodic}, {69, 0.2, 1, Ends::periodic}, {132, 0.1, 3, Ends::periodic}},
        {{103, 0.1, 1, Ends::sides, warm, held}, {69, 0.2, 1, Ends::periodic}, {133, 0.1, 3, Ends::fixed}}}) {
    for (const Given given : {Given::nothing, Given::source}) {
      SCOPED_TRACE(testing::Message()
                   << axes.size() << " axes, the last of " << axes.back().nodes << " cells");
      compare_with_every_cell_alone<double>(device(), axes, given, -1);
      compare_with_every_cell_alone<float>(device(), axes, given, -1);
    }
  }
}

TEST_P(HeatOn, says_what_does_not_fit) {
  EXPECT_THROW(LodHeat({}, 1), Error);
  EXPECT_THROW(LodHeat({{4, 0.0, 1, Ends::fixed}}, 1), Error);
  EXPECT_THROW(LodHeat({{4, 1.0, 1, Ends::fixed}}, 0), Error);
  EXPECT_THROW(ExplicitHeat(std::vector<HeatAxis>(4), 1), Error);
  exec::Array<double> five(device(), 5);
  exec::Array<double> four(device(), 4);
  const LodHeat implicit({{4, 1, 1, Ends::fixed}}, 1);
  EXPECT_THROW(implicit.advance<double>(device(), five), Error);
  EXPECT_THROW(implicit.advance<double>(device(), four, five), Error);
  const ExplicitHeat explicitly({{4, 1, 1, Ends::fixed}}, 1);
  EXPECT_THROW(explicitly.advance<double>(device(), four, five), Error);
  EXPECT_THROW(explicitly.advance<double>(device(), four, four), Error);
}

}  // namespace
}  // namespace setka::grid
