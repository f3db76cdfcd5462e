// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Grids that several devices share: what they make against what one makes.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/grid/heat_steps.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/grid/shares.hpp"
#include "setka/grid/stationary_sweeps.hpp"
#include "support/on_team.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::grid {
namespace {

class TeamGridOn : public test::OnTeam {
 protected:
  template <class T>
  void expect_steps_of_one(const HeatProblem& problem, HeatScheme scheme, double step) const {
    constexpr int steps = 7;
    const auto start = test::random_values<T>(problem.nodes(), 9);
    HeatSteps<T> alone(device(), problem, scheme, step);
    exec::Array<T> expected(device(), start);
    for (int i = 0; i < steps; ++i) alone.advance(expected);
    for (const int count : {1, 2, 3, 5}) {
      SCOPED_TRACE(testing::Message() << count << " devices, scheme " << static_cast<int>(scheme) << ", "
                                      << problem.axes.size() << " axes");
      HeatSteps<T> shared(twins(count), problem, scheme, step);
      exec::Array<T> u = shared.on_devices(start);
      shared.advance(u, 4);
      shared.advance(u);
      shared.advance(u, 2);
      // Kernels for narrow and for wide shares round differently, and so do loops over parts of a row, which
      // the compiler begins and ends in ways of its own.
      if (device().is_cuda() || problem.axes.size() == 1) {
        EXPECT_TRUE(test::all_near(u.to_vector(), expected.to_vector(), test::rounding<T>(200, 10)));
      } else {
        EXPECT_EQ(u.to_vector(), expected.to_vector());
      }
    }
  }
};
SETKA_ON_ALL_DEVICES(TeamGridOn);

constexpr HeatScheme schemes[] = {HeatScheme::lod, HeatScheme::peaceman_rachford, HeatScheme::douglas,
                                  HeatScheme::explicit_euler};

std::vector<std::vector<HeatAxis>> axes_of_grids() {
  const HeatSide held{HeatSide::Kind::dirichlet, 1.5};
  const HeatSide fed{HeatSide::Kind::neumann, -0.5};
  const HeatSide washed{HeatSide::Kind::robin, 2, 3};
  return {
      {{40, 0.1, 1, Ends::insulated}},
      {{33, 0.1, 1, Ends::periodic}, {150, 0.2, 2, Ends::periodic}},
      {{47, 0.1, 1, Ends::sides, held, washed}, {97, 0.2, 2, Ends::sides, fed, held}},
      {{2, 0.1, 1, Ends::fixed}, {47, 0.2, 2, Ends::insulated}},
      {{9, 0.1, 1, Ends::sides, fed, held},
       {12, 0.2, 1, Ends::periodic},
       {18, 0.1, 3, Ends::sides, held, fed}},
      {{11, 0.1, 1, Ends::periodic}, {8, 0.2, 1, Ends::sides, washed, washed}, {34, 0.1, 3, Ends::periodic}},
  };
}

TEST_P(TeamGridOn, steps_of_every_scheme_are_those_of_one_device) {
  for (const auto& axes : axes_of_grids()) {
    for (const bool with_fields : {false, true}) {
      HeatProblem problem;
      problem.axes = axes;
      problem.uniform_reaction = 0.3;
      if (with_fields) {
        problem.source = test::random_values<double>(problem.nodes(), 1);
        for (const double value : test::random_values<double>(problem.nodes(), 2))
          problem.diffusivity.push_back(1 + value * value);
        for (const double value : test::random_values<double>(problem.nodes(), 3))
          problem.reaction.push_back(value * value);
      }
      for (const HeatScheme scheme : schemes) {
        if (scheme == HeatScheme::peaceman_rachford && axes.size() != 2) continue;
        const double step =
            scheme == HeatScheme::explicit_euler ? longest_explicit_step(device(), problem) : 0.02;
        expect_steps_of_one<double>(problem, scheme, step);
        expect_steps_of_one<float>(problem, scheme, 0.9 * step);
      }
    }
  }
}

TEST_P(TeamGridOn, the_longest_explicit_step_is_that_of_one_device) {
  HeatProblem problem;
  problem.axes = axes_of_grids()[2];
  for (const double value : test::random_values<double>(problem.nodes(), 2))
    problem.diffusivity.push_back(1 + value * value);
  const double expected = longest_explicit_step(device(), problem);
  for (const int count : {2, 3, 60}) EXPECT_EQ(longest_explicit_step(twins(count), problem), expected);
}

void expect_report(const StationaryReport& found, const StationaryReport& expected) {
  EXPECT_EQ(found.sweeps, expected.sweeps);
  EXPECT_EQ(found.change, expected.change);
  EXPECT_EQ(found.converged, expected.converged);
}

TEST_P(TeamGridOn, stationary_sweeps_have_the_bits_of_one_device) {
  const std::vector<StationaryHeat> heats{StationaryHeat({{31, 0.1, 1}, {7, 0.2, 2}, {20, 0.3, 1}}),
                                          StationaryHeat({{26, 0.1, 1}, {45, 0.2, 2}})};
  for (const StationaryHeat& heat : heats) {
    const auto start = test::random_values<double>(heat.nodes(), 5);
    const auto source = test::random_values<double>(heat.nodes(), 6);
    for (const bool red_black : {false, true}) {
      for (const double tolerance : {0.0, 1e-3}) {
        StationaryOptions options;
        options.sweeps = tolerance > 0 ? 4000 : 23;
        options.tolerance = tolerance;
        options.weight = red_black ? 1.4 : 0.9;
        exec::Array<double> expected(device(), start);
        const exec::Array<double> f_alone(device(), source);
        const StationaryReport alone = red_black
                                           ? heat.red_black<double>(device(), expected, f_alone, options)
                                           : heat.jacobi<double>(device(), expected, f_alone, options);
        EXPECT_EQ(alone.converged, tolerance > 0);
        for (const int count : {1, 2, 3, 40}) {
          SCOPED_TRACE(testing::Message() << count << " devices, red-black " << red_black);
          StationarySweeps<double> sweeps(twins(count), heat);
          exec::Array<double> u = sweeps.on_devices(start);
          const exec::Array<double> f = sweeps.on_devices(source);
          const StationaryReport report =
              red_black ? sweeps.red_black(u, f, options) : sweeps.jacobi(u, f, options);
          expect_report(report, alone);
          EXPECT_EQ(u.to_vector(), expected.to_vector());
        }
      }
    }
  }
}

/// The state and the report of some sweeps, all from the same start.
template <class T>
struct Swept {
  std::vector<T> u;
  StationaryReport report;

  Swept(const StationaryHeat& heat,
        const std::function<StationaryReport(std::span<T>, std::span<const T>)>& sweep)
      : u(test::random_values<T>(heat.nodes(), 5)) {
    const auto f = test::random_values<T>(heat.nodes(), 6);
    report = sweep(u, f);
  }
  Swept(const std::vector<exec::Device>& devices, const StationaryHeat& heat,
        const StationaryOptions& options, const PyramidOptions& pyramid)
      : Swept(heat, [&](std::span<T> values, std::span<const T> f) {
          return pyramid_jacobi<T>(devices, heat, values, f, options, pyramid);
        }) {}
};

template <class T>
void expect_same(const Swept<T>& found, const Swept<T>& expected, const PyramidOptions& pyramid) {
  SCOPED_TRACE(testing::Message() << name(pyramid.shape) << ", height " << pyramid.height << ", planes "
                                  << pyramid.planes);
  expect_report(found.report, expected.report);
  EXPECT_EQ(found.u, expected.u);
}

TEST_P(TeamGridOn, pyramids_of_several_queues_have_the_bits_of_one) {
  const StationaryHeat block({{61, 0.1, 1}, {7, 0.2, 2}, {10, 0.3, 1}});
  const StationaryHeat plate({{57, 0.1, 1}, {33, 0.2, 2}});
  StationaryOptions options;
  options.sweeps = 23;
  // One height is as good as another: all have the bits of plain sweeps.
  const PyramidOptions any{PyramidShape::skewed, 5, 20};
  const Swept<double> of_block({device()}, block, options, any);
  const Swept<float> of_plate({device()}, plate, options, any);
  EXPECT_GT(of_block.report.change, 0);
  for (const PyramidShape shape : {PyramidShape::skewed, PyramidShape::overlapping}) {
    for (const int height : {1, 2, 3, 8, 11, 30}) {
      for (const std::int64_t planes : {1, 5, 12, 31, 64}) {
        if (shape == PyramidShape::overlapping && planes < height) continue;
        PyramidOptions pyramid{shape, height, planes};
        for (const int count : {2, 3, 7}) {
          pyramid.staged = count == 3;
          expect_same(Swept<double>(twins(count), block, options, pyramid), of_block, pyramid);
          expect_same(Swept<float>(twins(count), plate, options, pyramid), of_plate, pyramid);
        }
      }
    }
  }
}

TEST_P(TeamGridOn, pyramids_of_several_queues_end_where_one_ends) {
  const StationaryHeat plate({{57, 0.1, 1}, {33, 0.2, 2}});
  StationaryOptions options;
  options.sweeps = 3000;
  options.tolerance = 1e-3;
  for (const PyramidOptions& pyramid : {PyramidOptions{PyramidShape::skewed, 6, 10}, PyramidOptions{}}) {
    const Swept<double> alone({device()}, plate, options, pyramid);
    EXPECT_TRUE(alone.report.converged);
    expect_same(Swept<double>(twins(3), plate, options, pyramid), alone, pyramid);
    const std::vector<exec::Device> both_kinds{device(), exec::Device::cpu(1), twin()};
    expect_same(Swept<double>(both_kinds, plate, options, pyramid), alone, pyramid);
  }
}

TEST(TeamGrid, shares_are_all_of_it_and_columns_whole_cache_lines) {
  for (const std::int64_t width : {0, 1, 31, 32, 33, 1000}) {
    for (const std::int64_t count : {1, 2, 3, 7}) {
      std::int64_t plane = 0;
      std::int64_t column = 0;
      for (std::int64_t d = 0; d < count; ++d) {
        EXPECT_EQ(share_of(width, d, count).first, plane);
        EXPECT_EQ(columns_of(width, d, count).first, column);
        EXPECT_TRUE(column == width || column % 32 == 0);
        plane = share_of(width, d, count).last;
        column = columns_of(width, d, count).last;
      }
      EXPECT_EQ(plane, width);
      EXPECT_EQ(column, width);
    }
  }
}

TEST(TeamGrid, wrong_use_is_refused) {
  const exec::Device cpu = exec::Device::cpu(1);
  HeatProblem problem;
  problem.axes = {{5, 1, 1, Ends::fixed}, {6, 1, 1, Ends::fixed}};
  EXPECT_THROW(HeatSteps<double>(std::vector<exec::Device>{}, problem, HeatScheme::lod, 0.1), Error);
  const HeatSteps<double> steps({cpu, cpu}, problem, HeatScheme::lod, 0.1);
  const std::vector<double> few(4);
  EXPECT_THROW(steps.on_devices(few), Error);
  const StationarySweeps<double> sweeps({cpu, cpu}, StationaryHeat({{5, 1, 1}, {6, 1, 1}}));
  EXPECT_THROW(sweeps.on_devices(few), Error);
  if (!exec::why_no_cuda().empty()) return;
  EXPECT_THAT(
      [&] {
        HeatSteps<double>({cpu, exec::Device::cuda(0)}, problem, HeatScheme::explicit_euler, 0.1);
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("do not reach each other's memory")));
}

}  // namespace
}  // namespace setka::grid
