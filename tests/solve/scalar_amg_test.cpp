// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid for one unknown a point: heat, electricity, flow through pores.
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "setka/sparse/blocked.hpp"
#include "solve/grid_laplacian.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace setka::solve {
namespace {

class ScalarAmgOn : public test::OnDevice {
 protected:
  /// Iterations to 1e-8 for a random right-hand side; the answer is checked by cg() itself.
  int iterations(const test::GridLaplacian& grid, bool with_coordinates) const {
    const sparse::BlockCsr<double> matrix =
        sparse::blocked(exec::Device::cpu(), sparse::compressed(grid.entries(), false, 1), 1);
    Monitor monitor;
    AmgGeometry geometry{1, std::vector<double>(static_cast<std::size_t>(grid.unknowns()), 1.0), {}};
    if (with_coordinates) geometry.coordinates = grid.coordinates();
    const Amg amg(device(), matrix, std::move(geometry), AmgOptions{}, monitor);
    const BlockCsrOperator a(matrix.to(device()));
    const exec::Array<double> b(device(), test::random_values<double>(a.rows(), 3));
    exec::Array<double> x(device(), a.rows());
    exec::fill(device(), x, 0.0);
    const Outcome outcome = Cg().solve(device(), a, amg, b, x, monitor);
    EXPECT_EQ(outcome.status, Status::converged) << outcome.residual;
    EXPECT_LT(amg.operator_complexity(), 3.0);
    return outcome.iterations;
  }
};
SETKA_ON_ALL_DEVICES(ScalarAmgOn);

TEST_P(ScalarAmgOn, iterations_hardly_grow_in_space) {
  for (const bool with_coordinates : {false, true}) {
    std::vector<int> counts;
    for (const int n : {16, 32, test::sanitized ? 40 : 64}) {
      test::GridLaplacian grid;
      grid.points = {n, n, n};
      counts.push_back(iterations(grid, with_coordinates));
    }
    EXPECT_LE(counts[2], 1.5 * counts[0]) << ::testing::PrintToString(counts);
    EXPECT_LT(counts[2], 40) << ::testing::PrintToString(counts);
  }
}

TEST_P(ScalarAmgOn, iterations_hardly_grow_in_the_plane) {
  for (const bool with_coordinates : {false, true}) {
    std::vector<int> counts;
    for (const int n : {64, 128, test::sanitized ? 160 : 256}) {
      test::GridLaplacian grid;
      grid.points = {n, n, 1};
      counts.push_back(iterations(grid, with_coordinates));
    }
    EXPECT_LE(counts[2], 1.5 * counts[0]) << ::testing::PrintToString(counts);
    EXPECT_LT(counts[2], 40) << ::testing::PrintToString(counts);
  }
}

TEST_P(ScalarAmgOn, layers_that_conduct_along_themselves) {
  // A thousandth across: neighbours across are hardly neighbours.
  test::GridLaplacian grid;
  grid.points = {40, 40, 40};
  grid.conductivity = [](int, int, int, int direction) { return direction == 2 ? 1e-3 : 1.0; };
  EXPECT_LT(iterations(grid, false), 20);
}

TEST_P(ScalarAmgOn, inclusions_that_conduct_a_million_times_better) {
  test::GridLaplacian grid;
  grid.points = {32, 32, 32};
  grid.conductivity = [](int x, int y, int z, int) {
    return x / 8 % 2 == 1 && y / 8 % 2 == 1 && z / 8 % 2 == 1 ? 1e6 : 1.0;
  };
  EXPECT_LT(iterations(grid, false), 30);
}

}  // namespace
}  // namespace setka::solve
