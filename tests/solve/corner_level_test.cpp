// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid on second-order elements, whose first coarse level are the corners.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/elements.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "solve/elastic_block.hpp"
#include "solve/refreshed.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::solve {
namespace {

using fem::Element;

class CornerLevelOn : public test::OnDevice {
 protected:
  struct Solved {
    Outcome outcome;
    double error = 0;  // largest
  };

  /// Finds u = (xy, sin y + z, x z^2) again, where it is not held.
  Solved find(const test::ElasticSystem& made, const AmgGeometry& geometry, double tolerance,
              const AmgOptions& options = {}) const {
    Monitor monitor;
    const Amg amg(device(), made.system.matrix, geometry, options, monitor);
    const BlockCsrOperator a(made.system.matrix.to(device()));
    std::vector<double> known(static_cast<std::size_t>(a.rows()), 0.0);
    for (const std::int32_t place : made.space.places()) {
      const double* const at = &made.geometry.coordinates[static_cast<std::size_t>(place) / 3 * 3];
      const std::array<double, 3> u{at[0] * at[1], std::sin(at[1]) + at[2], at[0] * at[2] * at[2]};
      known[static_cast<std::size_t>(place)] = u[static_cast<std::size_t>(place) % 3];
    }
    const exec::Array<double> truth(device(), known);
    exec::Array<double> b(device(), a.rows());
    exec::Array<double> x(device(), a.rows());
    a.apply(device(), truth, b);
    exec::fill(device(), x, 0.0);
    Solved solved{Cg({tolerance, 500, 100}).solve(device(), a, amg, b, x, monitor), 0};
    const std::vector<double> answer = x.to_vector();
    for (std::size_t i = 0; i < known.size(); ++i)
      solved.error = std::max(solved.error, std::abs(answer[i] - known[i]));
    return solved;
  }
  Solved find(const test::ElasticSystem& made, double tolerance = 1e-8) const {
    return find(made, made.geometry, tolerance);
  }
};
SETKA_ON_ALL_DEVICES(CornerLevelOn);

test::ElasticBlock second_order(Element type, std::array<int, 3> cells) {
  test::ElasticBlock block;
  block.element = type;
  block.cells = cells;
  return block;
}

TEST_P(CornerLevelOn, is_that_of_the_corners) {
  const test::ElasticSystem made = test::assemble(second_order(Element::hex20_reduced, {8, 5, 4}));
  Monitor monitor;
  const Amg amg(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor);
  ASSERT_GT(amg.levels().size(), 2U);
  EXPECT_EQ(amg.levels()[1].unknowns, 3 * 8 * 6 * 5);  // those at x = 0 are held
}

TEST_P(CornerLevelOn, finds_a_given_answer) {
  for (const Element type : {Element::tet10, Element::wedge15, Element::hex20, Element::hex20_reduced}) {
    const Solved solved = find(test::assemble(second_order(type, {7, 5, 6})), 1e-12);
    EXPECT_EQ(solved.outcome.status, Status::converged) << fem::name(type);
    EXPECT_LT(solved.error, 1e-8) << fem::name(type);
  }
}

TEST_P(CornerLevelOn, iterations_hardly_grow_with_the_mesh) {
  std::vector<int> iterations;
  for (const int n : {4, 8, 12}) {
    const Solved solved = find(test::assemble(second_order(Element::hex20_reduced, {n, n, n})));
    EXPECT_EQ(solved.outcome.status, Status::converged) << n;
    iterations.push_back(solved.outcome.iterations);
  }
  EXPECT_LE(iterations[2], 1.5 * iterations[0]) << ::testing::PrintToString(iterations);
  EXPECT_LE(iterations[2], 24) << ::testing::PrintToString(iterations);
}

TEST_P(CornerLevelOn, takes_fewer_iterations_than_aggregates_alone) {
  const test::ElasticSystem made = test::assemble(second_order(Element::hex20_reduced, {12, 8, 8}));
  AmgGeometry aggregates = made.geometry;
  aggregates.first = {};
  const int with = find(made).outcome.iterations;
  const int without = find(made, aggregates, 1e-8).outcome.iterations;
  EXPECT_LE(with, 0.8 * without);
}

TEST_P(CornerLevelOn, nodes_that_are_held_in_some_directions) {
  // Rollers on a side, and spots on another: nodes amid edges with both, one or no end free, whole or partly.
  test::ElasticBlock block = second_order(Element::hex20_reduced, {6, 6, 6});
  block.held = false;
  block.also_held = [](const double* at, int direction) {
    if (at[2] < 1e-9) return direction == 2;
    if (at[0] > 1e-9) return false;
    const auto spot = static_cast<int>(std::lround(12 * (at[1] + 3 * at[2])));
    return spot % 5 == 0 || (spot % 3 == 0 && direction != 1);
  };
  const Solved solved = find(test::assemble(block), 1e-12);
  EXPECT_EQ(solved.outcome.status, Status::converged);
  EXPECT_LT(solved.error, 1e-8);
  EXPECT_LE(solved.outcome.iterations, 60);
}

TEST_P(CornerLevelOn, one_layer_of_thin_elements_makes_levels) {
  // The corners have one neighbour across the layer, and all others 2.5 times as far away or more.
  test::ElasticBlock block = second_order(Element::hex20_reduced, {20, 20, 1});
  block.size = {1, 1, 0.02};
  const test::ElasticSystem made = test::assemble(block);
  Monitor monitor;
  const Amg amg(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor);
  EXPECT_GT(amg.levels().size(), 2U);
  const Solved solved = find(made);
  EXPECT_EQ(solved.outcome.status, Status::converged);
  EXPECT_LE(solved.outcome.iterations, 200);
}

TEST_P(CornerLevelOn, a_refresh_is_as_good_as_a_new_one) {
  for (const Element element : {Element::hex20_reduced, Element::tet10})
    test::expect_refresh_as_good_as_new(device(), second_order(element, {6, 5, 5}));
}

/// A cycle takes each of several columns through as it takes that vector alone.
void expect_columns_like_single_vectors(const exec::Device& device, const test::ElasticSystem& made,
                                        std::int64_t columns, unsigned seed) {
  Monitor monitor;
  const Amg amg(device, made.system.matrix, made.geometry, AmgOptions{}, monitor);
  const auto values = test::random_values<double>(amg.rows() * columns, seed);
  const exec::MultiVector<double> x(device, amg.rows(), columns, values);
  exec::MultiVector<double> y(device, amg.rows(), columns);
  amg.apply(device, x.view(), y.view());
  const std::vector<double> together = y.values().to_vector();
  for (std::int64_t j = 0; j < columns; ++j) {
    std::vector<double> column;
    std::vector<double> computed;
    for (std::int64_t i = 0; i < amg.rows(); ++i) {
      column.push_back(values[static_cast<std::size_t>(i * columns + j)]);
      computed.push_back(together[static_cast<std::size_t>(i * columns + j)]);
    }
    const exec::Array<double> alone(device, column);
    exec::Array<double> answer(device, amg.rows());
    amg.apply(device, alone, answer);
    // Sums of some hundred terms in another order, on each of the levels.
    EXPECT_TRUE(test::all_near(computed, answer.to_vector(),
                               test::rounding<float>(200, exec::largest(device, answer))))
        << "column " << j;
  }
}

TEST_P(CornerLevelOn, columns_of_a_block_like_single_vectors) {
  expect_columns_like_single_vectors(device(),
                                     test::assemble(second_order(Element::hex20_reduced, {4, 4, 4})), 5, 3);
}

/// Without the turns of the corners.
AmgGeometry straight(AmgGeometry geometry) {
  Interpolation& first = geometry.first;
  std::vector<double> value;
  for (std::size_t at = 0; at < first.value.size(); at += 6) {
    const auto from = first.value.begin() + static_cast<std::ptrdiff_t>(at);
    value.insert(value.end(), from, from + 3);
  }
  first.value = std::move(value);
  first.gap.clear();
  first.more_modes.clear();
  return geometry;
}

TEST_P(CornerLevelOn, corners_of_tetrahedra_turn) {
  const test::ElasticSystem made = test::assemble(second_order(Element::tet10, {8, 5, 4}));
  Monitor monitor;
  const Amg amg(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor);
  ASSERT_GT(amg.levels().size(), 2U);
  EXPECT_EQ(amg.levels()[1].unknowns, 6 * 8 * 6 * 5);  // those at x = 0 are held
}

/// Tetrahedra as a mesh generator leaves them: no two alike, edges that follow curved surfaces.
std::array<double, 3> irregular(const std::array<double, 3>& x, double by) {
  return {x[0] + by * std::sin(17 * x[1] + 29 * x[2]), x[1] + by * std::sin(31 * x[2] + 13 * x[0]),
          x[2] + by * std::sin(23 * x[0] + 19 * x[1])};
}

TEST_P(CornerLevelOn, thin_walls_of_tetrahedra_take_few_iterations) {
  // 14, 18, 16 and 25; with corners that do not turn 21, 26, 31 and 57.
  struct Wall {
    std::string what;
    int most;
    test::ElasticBlock block;
  };
  std::vector<Wall> walls{{"irregular", 17, second_order(Element::tet10, {10, 10, 10})},
                          {"long cells", 22, second_order(Element::tet10, {16, 8, 8})},
                          {"one layer", 20, second_order(Element::tet10, {24, 24, 1})},
                          {"an edge like a knife's", 31, second_order(Element::tet10, {20, 12, 3})}};
  walls[0].block.place = [](const auto& x) { return irregular(x, 0.01); };
  walls[1].block.size = {5, 1, 1};
  walls[2].block.size = {1, 1, 0.03};
  walls[3].block.size = {1, 1, 0.2};
  walls[3].block.place = [](const std::array<double, 3>& x) {
    return std::array<double, 3>{x[0], x[1], x[2] * (1.15 - x[1])};
  };
  for (const Wall& wall : walls) {
    const test::ElasticSystem made = test::assemble(wall.block);
    const Solved solved = find(made);
    EXPECT_EQ(solved.outcome.status, Status::converged) << wall.what;
    EXPECT_LE(solved.outcome.iterations, wall.most) << wall.what;
    const int before = find(made, straight(made.geometry), 1e-8).outcome.iterations;
    EXPECT_LE(solved.outcome.iterations, 0.85 * before) << wall.what << ": " << before;
  }
}

/// A wedge of one layer, whose thickness falls from `thickness` to so much of it.
test::ElasticSystem blade(double thickness, double edge) {
  test::ElasticBlock block = second_order(Element::tet10, {20, 12, 1});
  block.size = {1, 1, thickness};
  block.place = [=](const std::array<double, 3>& x) {
    return std::array<double, 3>{x[0], x[1], x[2] * (1 + edge - x[1])};
  };
  return test::assemble(block);
}

TEST_P(CornerLevelOn, flat_tetrahedra_are_smoothed_in_patches) {
  // 29; by diagonal blocks alone 79.
  const test::ElasticSystem made = blade(0.1, 0.02);
  const Solved solved = find(made, made.geometry, 1e-8);
  EXPECT_EQ(solved.outcome.status, Status::converged);
  EXPECT_LE(solved.outcome.iterations, 30);
  AmgOptions alone;
  alone.patch_coupling = 2;  // none couples so strongly
  EXPECT_LE(solved.outcome.iterations, 0.5 * find(made, made.geometry, 1e-8, alone).outcome.iterations);
}

TEST_P(CornerLevelOn, columns_go_through_patches_like_single_vectors) {
  expect_columns_like_single_vectors(device(), blade(0.3, 0.15), 3, 5);
}

TEST_P(CornerLevelOn, refuses_an_interpolation_that_does_not_fit) {
  test::ElasticSystem made = test::assemble(second_order(Element::hex20_reduced, {2, 2, 2}));
  made.geometry.first.weight.pop_back();
  Monitor monitor;
  EXPECT_THAT([&] { Amg(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("Amg: interpolation")));
  test::ElasticSystem turning = test::assemble(second_order(Element::tet10, {2, 2, 2}));
  turning.geometry.first.gap.pop_back();
  EXPECT_THAT([&] { Amg(device(), turning.system.matrix, turning.geometry, AmgOptions{}, monitor); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("gaps")));
}

}  // namespace
}  // namespace setka::solve
