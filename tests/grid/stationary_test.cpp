// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/stationary.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::grid {
namespace {

class StationaryOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(StationaryOn);

const std::vector<std::vector<StationaryAxis>> grids = {
    {{17, 0.1, 1}, {12, 0.2, 2}},
    {{33, 0.1, 1}, {300, 0.05, 3}},
    {{3, 0.1, 1}, {3, 0.1, 1}, {3, 0.1, 1}},
    {{11, 0.1, 1}, {9, 0.2, 2}, {15, 0.3, 0.5}},
    {{23, 0.1, 1}, {14, 0.2, 2}, {68, 0.1, 1}},
};

/// Node by node, in the order of the formula.
std::vector<double> plain_jacobi(const std::vector<StationaryAxis>& axes, std::vector<double> u,
                                 const std::vector<double>& f, int sweeps, double weight) {
  const auto n0 = axes[0].nodes;
  const auto n1 = axes.size() == 3 ? axes[1].nodes : 1;
  const auto n2 = axes.back().nodes;
  const auto ratio = [&](std::size_t k) {
    return axes[k].conductivity / (axes[k].spacing * axes[k].spacing);
  };
  std::vector<double> next = u;
  for (int s = 0; s < sweeps; ++s) {
    for (std::int64_t i = 1; i < n0 - 1; ++i) {
      for (std::int64_t j = n1 == 1 ? 0 : 1; j < (n1 == 1 ? 1 : n1 - 1); ++j) {
        for (std::int64_t k = 1; k < n2 - 1; ++k) {
          const auto at = static_cast<std::size_t>((i * n1 + j) * n2 + k);
          const auto plane = static_cast<std::size_t>(n1 * n2);
          const auto row = static_cast<std::size_t>(n2);
          double sum = f[at] + ratio(0) * (u[at - plane] + u[at + plane]);
          double weights = 2 * ratio(0) + 2 * ratio(axes.size() - 1);
          if (n1 > 1) {
            sum += ratio(1) * (u[at - row] + u[at + row]);
            weights += 2 * ratio(1);
          }
          sum += ratio(axes.size() - 1) * (u[at - 1] + u[at + 1]);
          next[at] = u[at] + weight * (sum / weights - u[at]);
        }
      }
    }
    u.swap(next);
  }
  return u;
}

TEST_P(StationaryOn, sweeps_are_those_of_the_formula_with_any_weight) {
  for (const auto& axes : grids) {
    const StationaryHeat heat(axes);
    const auto start = test::random_values<double>(heat.nodes(), 1);
    const auto f = test::random_values<double>(heat.nodes(), 2);
    for (const double weight : {1.0, 0.7}) {
      exec::Array<double> u(device(), start);
      const exec::Array<double> source(device(), f);
      StationaryOptions options;
      options.sweeps = 7;
      options.weight = weight;
      const StationaryReport report = heat.jacobi<double>(device(), u, source, options);
      EXPECT_EQ(report.sweeps, 7);
      EXPECT_TRUE(test::all_near(u.to_vector(), plain_jacobi(axes, start, f, 7, weight),
                                 test::rounding<double>(7 * 12, 1)));
    }
  }
}

template <class T>
void expect_same_bits_for_every_height(const exec::Device& device) {
  for (const auto& axes : grids) {
    const StationaryHeat heat(axes);
    const auto start = test::random_values<T>(heat.nodes(), 3);
    const exec::Array<T> f(device, test::random_values<T>(heat.nodes(), 4));
    const auto swept = [&](int height, std::int64_t planes, StationaryReport& report) {
      exec::Array<T> u(device, start);
      StationaryOptions options;
      options.sweeps = 13;
      options.weight = 0.9;
      options.height = height;
      options.block_planes = planes;
      report = heat.jacobi<T>(device, u, f, options);
      return u.to_vector();
    };
    StationaryReport plain;
    const std::vector<T> expected = swept(1, 0, plain);
    for (const int height : {0, 2, 3, 5, 13, 20}) {
      for (const std::int64_t planes : {0, 1, 2, 7, 100}) {
        StationaryReport report;
        EXPECT_EQ(swept(height, planes, report), expected) << "height " << height << ", planes " << planes;
        EXPECT_EQ(report.change, plain.change);
        EXPECT_EQ(report.sweeps, plain.sweeps);
      }
    }
  }
}

TEST_P(StationaryOn, blocks_of_any_height_give_the_same_bits) {
  expect_same_bits_for_every_height<double>(device());
  expect_same_bits_for_every_height<float>(device());
}

/// A polynomial of second degree is exact on the grid: u = x^2 + 2 y^2 - z^2 + x y.
struct Manufactured {
  std::vector<StationaryAxis> axes{{9, 0.25, 2}, {8, 0.5, 1}, {11, 0.2, 3}};
  std::vector<double> exact, start, f;

  Manufactured() {
    for (std::int64_t i = 0; i < axes[0].nodes; ++i) {
      for (std::int64_t j = 0; j < axes[1].nodes; ++j) {
        for (std::int64_t k = 0; k < axes[2].nodes; ++k) {
          const double x = static_cast<double>(i) * axes[0].spacing;
          const double y = static_cast<double>(j) * axes[1].spacing;
          const double z = static_cast<double>(k) * axes[2].spacing;
          exact.push_back(x * x + 2 * y * y - z * z + x * y);
          const bool border = i == 0 || j == 0 || k == 0 || i == axes[0].nodes - 1 ||
                              j == axes[1].nodes - 1 || k == axes[2].nodes - 1;
          start.push_back(border ? exact.back() : 0);
          f.push_back(-(2 * 2.0 + 1 * 4.0 + 3 * -2.0));
        }
      }
    }
  }
};

TEST_P(StationaryOn, both_methods_converge_to_the_solution_and_stop) {
  const Manufactured problem;
  const StationaryHeat heat(problem.axes);
  const exec::Array<double> f(device(), problem.f);
  StationaryOptions options;
  options.tolerance = 1e-12;
  options.sweeps = 5000;
  exec::Array<double> u(device(), problem.start);
  const StationaryReport jacobi = heat.jacobi<double>(device(), u, f, options);
  EXPECT_TRUE(jacobi.converged);
  EXPECT_LT(jacobi.change, 1e-12);
  EXPECT_EQ(jacobi.sweeps % options.check_every, 0);
  EXPECT_TRUE(test::all_near(u.to_vector(), problem.exact, 1e-10));

  exec::Array<double> v(device(), problem.start);
  options.weight = 1.5;
  const StationaryReport relaxed = heat.red_black<double>(device(), v, f, options);
  EXPECT_TRUE(relaxed.converged);
  EXPECT_LT(relaxed.sweeps, jacobi.sweeps / 3);
  EXPECT_TRUE(test::all_near(v.to_vector(), problem.exact, 1e-10));
}

TEST_P(StationaryOn, red_black_solves_two_axes) {
  const StationaryHeat heat({{6, 0.5, 1}, {9, 0.25, 2}});
  std::vector<double> exact;
  std::vector<double> start;
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 9; ++k) {
      exact.push_back(0.25 * i * i + 0.0625 * k * k);
      start.push_back(i == 0 || i == 5 || k == 0 || k == 8 ? exact.back() : 1.0);
    }
  }
  const exec::Array<double> f(device(), std::vector<double>(start.size(), -6.0));
  exec::Array<double> u(device(), start);
  StationaryOptions options;
  options.tolerance = 1e-13;
  options.weight = 1.3;
  EXPECT_TRUE(heat.red_black<double>(device(), u, f, options).converged);
  EXPECT_TRUE(test::all_near(u.to_vector(), exact, 1e-11));
}

TEST_P(StationaryOn, values_that_are_not_numbers_do_not_pass_for_converged) {
  const StationaryHeat heat({{5, 1, 1}, {5, 1, 1}});
  std::vector<double> start(25, 0.0);
  start[12] = std::numeric_limits<double>::quiet_NaN();
  const exec::Array<double> f(device(), std::vector<double>(25, 0.0));
  StationaryOptions options;
  options.tolerance = 1;
  options.sweeps = 20;
  exec::Array<double> u(device(), start);
  const StationaryReport report = heat.jacobi<double>(device(), u, f, options);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(std::isnan(report.change));
  exec::Array<double> v(device(), start);
  EXPECT_FALSE(heat.red_black<double>(device(), v, f, options).converged);
}

TEST(Stationary, wrong_grids_and_options_are_refused) {
  EXPECT_THROW(StationaryHeat({{5, 1, 1}}), Error);
  EXPECT_THROW(StationaryHeat({{5, 1, 1}, {2, 1, 1}}), Error);
  EXPECT_THROW(StationaryHeat({{5, 1, 1}, {5, 0, 1}}), Error);
  const exec::Device cpu = exec::Device::cpu(1);
  const StationaryHeat heat({{5, 1, 1}, {5, 1, 1}});
  exec::Array<double> u(cpu, 25);
  EXPECT_THROW(heat.jacobi<double>(cpu, u, u.view().part(0, 24)), Error);
  StationaryOptions options;
  options.weight = 2;
  EXPECT_THROW(heat.jacobi<double>(cpu, u, u, options), Error);
}

}  // namespace
}  // namespace setka::grid
