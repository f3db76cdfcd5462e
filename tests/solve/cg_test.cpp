// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cg.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "solve/elastic_block.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::solve {
namespace {

class CgOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(CgOn);

/// The matrix -1 2 -1 with another value in one place of the diagonal.
sparse::BlockCsr<double> chain(std::int32_t rows, double special = 2, std::int32_t at = 0) {
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t j = std::max(0, i - 1); j <= std::min(rows - 1, i + 1); ++j) {
      column.push_back(j);
      value.push_back(i != j ? -1.0 : i == at ? special : 2.0);
    }
    offset.push_back(static_cast<std::int32_t>(column.size()));
  }
  const exec::Device cpu = exec::Device::cpu();
  return {rows,
          rows,
          1,
          1,
          exec::Array<std::int32_t>(cpu, offset),
          exec::Array<std::int32_t>(cpu, column),
          exec::Array<double>(cpu, value)};
}

Outcome solve_chain(const exec::Device& device, const sparse::BlockCsr<double>& matrix,
                    const SolverOptions& options, const std::vector<double>& b, std::vector<double>& x) {
  Monitor monitor;
  const BlockCsrOperator a(matrix.to(device));
  const BlockJacobi jacobi(device, 1, inverse_diagonal(matrix));
  const exec::Array<double> right(device, b);
  exec::Array<double> answer(device, x);
  Outcome outcome = Cg(options).solve(device, a, jacobi, right, answer, monitor);
  x = answer.to_vector();
  return outcome;
}

TEST_P(CgOn, solves_a_chain_in_as_many_steps_as_it_has_links) {
  // -u'' = 1 with u = 0 at both ends has the discrete solution i (n + 1 - i) / 2, which CG finds exactly.
  const std::int32_t n = 40;
  std::vector<double> x(n, 0.0);
  const Outcome outcome =
      solve_chain(device(), chain(n), {1e-12, 1000, 1000}, std::vector<double>(n, 1.0), x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_LE(outcome.iterations, n);
  EXPECT_EQ(outcome.history.size(), static_cast<std::size_t>(outcome.iterations) + 1);
  EXPECT_DOUBLE_EQ(outcome.history.front(), 1.0);
  for (std::int32_t i = 1; i <= n; ++i)
    EXPECT_NEAR(x[static_cast<std::size_t>(i - 1)], i * (n + 1 - i) / 2.0, 1e-8);
}

TEST_P(CgOn, serves_many_systems_with_the_same_bits) {
  Monitor monitor;
  Cg reused({1e-10, 20, 500});  // its vectors and its history grow and change as it is asked
  for (const std::int32_t n : {300, 300, 77, 400}) {
    const BlockCsrOperator a(chain(n, 5, 7).to(device()));
    const BlockJacobi jacobi(device(), 1, inverse_diagonal(a.matrix()));
    for (const int ahead : {1, 3, 7, 100}) {
      SolverOptions options{1e-10, 500, 500};
      options.ahead = ahead;
      reused.options() = options;
      const exec::Array<double> b(device(), std::vector<double>(static_cast<std::size_t>(n), 1.0 + ahead));
      exec::Array<double> own(device(), std::vector<double>(static_cast<std::size_t>(n), 0.0));
      exec::Array<double> shared(device(), std::vector<double>(static_cast<std::size_t>(n), 0.0));
      const Outcome expected = Cg(options).solve(device(), a, jacobi, b, own, monitor);
      const Outcome outcome = reused.solve(device(), a, jacobi, b, shared, monitor);
      EXPECT_EQ(outcome.status, Status::converged);
      EXPECT_EQ(outcome.iterations, expected.iterations);
      EXPECT_EQ(outcome.history, expected.history);
      EXPECT_EQ(shared.to_vector(), own.to_vector());
    }
  }
}

TEST_P(CgOn, refuses_vectors_that_do_not_fit) {
  Monitor monitor;
  const BlockCsrOperator a(chain(10).to(device()));
  const BlockJacobi jacobi(device(), 1, inverse_diagonal(a.matrix()));
  const exec::Array<double> b(device(), 9);
  exec::Array<double> x(device(), 10);
  EXPECT_THAT([&] { Cg().solve(device(), a, jacobi, b, x, monitor); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(
                  "Cg: the operator is [10 x 10] and the preconditioner [10 x 10], but b has 9 entries")));
}

TEST_P(CgOn, asks_no_more_than_a_part_of_the_given_norm) {
  const std::int32_t n = 40;
  SolverOptions options{1e-6, 1000, 1000};
  options.min_rhs_norm = 1e4 * std::sqrt(n);
  std::vector<double> x(n, 0.0);
  const Outcome outcome = solve_chain(device(), chain(n), options, std::vector<double>(n, 1.0), x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_LE(outcome.residual, 1e-6);
  EXPECT_DOUBLE_EQ(outcome.history.front(), 1e-4) << "relative to the given norm";
  options.min_rhs_norm = 1e7 * std::sqrt(n);
  std::vector<double> untouched(n, 0.0);
  EXPECT_EQ(solve_chain(device(), chain(n), options, std::vector<double>(n, 1.0), untouched).iterations, 0);
}

TEST_P(CgOn, begins_from_a_given_vector) {
  const std::int32_t n = 40;
  std::vector<double> x(n);
  for (std::int32_t i = 1; i <= n; ++i) x[static_cast<std::size_t>(i - 1)] = i * (n + 1 - i) / 2.0;
  const Outcome outcome =
      solve_chain(device(), chain(n), {1e-10, 1000, 1000}, std::vector<double>(n, 1.0), x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.iterations, 0);
}

TEST_P(CgOn, no_load_no_answer) {
  std::vector<double> x(10, 3.0);
  const Outcome outcome = solve_chain(device(), chain(10), {}, std::vector<double>(10, 0.0), x);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(x, std::vector<double>(10, 0.0));
}

TEST_P(CgOn, says_how_it_failed) {
  const std::int32_t n = 400;
  const std::vector<double> b = test::random_values<double>(n, 9);
  std::vector<double> x(n, 0.0);
  Outcome outcome = solve_chain(device(), chain(n), {1e-12, 20, 1000}, b, x);
  EXPECT_EQ(outcome.status, Status::max_iterations);
  EXPECT_EQ(outcome.iterations, 20);
  EXPECT_GT(outcome.residual, 1e-12);

  x.assign(n, 0.0);
  outcome = solve_chain(device(), chain(n, -2, 7), {1e-12, 1000, 1000}, b, x);
  EXPECT_EQ(outcome.status, Status::not_positive_definite);

  std::vector<double> bad = b;
  bad[3] = std::numeric_limits<double>::quiet_NaN();
  x.assign(n, 0.0);
  outcome = solve_chain(device(), chain(n), {1e-12, 1000, 1000}, bad, x);
  EXPECT_EQ(outcome.status, Status::not_a_number);

  x.assign(n, 0.0);
  outcome =
      solve_chain(device(), chain(n, std::numeric_limits<double>::quiet_NaN(), 5), {1e-12, 1000, 1000}, b, x);
  EXPECT_EQ(outcome.status, Status::not_a_number);
}

TEST_P(CgOn, never_calls_a_wrong_answer_converged) {
  // Free at both ends, with forces that do not balance: there is no answer.
  const std::int32_t n = 50;
  sparse::BlockCsr<double> free = chain(n, 1, 0);
  free.value().data()[free.value().size() - 1] = 1;
  std::vector<double> x(n, 0.0);
  const Outcome outcome = solve_chain(device(), free, {1e-10, 2000, 200}, std::vector<double>(n, 1.0), x);
  EXPECT_NE(outcome.status, Status::converged);
}

TEST_P(CgOn, blocks_of_the_diagonal_do_better_than_the_diagonal) {
  test::ElasticBlock block;
  block.cells = {8, 4, 4};
  const test::ElasticSystem made = test::assemble(block);
  Monitor monitor;
  const BlockCsrOperator a(made.system.matrix.to(device()));
  const BlockJacobi point(device(), 1, inverse_diagonal(made.system.matrix));
  const BlockJacobi blocks(device(), 3, inverse_diagonal_blocks(made.system.matrix));
  const exec::Array<double> b(device(), test::random_values<double>(a.rows(), 10));
  const auto iterations = [&](const Operator& preconditioner) {
    exec::Array<double> x(device(), a.rows());
    exec::fill(device(), x, 0.0);
    const Outcome outcome = Cg().solve(device(), a, preconditioner, b, x, monitor);
    EXPECT_EQ(outcome.status, Status::converged);
    EXPECT_LE(outcome.residual, 1e-8);
    return outcome.iterations;
  };
  EXPECT_LE(iterations(blocks), iterations(point));
}

TEST_P(CgOn, the_same_bits_every_time) {
  test::ElasticBlock block;
  block.cells = {8, 8, 8};
  const test::ElasticSystem made = test::assemble(block);
  Monitor monitor;
  const BlockCsrOperator a(made.system.matrix.to(device()));
  const BlockJacobi blocks(device(), 3, inverse_diagonal_blocks(made.system.matrix));
  const exec::Array<double> b(device(), test::random_values<double>(a.rows(), 11));
  std::vector<double> first;
  for (int run = 0; run < 3; ++run) {
    exec::Array<double> x(device(), a.rows());
    exec::fill(device(), x, 0.0);
    Cg().solve(device(), a, blocks, b, x, monitor);
    if (run == 0) first = x.to_vector();
    EXPECT_EQ(x.to_vector(), first);
  }
}

}  // namespace
}  // namespace setka::solve
