// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// How many iterations conjugate gradients with multigrid take on systems that are hard for it. Bounds are
// about 1.3 times what was measured (on a CPU, 2026-11-15), which stands beside them: a change that makes it
// worse shows here.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/fsai.hpp"
#include "setka/solve/linear_solver.hpp"
#include "solve/elastic_block.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace setka::solve {
namespace {

using test::sanitized;

class RobustnessOn : public test::OnDevice {
 protected:
  /// Systems of some ten thousand unknowns would take minutes under sanitizers and reach nothing that the
  /// small ones do not; and the number of threads does not change a bit.
  static bool too_slow() { return sanitized || std::string(GetParam()) == "cpu_one_thread"; }

  struct Outcomes {
    Outcome random;  // of a random load
    Outcome weight;
  };

  Outcomes solve(const test::ElasticSystem& made) const {
    Monitor monitor;
    const Amg amg(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor);
    const BlockCsrOperator a(made.system.matrix.to(device()));
    SolverOptions options;
    options.max_iterations = 500;
    const auto solved = [&](const std::vector<double>& load) {
      const exec::Array<double> b(device(), load);
      exec::Array<double> x(device(), a.rows());
      exec::fill(device(), x, 0.0);
      return Cg(options).solve(device(), a, amg, b, x, monitor);
    };
    return {solved(test::random_values<double>(a.rows(), 17)), solved(weight(made))};
  }

  /// The same force along z on every node: what bends plates most.
  static std::vector<double> weight(const test::ElasticSystem& made) {
    std::vector<double> load(static_cast<std::size_t>(made.space.size()), 0.0);
    for (const std::int32_t place : made.space.places())
      if (place % 3 == 2) load[static_cast<std::size_t>(place)] = 1;
    return load;
  }

  /// reachable: of the weight's residual. Where x is large and A stiff, rounding of x alone leaves more than
  /// 1e-8 of it.
  void check(const char* name, const test::ElasticSystem& made, int random_bound, int weight_bound,
             double reachable = 1e-8) const {
    const Outcomes outcomes = solve(made);
    EXPECT_EQ(outcomes.random.status, Status::converged) << name;
    EXPECT_LE(outcomes.random.residual, 1e-8) << name;
    EXPECT_LE(outcomes.random.iterations, random_bound) << name;
    EXPECT_EQ(outcomes.weight.status, Status::converged) << name;
    EXPECT_LE(outcomes.weight.residual, reachable) << name;
    EXPECT_LE(outcomes.weight.iterations, weight_bound) << name;
  }
};
SETKA_ON_ALL_DEVICES(RobustnessOn);

test::ElasticBlock cube(int n) {
  test::ElasticBlock block;
  block.cells = {n, n, n};
  return block;
}

test::ElasticBlock bar() {
  test::ElasticBlock block;
  block.cells = {16, 8, 8};
  block.size = {2, 1, 1};
  return block;
}

/// Held by nothing but springs at x = 0, whose stiffness is that part of the nodes' own.
test::ElasticSystem on_springs(test::ElasticBlock block, double part) {
  block.held = false;
  test::ElasticSystem made = test::assemble(block);
  sparse::BlockCsr<double>& matrix = made.system.matrix;
  const auto view = matrix.view();
  for (std::int32_t i = 0; i < matrix.rows(); ++i) {
    if (made.geometry.coordinates[3 * static_cast<std::size_t>(i)] > 1e-9) continue;
    const std::int64_t width = 3 * std::int64_t{view.offset[i + 1] - view.offset[i]};
    for (std::int32_t k = view.offset[i]; k < view.offset[i + 1]; ++k) {
      if (view.column[k] != i) continue;
      double* const block_of =
          matrix.value().data() + 9 * std::int64_t{view.offset[i]} + 3 * std::int64_t{k - view.offset[i]};
      for (std::int64_t r = 0; r < 3; ++r) block_of[r * width + r] *= 1 + part;
    }
  }
  return made;
}

TEST_P(RobustnessOn, iterations_do_not_grow_with_the_mesh) {
  // Measured: 10, 11, 10 with random loads and 10, 13, 12 under weight; block 64 of solve_bench: 11.
  const Outcomes coarse = solve(test::assemble(cube(8)));
  EXPECT_LE(coarse.random.iterations, 13);
  EXPECT_LE(coarse.weight.iterations, 13);
  for (const int n : {16, 32}) {
    if (n == 32 && too_slow()) break;
    const Outcomes fine = solve(test::assemble(cube(n)));
    EXPECT_EQ(fine.random.status, Status::converged) << n;
    EXPECT_EQ(fine.weight.status, Status::converged) << n;
    EXPECT_LE(fine.random.iterations, 1.5 * coarse.random.iterations) << n;
    EXPECT_LE(fine.weight.iterations, 1.5 * coarse.weight.iterations) << n;
  }
}

TEST_P(RobustnessOn, plate) {
  test::ElasticBlock plate;
  plate.cells = {24, 24, 3};
  plate.size = {1, 1, 0.02};
  check("1 x 1 x 0.02", test::assemble(plate), 32, 36);  // 24, 27
}

TEST_P(RobustnessOn, large_thin_plate) {
  if (too_slow()) GTEST_SKIP() << "takes long, and is the same on more threads";
  test::ElasticBlock plate;
  plate.cells = {60, 60, 4};
  plate.size = {10, 10, 0.1};
  // 69, 107. Under weight rounding leaves 2.7e-7.
  check("10 x 10 x 0.1", test::assemble(plate), 90, 140, 1e-6);
}

TEST_P(RobustnessOn, nearly_incompressible) {
  if (sanitized) GTEST_SKIP() << "takes minutes under sanitizers";
  test::ElasticBlock block = cube(12);
  block.poisson = 0.499;
  check("0.499", test::assemble(block), 155, 166);  // 119, 128
}

TEST_P(RobustnessOn, materials_far_apart) {
  if (sanitized) GTEST_SKIP() << "takes minutes under sanitizers";
  test::ElasticBlock layers = cube(16);
  layers.modulus = [](double, double, double z) { return static_cast<int>(4 * z) % 2 == 0 ? 2.1e7 : 2.1e11; };
  check("layers", test::assemble(layers), 47, 50);  // 36, 38
  const auto checkerboard = [](int fields) {
    return [fields](double x, double y, double z) {
      const auto field = [&](double at) { return static_cast<int>(fields * at); };
      return (field(x) + field(y) + field(z)) % 2 == 0 ? 2.1e7 : 2.1e11;
    };
  };
  test::ElasticBlock coarse = cube(16);
  coarse.modulus = checkerboard(4);
  check("fields of 4 elements", test::assemble(coarse), 26, 30);  // 20, 23
  test::ElasticBlock fine = cube(12);
  fine.modulus = checkerboard(12);
  check("fields of 1 element", test::assemble(fine), 17, 19);  // 13, 14
}

TEST_P(RobustnessOn, a_part_that_floats_behind_a_soft_support) {
  const auto behind_layer = [](double softness) {
    test::ElasticBlock block = bar();
    block.modulus = [softness](double x, double, double) { return 2.1e11 * (x < 0.125 ? softness : 1.0); };
    return test::assemble(block);
  };
  check("layer 1e-4", behind_layer(1e-4), 13, 16);         // 10, 12
  check("springs 1e-4", on_springs(bar(), 1e-4), 13, 16);  // 10, 12
}

/// Softer by another hundred, what holds the part is lost in the single precision of the hierarchy: from 24
/// iterations to hundreds, as the compiler rounds. A run turns to a factorisation then, so that there is an
/// answer whatever the rounding.
TEST_P(RobustnessOn, a_run_answers_where_the_support_is_too_soft_for_multigrid) {
  if (!Cholesky::available()) GTEST_SKIP() << "without CHOLMOD there is nothing to turn to";
  if (sanitized) GTEST_SKIP() << "takes minutes under sanitizers";
  test::ElasticBlock soft_layer = bar();
  soft_layer.modulus = [](double x, double, double) { return x < 0.125 ? 2.1e5 : 2.1e11; };
  const test::ElasticSystem on_layer = test::assemble(soft_layer);
  const test::ElasticSystem hung = on_springs(bar(), 1e-6);
  for (const test::ElasticSystem* body : {&on_layer, &hung}) {
    const test::ElasticSystem& made = *body;
    LinearSystem system;
    system.matrix = &made.system.matrix;
    system.geometry = [&] { return made.geometry; };
    system.place = made.space.places();
    SolverChoice choice;
    choice.preconditioner = "amg";
    system.unknown_count = made.space.unknown_count();
    Monitor monitor;
    const SolveReport report = solve::solve(device(), system, weight(made), choice, monitor).report;
    EXPECT_TRUE(report.converged) << report.method << ": " << report.trouble;
    EXPECT_LE(report.residual, 1e-6) << report.method;
  }
}

TEST_P(RobustnessOn, every_preconditioner_finds_a_given_answer) {
  test::ElasticBlock block;
  block.cells = {9, 7, 5};
  block.size = {2, 1.5, 1};
  block.modulus = [](double x, double y, double z) { return 2.1e11 * (1 + x + 2 * y * z); };
  const test::ElasticSystem made = test::assemble(block);
  const BlockCsrOperator a(made.system.matrix.to(device()));
  // u = (xy, sin y, x z^2), which is zero at x = 0 but for the second.
  std::vector<double> known(static_cast<std::size_t>(a.rows()));
  for (std::size_t i = 0; i < known.size() / 3; ++i) {
    const double* const at = &made.geometry.coordinates[3 * i];
    known[3 * i] = at[0] * at[1];
    known[3 * i + 1] = std::sin(at[1]);
    known[3 * i + 2] = at[0] * at[2] * at[2];
  }
  const exec::Array<double> truth(device(), known);
  exec::Array<double> b(device(), a.rows());
  a.apply(device(), truth, b);
  Monitor monitor;
  const BlockJacobi jacobi(device(), 1, inverse_diagonal(made.system.matrix));
  const BlockJacobi block_jacobi(device(), 3, inverse_diagonal_blocks(made.system.matrix));
  const Fsai fsai(device(), made.system.matrix, {});
  const Amg amg(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor);
  for (const Operator* preconditioner :
       {static_cast<const Operator*>(&jacobi), static_cast<const Operator*>(&block_jacobi),
        static_cast<const Operator*>(&fsai), static_cast<const Operator*>(&amg)}) {
    exec::Array<double> x(device(), a.rows());
    exec::fill(device(), x, 0.0);
    const Outcome outcome = Cg({1e-12, 2000, 1000}).solve(device(), a, *preconditioner, b, x, monitor);
    EXPECT_EQ(outcome.status, Status::converged);
    const std::vector<double> answer = x.to_vector();
    for (std::size_t i = 0; i < known.size(); ++i) ASSERT_NEAR(answer[i], known[i], 1e-8);
  }
}

}  // namespace
}  // namespace setka::solve
