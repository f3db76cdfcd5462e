// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/block_cg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/fsai.hpp"
#include "solve/elastic_block.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::solve {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

class BlockCgOn : public test::OnDevice {
 protected:
  void SetUp() override {
    test::OnDevice::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    test::ElasticBlock block;
    block.cells = {8, 6, 5};
    made_ = std::make_unique<test::ElasticSystem>(test::assemble(block));
    a_ = std::make_unique<BlockCsrOperator>(made_->system.matrix.to(device()));
    a_->prepare_for_columns();
    jacobi_ = std::make_unique<BlockJacobi>(device(), 3, inverse_diagonal_blocks(made_->system.matrix));
  }

  struct Solved {
    BlockOutcome outcome;
    std::vector<std::vector<double>> x;
  };

  /// Columns of b and of the start x (empty: zeros).
  Solved solve(const std::vector<std::vector<double>>& b, const Operator& preconditioner,
               const std::vector<std::vector<double>>& start = {}, const SolverOptions& options = {},
               const Operator* matrix = nullptr) const {
    const auto n = static_cast<std::int64_t>(b.front().size());
    const auto columns = static_cast<std::int64_t>(b.size());
    const auto by_rows = [&](const std::vector<std::vector<double>>& from) {
      std::vector<double> rows(static_cast<std::size_t>(n * columns), 0.0);
      for (std::size_t j = 0; j < from.size(); ++j) {
        for (std::size_t i = 0; i < from[j].size(); ++i) rows[i * b.size() + j] = from[j][i];
      }
      return rows;
    };
    const exec::MultiVector<double> right(device(), n, columns, by_rows(b));
    exec::MultiVector<double> x(device(), n, columns, by_rows(start));
    Monitor monitor;
    Solved solved;
    solved.outcome = BlockCg(options).solve(device(), matrix != nullptr ? *matrix : *a_, preconditioner,
                                            right.view(), x.view(), monitor);
    const std::vector<double> rows = x.values().to_vector();
    solved.x.assign(b.size(), std::vector<double>(static_cast<std::size_t>(n)));
    for (std::size_t k = 0; k < rows.size(); ++k) solved.x[k % b.size()][k / b.size()] = rows[k];
    return solved;
  }

  std::pair<Outcome, std::vector<double>> solve_alone(const std::vector<double>& b,
                                                      const Operator& preconditioner,
                                                      const SolverOptions& options = {}) const {
    const exec::Array<double> right(device(), b);
    exec::Array<double> x(device(), a_->rows());
    exec::fill(device(), x, 0.0);
    Monitor monitor;
    Outcome outcome = Cg(options).solve(device(), *a_, preconditioner, right, x, monitor);
    return {std::move(outcome), x.to_vector()};
  }

  std::vector<std::vector<double>> random_columns(std::size_t count, unsigned seed) const {
    std::vector<std::vector<double>> columns;
    for (std::size_t j = 0; j < count; ++j)
      columns.push_back(test::random_values<double>(a_->rows(), seed + static_cast<unsigned>(j)));
    return columns;
  }

  const test::ElasticSystem& made() const { return *made_; }
  const BlockCsrOperator& a() const { return *a_; }
  const BlockJacobi& jacobi() const { return *jacobi_; }

 private:
  std::unique_ptr<test::ElasticSystem> made_;
  std::unique_ptr<BlockCsrOperator> a_;
  std::unique_ptr<BlockJacobi> jacobi_;
};
SETKA_ON_ALL_DEVICES(BlockCgOn);

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

TEST_P(BlockCgOn, answers_like_cg_column_by_column_in_fewer_iterations) {
  Monitor monitor;
  const BlockJacobi point(device(), 1, inverse_diagonal(made().system.matrix));
  const Fsai fsai(device(), made().system.matrix, {});
  const Amg amg(device(), made().system.matrix, made().geometry, AmgOptions{}, monitor);
  const std::vector<std::vector<double>> b = random_columns(8, 20);
  SolverOptions options;
  options.tolerance = 1e-10;
  for (const auto& [name, preconditioner] : {std::pair<const char*, const Operator*>{"jacobi", &point},
                                             {"block-jacobi", &jacobi()},
                                             {"fsai", &fsai},
                                             {"amg", &amg}}) {
    const Solved together = solve(b, *preconditioner, {}, options);
    int most = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto [outcome, x] = solve_alone(b[j], *preconditioner, options);
      const ColumnOutcome& column = together.outcome.column[j];
      EXPECT_EQ(column.status, Status::converged) << name << " " << j;
      EXPECT_LE(column.residual, 1e-10) << name << " " << j;
      EXPECT_LE(column.iterations, together.outcome.iterations);
      EXPECT_TRUE(test::all_near(together.x[j], x, 1e-7 * largest_of(x))) << name << " " << j;
      most = std::max(most, outcome.iterations);
    }
    EXPECT_TRUE(together.outcome.converged());
    EXPECT_LT(together.outcome.iterations, most) << name;
    RecordProperty(std::string(name) + "_block", together.outcome.iterations);
    RecordProperty(std::string(name) + "_alone", most);
  }
}

TEST_P(BlockCgOn, takes_any_number_of_columns) {
  int previous = std::numeric_limits<int>::max();
  for (const std::size_t count : {1, 2, 3, 7, 8, 16, 33, 64}) {
    const Solved solved = solve(random_columns(count, 40), jacobi());
    EXPECT_TRUE(solved.outcome.converged()) << count;
    for (const ColumnOutcome& column : solved.outcome.column) EXPECT_LE(column.residual, 1e-8) << count;
    EXPECT_LE(solved.outcome.iterations, previous) << count;
    previous = solved.outcome.iterations;
  }
  EXPECT_THAT([&] { solve(random_columns(65, 1), jacobi()); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("65 right-hand sides; at most 64")));
}

TEST_P(BlockCgOn, one_column_is_cg) {
  const std::vector<std::vector<double>> b = random_columns(1, 3);
  const auto [alone, x] = solve_alone(b[0], jacobi());
  const Solved solved = solve(b, jacobi());
  EXPECT_NEAR(solved.outcome.iterations, alone.iterations, 2);
  EXPECT_TRUE(test::all_near(solved.x[0], x, 1e-6 * largest_of(x)));
}

TEST_P(BlockCgOn, right_hand_sides_may_depend_on_each_other) {
  std::vector<std::vector<double>> b = random_columns(3, 5);
  const Solved independent = solve(b, jacobi());
  b.push_back(b[0]);  // the same
  b.push_back(b[1]);  // a multiple, in other units
  for (double& value : b.back()) value *= -1e12;
  b.push_back(b[2]);  // a sum, and one that is nearly one
  for (std::size_t i = 0; i < b[2].size(); ++i) b.back()[i] += 0.3 * b[0][i] - 2 * b[1][i];
  b.push_back(b.back());
  for (std::size_t i = 0; i < b[2].size(); ++i) b.back()[i] *= 1 + 1e-9 * std::sin(static_cast<double>(i));
  Solved solved = solve(b, jacobi());
  EXPECT_TRUE(solved.outcome.converged());
  for (const ColumnOutcome& column : solved.outcome.column) EXPECT_LE(column.residual, 1e-8);
  EXPECT_TRUE(test::all_near(solved.x[3], solved.x[0], 1e-6 * largest_of(solved.x[0])));
  for (double& value : solved.x[4]) value *= -1e-12;
  EXPECT_TRUE(test::all_near(solved.x[4], solved.x[1], 1e-6 * largest_of(solved.x[1])));
  EXPECT_LE(solved.outcome.iterations, 1.2 * independent.outcome.iterations);
}

TEST_P(BlockCgOn, columns_with_nothing_to_do_take_no_part) {
  std::vector<std::vector<double>> b = random_columns(5, 7);
  const auto [alone, answer] = solve_alone(b[1], jacobi(), {1e-11, 10000, 1000});
  std::fill(b[0].begin(), b[0].end(), 0.0);
  b[3][17] = not_a_number;
  std::vector<std::vector<double>> start(5, std::vector<double>(b[0].size(), 0.0));
  std::fill(start[0].begin(), start[0].end(), 3.0);
  start[1] = answer;
  start[4][3] = not_a_number;
  const Solved solved = solve(b, jacobi(), start);
  const std::vector<ColumnOutcome>& column = solved.outcome.column;
  EXPECT_EQ(column[0].status, Status::converged);
  EXPECT_EQ(column[0].iterations, 0);
  EXPECT_EQ(solved.x[0], std::vector<double>(b[0].size(), 0.0));
  EXPECT_EQ(column[1].status, Status::converged);
  EXPECT_EQ(column[1].iterations, 0);
  EXPECT_EQ(solved.x[1], answer);
  EXPECT_EQ(column[2].status, Status::converged);
  EXPECT_LE(column[2].residual, 1e-8);
  EXPECT_EQ(column[3].status, Status::not_a_number);
  EXPECT_EQ(column[4].status, Status::not_a_number);
  EXPECT_FALSE(solved.outcome.converged());
}

TEST_P(BlockCgOn, begins_from_what_it_is_given) {
  const std::vector<std::vector<double>> b = random_columns(4, 9);
  const Solved rough = solve(b, jacobi(), {}, {1e-4, 10000, 1000});
  const Solved further = solve(b, jacobi(), rough.x);
  const Solved at_once = solve(b, jacobi());
  EXPECT_TRUE(further.outcome.converged());
  EXPECT_LT(further.outcome.iterations, at_once.outcome.iterations);
}

TEST_P(BlockCgOn, says_how_it_failed) {
  const std::vector<std::vector<double>> b = random_columns(4, 11);
  const Solved short_of_time = solve(b, jacobi(), {}, {1e-10, 5, 1000});
  EXPECT_EQ(short_of_time.outcome.iterations, 5);
  for (const ColumnOutcome& column : short_of_time.outcome.column) {
    EXPECT_EQ(column.status, Status::max_iterations);
    EXPECT_EQ(column.iterations, 5);
    EXPECT_GT(column.residual, 1e-10);
  }
  const auto with_entry = [&](double value) {  // in the middle of the matrix' values
    sparse::BlockCsr<double> other = made().system.matrix.to(exec::Device::cpu());
    const auto view = other.view();
    const std::int64_t i = other.rows() / 2;
    for (std::int32_t k = view.offset[i]; k < view.offset[i + 1]; ++k) {
      if (view.column[k] != i) continue;
      other.value().data()[std::int64_t{view.offset[i]} * 9 + std::int64_t{k - view.offset[i]} * 3] = value;
    }
    return std::make_unique<BlockCsrOperator>(other.to(device()));
  };
  const auto indefinite = with_entry(-1e12);
  for (const ColumnOutcome& column : solve(b, jacobi(), {}, {}, indefinite.get()).outcome.column)
    EXPECT_EQ(column.status, Status::not_positive_definite);
  const auto broken = with_entry(not_a_number);
  for (const ColumnOutcome& column : solve(b, jacobi(), {}, {}, broken.get()).outcome.column)
    EXPECT_EQ(column.status, Status::not_a_number);
  const BlockJacobi negative(
      device(), 1,
      exec::Array<double>(device(), std::vector<double>(static_cast<std::size_t>(a().rows()), -1.0)));
  for (const ColumnOutcome& column : solve(b, negative).outcome.column)
    EXPECT_EQ(column.status, Status::not_positive_definite);
}

TEST_P(BlockCgOn, never_calls_a_wrong_answer_converged) {
  // Held nowhere, with loads that do not balance: there is no answer.
  test::ElasticBlock block;
  block.cells = {5, 4, 4};
  block.held = false;
  const test::ElasticSystem free = test::assemble(block);
  const BlockCsrOperator matrix(free.system.matrix.to(device()));
  const BlockJacobi diagonal(device(), 3, inverse_diagonal_blocks(free.system.matrix));
  std::vector<std::vector<double>> b;
  for (unsigned j = 0; j < 3; ++j) b.push_back(test::random_values<double>(matrix.rows(), 60 + j));
  const Solved solved = solve(b, diagonal, {}, {1e-8, 2000, 200}, &matrix);
  for (const ColumnOutcome& column : solved.outcome.column) EXPECT_NE(column.status, Status::converged);

  const exec::Array<double> motion(device(), b[0]);
  exec::Array<double> forces(device(), matrix.rows());
  matrix.apply(device(), motion, forces);
  b.front() = forces.to_vector();
  const Solved partly = solve(b, diagonal, {}, {1e-8, 2000, 200}, &matrix);
  for (const std::size_t j : {1, 2}) EXPECT_NE(partly.outcome.column[j].status, Status::converged);
  b.resize(1);
  EXPECT_TRUE(solve(b, diagonal, {}, {1e-8, 2000, 200}, &matrix).outcome.converged());
}

TEST_P(BlockCgOn, the_same_bits_every_time) {
  const std::vector<std::vector<double>> b = random_columns(6, 13);
  const Solved first = solve(b, jacobi());
  for (int run = 0; run < 2; ++run) EXPECT_EQ(solve(b, jacobi()).x, first.x);
}

TEST_P(BlockCgOn, refuses_blocks_that_do_not_fit) {
  const exec::MultiVector<double> b(device(), 7, 2);
  exec::MultiVector<double> x(device(), a().rows(), 2);
  Monitor monitor;
  EXPECT_THAT([&] { BlockCg().solve(device(), a(), jacobi(), b.view(), x.view(), monitor); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("but B is [7 x 2]")));
}

TEST_P(BlockCgOn, refuses_what_the_device_does_not_reach) {
  if (!device().is_cuda()) GTEST_SKIP() << "the CPU reaches all memory that this test can have";
  std::vector<double> b(static_cast<std::size_t>(2 * a().rows()), 1.0);
  exec::Array<double> x(device(), std::vector<double>(b.size(), 0.0));
  Monitor monitor;
  EXPECT_THAT(
      [&] {
        BlockCg().solve(device(), a(), jacobi(), {b.data(), a().rows(), 2, 2}, {x.data(), a().rows(), 2, 2},
                        monitor);
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("BlockCg: b or x is not in memory that")));
}

}  // namespace
}  // namespace setka::solve
