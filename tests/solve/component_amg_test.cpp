// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Preconditioners for one to six components a point, on model problems that are assembled by hand.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_cg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/fsai.hpp"
#include "solve/component_systems.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace setka::solve {
namespace {

class ComponentsOn : public test::OnDevice {
 protected:
  /// Iterations of CG to 1e-8 for a random right-hand side; Cg confirms the residual from the answer.
  int iterations(const sparse::BlockCsr<double>& matrix, const Operator& preconditioner) const {
    const BlockCsrOperator a(matrix.to(device()));
    const exec::Array<double> b(device(), test::random_values<double>(a.rows(), 3));
    exec::Array<double> x(device(), a.rows());
    exec::fill(device(), x, 0.0);
    Monitor monitor;
    const Outcome outcome = Cg().solve(device(), a, preconditioner, b, x, monitor);
    EXPECT_EQ(outcome.status, Status::converged) << outcome.residual;
    return outcome.iterations;
  }

  Amg multigrid(const test::ComponentSystem& system) const {
    Monitor monitor;
    return {device(), system.matrix, system.geometry, AmgOptions{}, monitor};
  }

  int iterations(const test::ComponentSystem& system) const {
    const Amg amg = multigrid(system);
    EXPECT_GT(amg.levels().size(), 1U);
    EXPECT_LT(amg.operator_complexity(), 3.0);
    return iterations(system.matrix, amg);
  }
};
SETKA_ON_ALL_DEVICES(ComponentsOn);

TEST_P(ComponentsOn, plane_elasticity_with_its_rotation) {
  std::vector<int> with_rotation;
  std::vector<int> without;
  for (const int cells : {32, 64, test::sanitized ? 80 : 128}) {
    with_rotation.push_back(iterations(test::plane_elasticity(cells, 3)));
    without.push_back(iterations(test::plane_elasticity(cells, 2)));
  }
  EXPECT_LE(with_rotation[2], 15) << ::testing::PrintToString(with_rotation);
  EXPECT_LE(with_rotation[2], with_rotation[0] + 3) << ::testing::PrintToString(with_rotation);
  EXPECT_LT(with_rotation[2], without[2]) << ::testing::PrintToString(without);
  EXPECT_LE(without[2], 60) << ::testing::PrintToString(without);
}

TEST_P(ComponentsOn, stretched_cells_in_the_plane) {
  // Strong neighbours are lines of nodes, of which no aggregate may take too much.
  for (const double stretch : {2, 4, 8}) EXPECT_LE(iterations(test::plane_elasticity(64, 3, stretch)), 22);
}

TEST_P(ComponentsOn, every_number_of_components_in_space) {
  for (int components = 1; components <= 6; ++components) {
    for (const bool with_coordinates : {false, true}) {
      const int few =
          iterations(test::coupled_conduction({10, 10, 10}, components, components, with_coordinates));
      const int many =
          iterations(test::coupled_conduction({16, 16, 16}, components, components, with_coordinates));
      EXPECT_LE(many, 14) << components;
      EXPECT_LE(many, few + 3) << components;
    }
  }
}

TEST_P(ComponentsOn, every_number_of_components_in_the_plane) {
  for (int components = 1; components <= 6; ++components)
    EXPECT_LE(iterations(test::coupled_conduction({60, 60, 1}, components, components, false)), 16)
        << components;
}

TEST_P(ComponentsOn, fewer_modes_than_components_still_converge) {
  // What a mode is missing for is left to the smoother: slow, but right.
  for (int components = 2; components <= 6; ++components) {
    const int some = iterations(test::coupled_conduction({10, 10, 10}, components, components - 1, true));
    const int all = iterations(test::coupled_conduction({10, 10, 10}, components, components, true));
    EXPECT_GT(some, all) << components;
  }
}

TEST_P(ComponentsOn, many_columns_at_once) {
  for (int components = 1; components <= 6; ++components) {
    const test::ComponentSystem system = test::coupled_conduction({12, 12, 12}, components, components, true);
    const BlockCsrOperator a(system.matrix.to(device()));
    const Amg amg = multigrid(system);
    for (const std::int64_t columns : {3, 16}) {
      const exec::MultiVector<double> b(device(), a.rows(), columns,
                                        test::random_values<double>(a.rows() * columns, 4));
      exec::MultiVector<double> x(device(), a.rows(), columns);
      exec::fill(device(), x.values(), 0.0);
      Monitor monitor;
      const BlockOutcome outcome = BlockCg().solve(device(), a, amg, b, x, monitor);
      EXPECT_TRUE(outcome.converged()) << components << " components, " << columns << " columns";
      EXPECT_LE(outcome.iterations, 14) << components;
    }
  }
}

TEST_P(ComponentsOn, block_diagonals_and_approximate_inverses) {
  for (int components = 1; components <= 6; ++components) {
    const test::ComponentSystem system = test::coupled_conduction({12, 12, 12}, components, components, true);
    const sparse::BlockCsr<double> matrix = system.matrix.to(device());
    const BlockJacobi points(device(), 1, inverse_diagonal(matrix));
    const BlockJacobi blocks(device(), components, inverse_diagonal_blocks(matrix));
    const Fsai fsai(device(), matrix, FsaiOptions{});
    const int by_points = iterations(system.matrix, points);
    const int by_blocks = iterations(system.matrix, blocks);
    const int by_fsai = iterations(system.matrix, fsai);
    EXPECT_LE(by_blocks, by_points) << components;
    EXPECT_LT(by_fsai, by_blocks) << components;
    EXPECT_LE(by_fsai, 40) << components;
  }
}

TEST_P(ComponentsOn, takes_new_values) {
  for (const auto& [components, modes] : {std::pair{2, 3}, {4, 4}, {5, 5}}) {
    test::ComponentSystem system = components == 2
                                       ? test::plane_elasticity(48, modes)
                                       : test::coupled_conduction({12, 12, 12}, components, modes, true);
    Monitor monitor;
    AmgOptions options;
    options.refreshable = true;
    Amg amg(device(), system.matrix, system.geometry, options, monitor);
    const int before = iterations(system.matrix, amg);
    exec::scale(system.matrix.device(), 1e6, system.matrix.value());
    amg.refresh(system.matrix, monitor);
    EXPECT_LE(iterations(system.matrix, amg), before + 1) << components;
  }
}

TEST_P(ComponentsOn, refuses_more_modes_than_coarse_blocks_hold) {
  for (const auto& [components, modes] : {std::pair{1, 2}, {2, 4}, {3, 7}, {4, 6}}) {
    test::ComponentSystem system = test::coupled_conduction({3, 3, 3}, components, modes, false);
    EXPECT_THAT([&] { multigrid(system); },
                ::testing::ThrowsMessage<Error>(::testing::StartsWith("Amg: blocks of")))
        << components;
  }
}

}  // namespace
}  // namespace setka::solve
