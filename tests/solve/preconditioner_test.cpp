// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/preconditioner.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/matrix_system.hpp"
#include "solve/elastic_block.hpp"
#include "solve/grid_systems.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::solve {
namespace {

class PreconditionersOn : public test::OnDevice {
 protected:
  std::vector<double> applied(const Operator& m, const std::vector<double>& x) const {
    const exec::Array<double> from(device(), x);
    exec::Array<double> to(device(), m.rows());
    m.apply(device(), from, to);
    return to.to_vector();
  }
};
SETKA_ON_ALL_DEVICES(PreconditionersOn);

TEST(Preconditioners, AreFoundByTheirWords) {
  EXPECT_THAT(preconditioner_words(), testing::StartsWith("auto, jacobi, block-jacobi, "));
  EXPECT_THAT(preconditioner_words_from_diagonal(), testing::StartsWith("jacobi, block-jacobi"));
  for (const PreconditionerKind& one : preconditioners())
    EXPECT_EQ(&preconditioner_of(one.word), &one) << one.word;
  EXPECT_EQ(preconditioner_of("auto").word, "amg");
  EXPECT_EQ(preconditioner_of("auto", MatrixKind::symmetric).word, "jacobi");
  EXPECT_EQ(preconditioner_of("auto", MatrixKind::general).word, "jacobi");
  const auto refused = [](const char* word, MatrixKind kind, const std::string& text) {
    EXPECT_THAT([&] { preconditioner_of(word, kind); },
                testing::ThrowsMessage<Error>(testing::HasSubstr(text)));
  };
  refused("ilu", MatrixKind::positive_definite, "'ilu' is no preconditioner; give " + preconditioner_words());
  refused("fsai", MatrixKind::symmetric,
          "the preconditioner fsai is for positive definite matrices; give auto or jacobi");
}

TEST_P(PreconditionersOn, every_one_of_the_list_serves_conjugate_gradients) {
  const sparse::BlockCsr<double> a = test::convection_diffusion(40, 30, 0).matrix(device());
  const std::vector<double> b = test::random_values<double>(a.scalar_rows(), 1);
  for (const PreconditionerKind& one : preconditioners()) {
    LinearSystem system;
    system.unknown_count = a.rows();
    system.matrix = &a;
    system.geometry = [&] { return geometry_of(a.to(exec::Device::cpu(1)), {}); };
    SolverChoice choice;
    choice.method = Method::cg;
    choice.preconditioner = one.word;
    Monitor monitor;
    const SolveReport report = solve(device(), system, b, choice, monitor).report;
    EXPECT_TRUE(report.converged) << one.word;
    EXPECT_EQ(report.method, "CG with " + std::string(one.title));
    EXPECT_EQ(report.unknowns, a.rows());
    EXPECT_EQ(report.matrix_entries, a.value().size());
  }
}

TEST(Preconditioners, PatienceGrowsWithTheMatrix) {
  EXPECT_EQ(preconditioner_of("amg").stagnation_window(1000000), 100);
  for (const char* word : {"jacobi", "block-jacobi", "fsai"}) {
    EXPECT_EQ(preconditioner_of(word).stagnation_window(100), 1000) << word;
    EXPECT_EQ(preconditioner_of(word).stagnation_window(10000), 3500) << word;
  }
}

TEST_P(PreconditionersOn, a_slender_cantilever_is_a_plateau_and_no_end) {
  test::ElasticBlock block;
  block.element = fem::Element::tet10;
  block.cells = {40, 2, 2};
  block.size = {2.5, 0.08, 0.12};
  const test::ElasticSystem made = test::assemble(block);
  const sparse::BlockCsr<double> a = made.system.matrix.to(device());
  std::vector<double> b(static_cast<std::size_t>(a.scalar_rows()), 0.0);
  for (std::size_t node = 0; 3 * node < b.size(); ++node)
    if (made.geometry.coordinates[3 * node] > 2.499) b[3 * node + 2] = 1;
  LinearSystem system;
  system.unknown_count = static_cast<std::int32_t>(a.scalar_rows());
  system.matrix = &a;
  SolverChoice choice;
  choice.method = Method::cg;
  choice.preconditioner = "block-jacobi";
  Monitor monitor;
  const SolveReport report = solve(device(), system, b, choice, monitor).report;
  EXPECT_TRUE(report.converged) << report.trouble << " after " << report.iterations;
  EXPECT_GT(report.iterations, 2000);
}

TEST_P(PreconditionersOn, those_of_diagonals_need_no_matrix) {
  for (const int block : {1, 3}) {
    // Blocks 4 -1 0; -1 4 -1; 0 -1 4 one after the other, whose inverse is known.
    std::vector<double> blocks;
    for (int i = 0; i < 50; ++i) {
      const std::vector<double> one =
          block == 1 ? std::vector<double>{4} : std::vector<double>{4, -1, 0, -1, 4, -1, 0, -1, 4};
      blocks.insert(blocks.end(), one.begin(), one.end());
    }
    PreconditionerInput input;
    input.diagonal_blocks = [&](int n) {
      EXPECT_EQ(n, block);
      return exec::Array<double>(device(), blocks);
    };
    Monitor monitor;
    const auto m = preconditioner_of(block == 1 ? "jacobi" : "block-jacobi").make(input, monitor);
    ASSERT_EQ(m->rows(), 50 * block);
    const std::vector<double> x = test::random_values<double>(50 * block, 2);
    const std::vector<double> z = applied(*m, x);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const std::size_t n = i % static_cast<std::size_t>(block);
      double back = 4 * z[i];
      if (n > 0) back -= z[i - 1];
      if (n + 1 < static_cast<std::size_t>(block)) back -= z[i + 1];
      EXPECT_NEAR(back, x[i], 1e-14) << i;
    }
  }
}

TEST_P(PreconditionersOn, scales_of_a_saddle_point_are_those_of_its_schur_complement) {
  // [-4 0 2; 0 0.5 1; 2 1 0]: the last is 2^2 / 4 + 1 / 0.5 = 3. The row of zeros is left as it is.
  test::Entries list(4, 4);
  list.add(0, 0, -4);
  list.add(1, 1, 0.5);
  list.add(0, 2, 2);
  list.add(1, 2, 1);
  list.add(2, 0, 2);
  list.add(2, 1, 1);
  list.add(2, 2, 1e-12);
  list.add(3, 3, 0);
  const sparse::BlockCsr<double> a = list.matrix(device());
  EXPECT_THAT(inverse_scales(a, false).to_vector(),
              testing::Pointwise(testing::DoubleEq(), std::vector<double>{0.25, 2, 1.0 / 3, 1}));
  EXPECT_THAT(inverse_scales(a, true).to_vector(),
              testing::Pointwise(testing::DoubleEq(), std::vector<double>{-0.25, 2, 1.0 / 3, 1}));
}

}  // namespace
}  // namespace setka::solve
