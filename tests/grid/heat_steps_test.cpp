// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/heat_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::grid {
namespace {

using ::testing::HasSubstr;

class HeatStepsOn : public test::OnDevice {
 protected:
  template <class T>
  std::vector<T> after(const HeatProblem& problem, HeatScheme scheme, double step, int steps,
                       const std::vector<double>& initial) const {
    exec::Array<T> u(device(), std::vector<T>(initial.begin(), initial.end()));
    HeatSteps<T> heat(device(), problem, scheme, step);
    for (int i = 0; i < steps; ++i) heat.advance(u);
    return u.to_vector();
  }
};
SETKA_ON_ALL_DEVICES(HeatStepsOn);

constexpr double pi = std::numbers::pi;
constexpr HeatScheme plane_schemes[] = {HeatScheme::lod, HeatScheme::peaceman_rachford, HeatScheme::douglas,
                                        HeatScheme::explicit_euler};
constexpr HeatSide cold{HeatSide::Kind::dirichlet, 0, 0};
constexpr HeatSide closed{HeatSide::Kind::neumann, 0, 0};

HeatAxis sides(std::int64_t nodes, double spacing, double diffusivity, HeatSide low, HeatSide high) {
  return {nodes, spacing, diffusivity, Ends::sides, low, high};
}

/// A mode of an axis of cells between two like sides (or periodic), and its rate of decay.
struct Mode {
  std::vector<double> shape;
  double rate;
};

Mode mode(const HeatAxis& axis, int k) {
  const auto n = static_cast<double>(axis.nodes);
  const bool periodic = axis.ends == Ends::periodic;
  const bool zero = !periodic && axis.low.kind == HeatSide::Kind::dirichlet;
  const double wave = (periodic ? 2 : 1) * pi * k / n;
  Mode found{{}, axis.diffusivity * std::pow(2 * std::sin(wave / 2) / axis.spacing, 2)};
  for (std::int64_t i = 0; i < axis.nodes; ++i) {
    const double x = wave * (static_cast<double>(i) + 0.5);
    found.shape.push_back(zero ? std::sin(x) : std::cos(x));
  }
  return found;
}

std::vector<double> product(const std::vector<Mode>& modes) {
  std::vector<double> u{1};
  for (const Mode& one : modes) {
    std::vector<double> wider;
    for (const double value : u) {
      for (const double factor : one.shape) wider.push_back(value * factor);
    }
    u = wider;
  }
  return u;
}

double factor(HeatScheme scheme, const std::vector<Mode>& modes, double reaction, double step) {
  double sum = reaction;
  double whole = 1;
  double half = 1;
  for (const Mode& one : modes) {
    const double rate = one.rate + reaction / static_cast<double>(modes.size());
    sum += one.rate;
    whole /= 1 + step * rate;
    half /= 1 + step / 2 * rate;
  }
  if (scheme == HeatScheme::lod) return whole;
  if (scheme == HeatScheme::explicit_euler) return 1 - step * sum;
  return 1 - step * sum * half;
}

const std::vector<std::vector<HeatAxis>> grids = {
    {sides(33, 0.1, 1, cold, cold), sides(20, 0.2, 0.5, closed, closed)},
    {{17, 0.1, 1, Ends::periodic}, {24, 0.3, 2, Ends::periodic}},
    {sides(9, 0.1, 1, closed, closed), {12, 0.2, 1, Ends::periodic}, sides(18, 0.1, 3, cold, cold)},
};

TEST_P(HeatStepsOn, damp_a_mode_at_the_discrete_rate) {
  for (const auto& axes : grids) {
    std::vector<Mode> modes;
    for (const HeatAxis& axis : axes) modes.push_back(mode(axis, 2));
    const std::vector<double> initial = product(modes);
    for (const HeatScheme scheme : plane_schemes) {
      if (scheme == HeatScheme::peaceman_rachford && axes.size() == 3) continue;
      for (const double reaction : {0.0, 3.0}) {
        for (const bool fields : {false, true}) {
          HeatProblem problem{axes, {}, {}, {}, reaction};
          const double step =
              scheme == HeatScheme::explicit_euler ? 0.9 * longest_explicit_step(device(), problem) : 0.05;
          if (fields) {  // the same, told cell by cell
            problem.diffusivity.assign(initial.size(), 1);
            problem.reaction.assign(initial.size(), reaction);
            problem.uniform_reaction = 0;
          }
          constexpr int steps = 5;
          std::vector<double> expected = initial;
          for (double& value : expected) value *= std::pow(factor(scheme, modes, reaction, step), steps);
          EXPECT_TRUE(test::all_near(after<double>(problem, scheme, step, steps, initial), expected,
                                     test::rounding<double>(200, 1)))
              << axes.size() << " axes, scheme " << static_cast<int>(scheme) << ", reaction " << reaction;
          EXPECT_TRUE(test::all_near(after<float>(problem, scheme, step, steps, initial), expected,
                                     test::rounding<float>(200, 1)))
              << axes.size() << " axes, scheme " << static_cast<int>(scheme) << ", single precision";
        }
      }
    }
  }
}

/// Values of a function of x and y at the centres of cells of the unit square, [ny, nx].
std::vector<double> sampled(std::int64_t n, const std::function<double(double, double)>& f) {
  std::vector<double> values;
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < n; ++i) {
      values.push_back(f((static_cast<double>(i) + 0.5) / static_cast<double>(n),
                         (static_cast<double>(j) + 0.5) / static_cast<double>(n)));
    }
  }
  return values;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST_P(HeatStepsOn, converge_in_time_at_the_order_of_the_scheme) {
  // Heated, with heat leaving through sides of all kinds, and cells of different diffusivity.
  constexpr std::int64_t n = 12;
  HeatProblem problem;
  problem.axes = {
      sides(n, 1.0 / n, 1, {HeatSide::Kind::robin, 2, 3}, {HeatSide::Kind::neumann, 1, 0}),
      sides(n, 1.0 / n, 1, {HeatSide::Kind::dirichlet, 1, 0}, {HeatSide::Kind::dirichlet, -1, 0})};
  problem.diffusivity = sampled(n, [](double x, double y) { return 1 + 0.5 * std::sin(5 * x + 3 * y); });
  problem.source = sampled(n, [](double x, double y) { return 10 * x * y; });
  problem.uniform_reaction = 2;
  const std::vector<double> initial =
      sampled(n, [](double x, double y) { return 1 - 2 * x + std::sin(pi * x) * (1 + y); });
  const std::vector<double> exact = after<double>(problem, HeatScheme::douglas, 0.04 / 1024, 1024, initial);
  for (const HeatScheme scheme : plane_schemes) {
    const bool second = scheme == HeatScheme::peaceman_rachford || scheme == HeatScheme::douglas;
    const int coarse = scheme == HeatScheme::explicit_euler ? 128 : 64;
    const double one =
        largest_difference(after<double>(problem, scheme, 0.04 / coarse, coarse, initial), exact);
    const double two =
        largest_difference(after<double>(problem, scheme, 0.02 / coarse, 2 * coarse, initial), exact);
    EXPECT_NEAR(std::log2(one / two), second ? 2 : 1, 0.2)
        << "scheme " << static_cast<int>(scheme) << ", errors " << one << " and " << two;
  }
}

TEST_P(HeatStepsOn, converge_in_space_at_second_order) {
  // u = exp(-(a^2 + b^2) t) cos(a x) sin(b y) + 5: insulated and Robin along x, Dirichlet along y.
  const double a = 0.8603335890193797;  // a tan a = 1
  const double b = 2 * pi;
  const double end = 0.02;
  const double rate = std::exp(-(a * a + b * b) * end);
  double before = 0;
  for (const std::int64_t n : {8, 16, 32}) {
    const auto h = 1 / static_cast<double>(n);
    HeatProblem problem;
    problem.axes = {sides(n, h, 1, {HeatSide::Kind::dirichlet, 5, 0}, {HeatSide::Kind::dirichlet, 5, 0}),
                    sides(n, h, 1, closed, {HeatSide::Kind::robin, 5, 1})};
    const auto u = [&](double scale) {
      return sampled(n, [=](double x, double y) { return 5 + scale * std::cos(a * x) * std::sin(b * y); });
    };
    const double error =
        largest_difference(after<double>(problem, HeatScheme::douglas, end / 100, 100, u(1)), u(rate));
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.15) << n << " cells, error " << error;
    }
    before = error;
  }
}

TEST_P(HeatStepsOn, keep_straight_profiles_between_sides) {
  // Along x (the faster axis): u = 3 + 2 x / d, by a value, by a flux and by Robin's law.
  constexpr std::int64_t n = 20;
  constexpr double d = 0.5;
  const std::vector<double> straight = sampled(n, [](double x, double) { return 3 + 2 * x / d; });
  const HeatSide low{HeatSide::Kind::dirichlet, 3, 0};
  for (const HeatSide high :
       {HeatSide{HeatSide::Kind::dirichlet, 3 + 2 / d, 0}, HeatSide{HeatSide::Kind::neumann, 2, 0},
        HeatSide{HeatSide::Kind::robin, 3 + 2 / d + 2 / 7.0, 7}}) {
    const HeatProblem problem{
        {{n, 1.0 / n, d, Ends::periodic}, sides(n, 1.0 / n, d, low, high)}, {}, {}, {}, 0};
    for (const HeatScheme scheme : plane_schemes) {
      const double step =
          scheme == HeatScheme::explicit_euler ? longest_explicit_step(device(), problem) : 0.1;
      EXPECT_TRUE(test::all_near(after<double>(problem, scheme, step, 10, straight), straight,
                                 test::rounding<double>(1000, 10)))
          << "scheme " << static_cast<int>(scheme) << ", side " << static_cast<int>(high.kind);
    }
  }
}

TEST_P(HeatStepsOn, keep_the_profile_of_layers) {
  // Layers of 1, 10 and 0.1 one after the other: the same flow q through all of them.
  constexpr std::int64_t n = 30;
  const auto conductivity = [](double x) { return x < 1.0 / 3 ? 1.0 : x < 2.0 / 3 ? 10.0 : 0.1; };
  const double q = 1 / (1.0 / 3 / 1 + 1.0 / 3 / 10 + 1.0 / 3 / 0.1);
  const auto u = [&](double x) {
    return x < 1.0 / 3 ? 1 - q * x : x < 2.0 / 3 ? 1 - q / 3 - q / 10 * (x - 1.0 / 3) : q / 0.1 * (1 - x);
  };
  for (const bool along_x : {true, false}) {
    HeatProblem problem;
    const HeatAxis across{n, 1.0 / n, 1, Ends::periodic};
    const HeatAxis along = sides(n, 1.0 / n, 1, {HeatSide::Kind::dirichlet, 1, 0}, cold);
    problem.axes = along_x ? std::vector<HeatAxis>{across, along} : std::vector<HeatAxis>{along, across};
    problem.diffusivity = sampled(n, [&](double x, double y) { return conductivity(along_x ? x : y); });
    const std::vector<double> exact = sampled(n, [&](double x, double y) { return u(along_x ? x : y); });
    for (const HeatScheme scheme : plane_schemes) {
      const double step =
          scheme == HeatScheme::explicit_euler ? longest_explicit_step(device(), problem) : 0.01;
      EXPECT_TRUE(test::all_near(after<double>(problem, scheme, step, 20, exact), exact,
                                 test::rounding<double>(5000, 1)))
          << "scheme " << static_cast<int>(scheme);
    }
  }
}

TEST_P(HeatStepsOn, keep_the_heat_where_none_can_leave) {
  for (const bool periodic : {true, false}) {
    HeatProblem problem;
    for (const std::int64_t nodes : {7, 1, 13}) {
      problem.axes.push_back(periodic ? HeatAxis{nodes, 0.1, 1, Ends::periodic}
                                      : sides(nodes, 0.1, 1, closed, closed));
    }
    problem.diffusivity = test::random_values<double>(91, 1);
    for (double& d : problem.diffusivity) d = 2 + d;
    problem.diffusivity[5] = 0;  // a cell that nothing passes
    problem.source = test::random_values<double>(91, 2);
    const std::vector<double> initial = test::random_values<double>(91, 3);
    const double heated = std::accumulate(problem.source.begin(), problem.source.end(), 0.0);
    for (const HeatScheme scheme : {HeatScheme::lod, HeatScheme::douglas, HeatScheme::explicit_euler}) {
      const double step =
          scheme == HeatScheme::explicit_euler ? longest_explicit_step(device(), problem) : 0.3;
      const std::vector<double> u = after<double>(problem, scheme, step, 5, initial);
      EXPECT_NEAR(std::accumulate(u.begin(), u.end(), 0.0),
                  std::accumulate(initial.begin(), initial.end(), 0.0) + 5 * step * heated,
                  test::rounding<double>(3000, 91))
          << "scheme " << static_cast<int>(scheme);
    }
  }
}

TEST_P(HeatStepsOn, of_both_alternating_schemes_are_the_same) {
  HeatProblem problem;
  problem.axes = {sides(9, 0.1, 1, {HeatSide::Kind::robin, 2, 3}, {HeatSide::Kind::neumann, 1, 0}),
                  {14, 0.1, 1, Ends::periodic}};
  problem.diffusivity = test::random_values<double>(126, 1);
  for (double& d : problem.diffusivity) d = 2 + d;
  problem.reaction = test::random_values<double>(126, 4);
  for (double& r : problem.reaction) r = 1 + r;
  problem.source = test::random_values<double>(126, 2);
  const std::vector<double> initial = test::random_values<double>(126, 3);
  EXPECT_TRUE(test::all_near(after<double>(problem, HeatScheme::peaceman_rachford, 0.02, 4, initial),
                             after<double>(problem, HeatScheme::douglas, 0.02, 4, initial),
                             test::rounding<double>(500, 1)));
}

TEST_P(HeatStepsOn, refuse_what_is_not_stable_or_does_not_fit) {
  const HeatProblem problem{{{20, 0.1, 1, Ends::periodic}, {10, 0.2, 2, Ends::periodic}}, {}, {}, {}, 0};
  const double longest = longest_explicit_step(device(), problem);
  EXPECT_NEAR(longest, 1 / (2 * (1 / 0.01 + 2 / 0.04)), 1e-15);
  EXPECT_NO_THROW(HeatSteps<double>(device(), problem, HeatScheme::explicit_euler, longest));
  EXPECT_THROW(HeatSteps<double>(device(), problem, HeatScheme::explicit_euler, 1.01 * longest), Error);
  // The fastest mode of the grid grows beyond that step, and does not at it.
  std::vector<double> checkers(200);
  for (std::size_t i = 0; i < 200; ++i) checkers[i] = (i / 10 + i % 10) % 2 == 0 ? 1 : -1;
  const auto u = after<double>(problem, HeatScheme::explicit_euler, longest, 50, checkers);
  EXPECT_TRUE(test::all_near(u, checkers, 1e-9));
  EXPECT_EQ(longest_explicit_step(device(), {{{4, 1, 0, Ends::periodic}}, {}, {}, {}, 0}),
            std::numeric_limits<double>::infinity());
  const auto message = [&](const HeatProblem& wrong, HeatScheme scheme) -> std::string {
    try {
      HeatSteps<float> heat(device(), wrong, scheme, 0.1);
      exec::Array<float> u5(device(), 5);
      heat.advance(u5);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(problem, HeatScheme::lod), HasSubstr("u has 5 values but the grid has 200 cells"));
  HeatProblem wrong = problem;
  wrong.source.assign(7, 0);
  EXPECT_THAT(message(wrong, HeatScheme::lod), HasSubstr("source has 7 values but the grid has 200 cells"));
  wrong = problem;
  wrong.axes.push_back({2, 1, 1, Ends::periodic});
  EXPECT_THAT(message(wrong, HeatScheme::peaceman_rachford), HasSubstr("two axes, not 3; take Douglas's"));
  wrong.axes = {sides(4, 1, 1, {HeatSide::Kind::robin, 1, 0}, closed)};
  EXPECT_THAT(message(wrong, HeatScheme::lod), HasSubstr("coefficient 0; it must be positive"));
}

}  // namespace
}  // namespace setka::grid
