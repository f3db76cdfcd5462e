// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/matrix_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/matrix_checks.hpp"
#include "setka/sparse/blocked.hpp"
#include "solve/component_systems.hpp"
#include "solve/elastic_block.hpp"
#include "solve/grid_laplacian.hpp"
#include "support/on_device.hpp"
#include "support/tolerance.hpp"

namespace setka::solve {
namespace {

class MatrixSystemOn : public test::OnDevice {
 protected:
  SolveResult solve(const MatrixSystem& system, const std::vector<double>& b,
                    const SolverChoice& choice) const {
    Monitor monitor;
    return system.solve(device(), b, choice, monitor);
  }
  const exec::Device cpu_ = exec::Device::cpu();
};
SETKA_ON_ALL_DEVICES(MatrixSystemOn);

SolverChoice by(Method method, double tolerance = 1e-10) {
  SolverChoice choice;
  choice.method = method;
  choice.tolerance = tolerance;
  return choice;
}

std::vector<double> ones(std::int32_t count) {
  std::vector<double> values(static_cast<std::size_t>(count), 1.0);
  return values;
}

/// A cube of elastic cells as a program with plain matrices would hand it over: the unknowns of the held face
/// are still there, with one on the diagonal and nothing beside it.
struct HeldCube {
  sparse::Csr matrix;
  std::vector<double> coordinates;
  std::vector<double> b;
};

HeldCube held_cube(int cells) {
  test::ElasticBlock block;
  block.cells = {cells, cells, cells};
  block.held = false;
  const test::ElasticSystem free = test::assemble(block);
  HeldCube cube;
  cube.coordinates = free.geometry.coordinates;
  const sparse::SymmetricCsr upper = sparse::upper_triangle(free.system.matrix);
  sparse::Triplets list;
  list.rows = list.columns = upper.rows;
  cube.b.assign(static_cast<std::size_t>(upper.rows), 0.0);
  const auto is_held = [&](std::int32_t i) {
    return cube.coordinates[static_cast<std::size_t>(i) / 3 * 3] < 1e-9;
  };
  for (std::int32_t i = 0; i < upper.rows; ++i) {
    for (std::int64_t k = upper.offset[static_cast<std::size_t>(i)];
         k < upper.offset[static_cast<std::size_t>(i) + 1]; ++k) {
      const std::int32_t j = upper.column[static_cast<std::size_t>(k)];
      if (i != j && (is_held(i) || is_held(j))) continue;
      list.row.push_back(j);
      list.column.push_back(i);
      list.value.push_back(is_held(i) ? 1.0 : upper.value[static_cast<std::size_t>(k)]);
    }
    if (!is_held(i) && i % 3 == 2) cube.b[static_cast<std::size_t>(i)] = -1;
  }
  cube.matrix = sparse::compressed(std::move(list), true, 1);
  return cube;
}

TEST_P(MatrixSystemOn, six_motions_beat_three_and_those_beat_one) {
  HeldCube cube = held_cube(10);
  const auto iterations = [&](int block, bool with_coordinates) {
    const MatrixSystem system(cpu_, cube.matrix,
                              {block, with_coordinates ? cube.coordinates : std::vector<double>()});
    const SolveResult solved = solve(system, cube.b, by(Method::cg));
    EXPECT_TRUE(solved.report.converged) << solved.report.trouble;
    return solved.report.iterations;
  };
  const int six = iterations(3, true);
  const int three = iterations(3, false);
  const int one = iterations(1, false);
  EXPECT_LE(six, 20);
  EXPECT_LT(six, three);
  EXPECT_LE(three, one);
}

TEST_P(MatrixSystemOn, motions_are_zero_where_nothing_moves) {
  const HeldCube cube = held_cube(3);
  const MatrixSystem system(cpu_, cube.matrix, {3, cube.coordinates});
  const AmgGeometry geometry = system.geometry();
  ASSERT_EQ(geometry.modes, 6);
  const std::vector<double> motion = geometry.mode.on_host();
  for (std::size_t i = 0; i < cube.b.size(); ++i) {
    const bool held = cube.coordinates[i / 3 * 3] < 1e-9;
    EXPECT_EQ(motion[6 * i + i % 3], held ? 0.0 : 1.0) << i;
  }
}

/// A row of beams along x of two nodes each with three displacements and three rotations, held nowhere
/// (Euler and Bernoulli): their stiffness times a rigid motion is zero.
sparse::Csr beams(std::int32_t nodes, double length) {
  const double along = 3 / length;
  const double torsion = 2 / length;
  sparse::Triplets list;
  list.rows = list.columns = 6 * nodes;
  const auto add = [&](std::int32_t i, std::int32_t j, double value) {
    list.row.push_back(i);
    list.column.push_back(j);
    list.value.push_back(value);
  };
  const auto spring = [&](std::int32_t i, std::int32_t j, double stiffness) {
    for (const auto& [r, c, sign] : {std::tuple{i, i, 1}, {j, j, 1}, {i, j, -1}, {j, i, -1}})
      add(r, c, sign * stiffness);
  };
  // Of deflection and slope at both ends; a slope is a rotation about z, and the opposite of one about y.
  const double l = length;
  const double bending[4][4] = {{12, 6 * l, -12, 6 * l},
                                {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                                {-12, -6 * l, 12, -6 * l},
                                {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
  for (std::int32_t n = 0; n + 1 < nodes; ++n) {
    spring(6 * n, 6 * n + 6, along);
    spring(6 * n + 3, 6 * n + 9, torsion);
    for (const auto& [deflection, rotation, sign] : {std::tuple{1, 5, 1}, {2, 4, -1}}) {
      const std::int32_t at[4] = {6 * n + deflection, 6 * n + rotation, 6 * n + 6 + deflection,
                                  6 * n + 6 + rotation};
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j)
          add(at[i], at[j], (i % 2 == j % 2 ? 1 : sign) * bending[i][j] / (l * l * l));
      }
    }
  }
  return sparse::compressed(list, false, 1);
}

TEST_P(MatrixSystemOn, motions_of_displacements_and_rotations_have_no_stiffness) {
  const std::int32_t nodes = 5;
  const sparse::Csr matrix = beams(nodes, 0.7);
  std::vector<double> coordinates;
  for (std::int32_t n = 0; n < nodes; ++n) coordinates.insert(coordinates.end(), {0.7 * n, 2.0, -1.0});
  const AmgGeometry geometry = MatrixSystem(cpu_, matrix, {6, coordinates}).geometry();
  ASSERT_EQ(geometry.modes, 6);
  const std::vector<double> motion = geometry.mode.on_host();
  for (std::size_t mode = 0; mode < 6; ++mode) {
    for (std::size_t i = 0; i < 6 * static_cast<std::size_t>(nodes); ++i) {
      double force = 0;
      for (auto k = static_cast<std::size_t>(matrix.offset[i]);
           k < static_cast<std::size_t>(matrix.offset[i + 1]); ++k)
        force += matrix.value[k] * motion[6 * static_cast<std::size_t>(matrix.column[k]) + mode];
      EXPECT_NEAR(force, 0, 1e-12) << mode << " at " << i;
    }
  }
}

TEST_P(MatrixSystemOn, two_displacements_in_a_plane_turn) {
  const test::ComponentSystem plane = test::plane_elasticity(48, 3);
  const sparse::Csr matrix = test::csr_of(plane.matrix);
  std::vector<double> coordinates = plane.geometry.coordinates;
  const auto iterations = [&](MatrixGeometry geometry, int modes) {
    const MatrixSystem system(cpu_, matrix, std::move(geometry));
    EXPECT_EQ(system.geometry().modes, modes);
    const SolveResult solved = solve(system, ones(system.unknowns()), by(Method::cg));
    EXPECT_TRUE(solved.report.converged) << solved.report.trouble;
    return solved.report.iterations;
  };
  const int turning = iterations({2, coordinates}, 3);
  EXPECT_LE(turning, 16);
  EXPECT_LT(turning, iterations({2}, 2));
  // The same near-nullspace, given.
  EXPECT_EQ(iterations({2, coordinates, 3, plane.geometry.mode.on_host()}, 3), turning);
  // Points that do not lie in a plane are no plane problem.
  coordinates.back() = 1;
  EXPECT_GT(iterations({2, coordinates}, 2), turning);
}

TEST_P(MatrixSystemOn, every_size_of_blocks_solves) {
  for (int components = 1; components <= 6; ++components) {
    const test::ComponentSystem made = test::coupled_conduction({8, 8, 8}, components, components, true);
    const MatrixSystem system(cpu_, test::csr_of(made.matrix), {components, made.geometry.coordinates});
    for (const char* preconditioner : {"jacobi", "block-jacobi", "fsai", "amg"}) {
      SolverChoice choice = by(Method::cg);
      choice.preconditioner = preconditioner;
      const SolveResult solved = solve(system, ones(system.unknowns()), choice);
      EXPECT_TRUE(solved.report.converged) << components << ", " << preconditioner;
    }
  }
  EXPECT_THAT(
      [&] { MatrixSystem(cpu_, beams(7, 1), {7}); },
      ::testing::ThrowsMessage<Error>("MatrixSystem: blocks of 7 x 7; 1, 2, 3, 4, 5 and 6 are known"));
}

TEST_P(MatrixSystemOn, all_ways_give_one_answer) {
  const HeldCube cube = held_cube(4);
  const MatrixSystem system(cpu_, cube.matrix, {3, cube.coordinates});
  const SolveResult multigrid = solve(system, cube.b, by(Method::cg, 1e-12));
  SolverChoice jacobi = by(Method::cg, 1e-12);
  jacobi.preconditioner = "jacobi";
  double largest = 0;
  for (const double value : multigrid.x) largest = std::max(largest, std::abs(value));
  EXPECT_TRUE(test::all_near(solve(system, cube.b, jacobi).x, multigrid.x, 1e-9 * largest));
  if (!Cholesky::available()) return;
  const SolveResult direct = solve(system, cube.b, by(Method::cholesky));
  EXPECT_TRUE(direct.report.converged);
  EXPECT_TRUE(test::all_near(direct.x, multigrid.x, 1e-9 * largest));
}

TEST_P(MatrixSystemOn, the_size_of_numbers_has_no_say) {
  test::GridLaplacian grid;
  grid.points = {12, 12, 12};
  for (const double factor : {1e-250, 1e-60, 1e60, 1e250}) {
    sparse::Csr matrix = sparse::compressed(grid.entries(), false, 1);
    for (double& value : matrix.value) value *= factor;
    const MatrixSystem system(cpu_, matrix, {});
    std::vector<double> b = ones(grid.unknowns());
    for (double& value : b) value *= factor;
    const SolveResult solved = solve(system, b, by(Method::cg));
    EXPECT_TRUE(solved.report.converged) << factor << ": " << solved.report.trouble;
    EXPECT_LE(solved.report.iterations, 15) << factor;
    EXPECT_GT(solved.x[0], 0.3) << factor;
    EXPECT_LT(solved.x[0], 3) << factor;
  }
}

TEST_P(MatrixSystemOn, an_answer_beyond_all_numbers_is_none) {
  const sparse::Csr matrix = sparse::compressed({1, 1, {0}, {0}, {1e-300}}, false, 1);
  const MatrixSystem system(cpu_, matrix, {});
  const SolveResult solved = solve(system, {1e300}, by(Method::cg));
  EXPECT_FALSE(solved.report.converged);
  EXPECT_EQ(solved.report.trouble, "the answer is too large for a number of double precision");
}

TEST_P(MatrixSystemOn, singular_matrices_are_not_factorised_by_luck) {
  if (!Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  for (const std::int32_t n : {2, 3, 7, 11, 16}) {
    test::GridLaplacian grid;
    grid.points = {n, n, n};
    grid.walls = false;
    grid.conductivity = [](int x, int y, int z, int d) {
      return 1 + 0.1 * ((3 * x + 5 * y + 7 * z + d) % 11);
    };
    const MatrixSystem system(cpu_, sparse::compressed(grid.entries(), false, 1), {});
    std::vector<double> balanced(static_cast<std::size_t>(grid.unknowns()), 0.0);
    balanced.front() = 1;
    balanced.back() = -1;
    for (const std::vector<double>& b : {balanced, ones(grid.unknowns())}) {
      const SolveResult solved = solve(system, b, by(Method::cholesky));
      EXPECT_FALSE(solved.report.converged) << n;
      EXPECT_GE(solved.report.singular, 0) << n;
      EXPECT_THAT(solved.report.trouble, ::testing::AnyOf("the matrix is singular to working precision",
                                                          "the matrix is not positive definite"));
    }
    const SolveResult unbalanced = solve(system, ones(grid.unknowns()), by(Method::automatic));
    EXPECT_FALSE(unbalanced.report.converged) << n;
    EXPECT_FALSE(solve(system, ones(grid.unknowns()), by(Method::cg)).report.converged) << n;
  }
}

TEST_P(MatrixSystemOn, what_does_not_fit_is_refused_first) {
  test::GridLaplacian grid;
  EXPECT_THAT(
      [&] { MatrixSystem(cpu_, sparse::compressed(grid.entries(), false, 1), {}, 10000); },
      ::testing::ThrowsMessage<Error>("solving takes 75.0 KiB and more, and 9.77 KiB of memory are free; "
                                      "use a machine with more memory"));
}

std::string refusal(void (*check)(const sparse::Csr&, const std::string&, int),
                    const sparse::Triplets& list) {
  try {
    check(sparse::compressed(list, false, 2), "a.mtx", 2);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.message();
  }
  return "";
}

TEST(MatrixChecks, SymmetryUpToRounding) {
  const auto pair = [](double above, double below) {
    return sparse::Triplets{2, 2, {0, 0, 1, 1}, {0, 1, 0, 1}, {100, above, below, 1}};
  };
  EXPECT_EQ(refusal(check_symmetry, pair(5, 5)), "");
  EXPECT_EQ(refusal(check_symmetry, pair(5, 5 + 9e-12)), "") << "of the diagonal's scale, 10";
  EXPECT_EQ(refusal(check_symmetry, pair(5, 5 + 2e-11)),
            "the matrix is not symmetric: entry (1, 2) is 5, but (2, 1) is 5");
  EXPECT_EQ(refusal(check_symmetry, {2, 2, {0, 1, 1}, {0, 0, 1}, {1, -0.5, 1}}),
            "the matrix is not symmetric: entry (2, 1) is -0.5, but (1, 2) is 0");
}

TEST(MatrixChecks, TheWorstOfManyPairsIsNamed) {
  test::GridLaplacian grid;
  grid.points = {30, 30, 30};
  sparse::Triplets list = grid.entries();
  const auto spoil = [&](std::int32_t i, std::int32_t j, double by) {
    list.row.push_back(i);
    list.column.push_back(j);
    list.value.push_back(by);
  };
  spoil(20, 21, 1e-3);
  spoil(20001, 20000, -0.5);
  spoil(26000, 26001, 1e-6);
  EXPECT_EQ(refusal(check_symmetry, list),
            "the matrix is not symmetric: entry (20001, 20002) is -1, but (20002, 20001) is -1.5");
}

TEST(MatrixChecks, Definiteness) {
  EXPECT_EQ(refusal(check_definiteness, {2, 2, {0, 1}, {0, 1}, {1, 1}}), "");
  EXPECT_EQ(refusal(check_definiteness, {2, 2, {0, 1}, {0, 1}, {1, -2}}),
            "the matrix is not positive definite: the diagonal entry of row 2 is -2");
  EXPECT_EQ(refusal(check_definiteness, {2, 2, {0, 0, 1}, {0, 1, 0}, {1, 1, 1}}),
            "the matrix is not positive definite: the diagonal entry of row 2 is 0");
  EXPECT_EQ(refusal(check_definiteness, {2, 2, {0, 0, 1, 1}, {0, 1, 0, 1}, {1, -3, -3, 4}}),
            "the matrix is not positive definite: entry (1, 2) is -3, beside the diagonal entries 1 and 4");
  EXPECT_EQ(refusal(check_finite, {1, 1, {0, 0}, {0, 0}, {1.7e308, 1.7e308}}),
            "the entries of place (1, 1) add up to inf");
}

}  // namespace
}  // namespace setka::solve
