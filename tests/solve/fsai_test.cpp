// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/fsai.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/sparse/spgemm.hpp"
#include "solve/elastic_block.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::solve {
namespace {

class FsaiOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(FsaiOn);

/// A full positive definite matrix F F' + I of blocks n x n, with zero rows and columns at some places.
sparse::BlockCsr<double> full_matrix(std::int32_t blocks, int n, const std::vector<std::int64_t>& no_unknowns,
                                     unsigned seed) {
  const std::int64_t size = std::int64_t{blocks} * n;
  const std::vector<double> f = test::random_values<double>(size * size, seed);
  std::vector<double> value;  // all blocks present: row by row
  for (std::int64_t i = 0; i < size; ++i) {
    for (std::int64_t j = 0; j < size; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::int64_t k = 0; k < size; ++k)
        sum += f[static_cast<std::size_t>(i * size + k)] * f[static_cast<std::size_t>(j * size + k)];
      for (const std::int64_t place : no_unknowns) sum = i == place || j == place ? 0.0 : sum;
      value.push_back(sum);
    }
  }
  std::vector<std::int32_t> offset;
  std::vector<std::int32_t> column;
  for (std::int32_t i = 0; i < blocks; ++i) {
    offset.push_back(i * blocks);
    for (std::int32_t j = 0; j < blocks; ++j) column.push_back(j);
  }
  offset.push_back(blocks * blocks);
  const exec::Device cpu = exec::Device::cpu();
  return {blocks,
          blocks,
          n,
          n,
          exec::Array<std::int32_t>(cpu, offset),
          exec::Array<std::int32_t>(cpu, column),
          exec::Array<double>(cpu, value)};
}

TEST_P(FsaiOn, is_the_inverse_when_the_pattern_is_full) {
  for (const int n : {1, 2, 3, 6}) {
    for (const bool single : {false, true}) {
      const std::int32_t blocks = 5;
      const std::vector<std::int64_t> no_unknowns =
          n == 1 ? std::vector<std::int64_t>{2}
                 : std::vector<std::int64_t>{0, n + 1, std::int64_t{blocks} * n - 1};
      const sparse::BlockCsr<double> matrix = full_matrix(blocks, n, no_unknowns, 3);
      const BlockCsrOperator a(matrix.to(device()));
      const Fsai fsai(device(), matrix, {0.0, single});
      if (n > 1) {  // no block is all zeros
        EXPECT_EQ(fsai.blocks(), blocks * (blocks + 1) / 2);
      }
      std::vector<double> x = test::random_values<double>(a.rows(), 4);
      for (const std::int64_t place : no_unknowns) x[static_cast<std::size_t>(place)] = 0;
      exec::Array<double> given(device(), x);
      exec::Array<double> ax(device(), a.rows());
      exec::Array<double> back(device(), a.rows());
      a.apply(device(), given, ax);
      std::vector<double> with_noise = ax.to_vector();
      for (const std::int64_t place : no_unknowns)
        with_noise[static_cast<std::size_t>(place)] = 7;  // ignored
      fsai.apply(device(), exec::Array<double>(device(), with_noise), back);
      // The matrix' condition is below 1e4.
      const double rounding = single ? test::rounding<float>(1e4, 1) : test::rounding<double>(1e5, 1);
      EXPECT_TRUE(test::all_near(back.to_vector(), x, rounding)) << n << (single ? " single" : " double");
    }
  }
}

TEST(Fsai, an_unknown_whose_pivot_is_lost_keeps_its_diagonal) {
  // Two equal rows: the second pivot is zero to rounding.
  const exec::Device cpu = exec::Device::cpu();
  const sparse::BlockCsr<double> matrix(2, 2, 1, 1,
                                        exec::Array<std::int32_t>(cpu, std::vector<std::int32_t>{0, 2, 4}),
                                        exec::Array<std::int32_t>(cpu, std::vector<std::int32_t>{0, 1, 0, 1}),
                                        exec::Array<double>(cpu, std::vector<double>{4, 4, 4, 4}));
  EXPECT_EQ(approximate_inverse_factor(matrix, 0).value().to_vector(), (std::vector<double>{0.5, 0, 0.5}));
}

TEST(Fsai, fulfils_its_definition_on_its_pattern) {
  test::ElasticBlock block;
  block.cells = {5, 4, 3};
  const test::ElasticSystem made = test::assemble(block);
  for (const double drop : {0.0, 0.05, 0.1}) {
    const sparse::BlockCsr<double> g = approximate_inverse_factor(made.system.matrix, drop);
    const sparse::BlockCsr<double> ga = sparse::multiply(g, made.system.matrix);
    const sparse::BlockCsr<double> gagt = sparse::multiply(ga, sparse::transpose(g));
    const auto entry = [](const sparse::BlockCsr<double>& m, std::int32_t i, std::int32_t j, int r, int c) {
      const auto a = m.view();
      for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
        if (a.column[k] != j) continue;
        return a.value[std::int64_t{a.offset[i]} * 9 + std::int64_t{a.offset[i + 1] - a.offset[i]} * 3 * r +
                       std::int64_t{k - a.offset[i]} * 3 + c];
      }
      return 0.0;
    };
    double largest = 0;
    for (const double value : ga.value().to_vector()) largest = std::max(largest, std::abs(value));
    const auto pattern = g.view();
    for (std::int32_t i = 0; i < g.rows(); ++i) {
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          ASSERT_NEAR(entry(gagt, i, i, r, c), r == c ? 1.0 : 0.0, 1e-12);
          for (std::int32_t k = pattern.offset[i]; k + 1 < pattern.offset[i + 1]; ++k)
            ASSERT_NEAR(entry(ga, i, pattern.column[k], r, c), 0, 1e-12 * largest);
        }
      }
    }
  }
}

TEST(Fsai, the_same_bits_for_every_number_of_threads) {
  test::ElasticBlock block;
  block.cells = {6, 5, 7};
  const test::ElasticSystem made = test::assemble(block);
  std::vector<double> first;
  for (const int threads : {1, 2, 5}) {
    const sparse::BlockCsr<double> matrix = made.system.matrix.to(exec::Device::cpu(threads));
    const std::vector<double> values = approximate_inverse_factor(matrix, 0.05).value().to_vector();
    if (threads == 1) first = values;
    EXPECT_EQ(values, first) << threads;
  }
}

/// Also rows of every size class, and wider ones than a multiprocessor's own memory holds.
TEST_P(FsaiOn, the_factor_is_that_of_the_host) {
  const auto compare = [&](const sparse::BlockCsr<double>& matrix, double drop, double tolerance) {
    const sparse::BlockCsr<double> expected = approximate_inverse_factor(matrix, drop);
    const sparse::BlockCsr<double> found = approximate_inverse_factor(matrix.to(device()), drop);
    EXPECT_EQ(found.device(), device());
    EXPECT_EQ(found.offset().to_vector(), expected.offset().to_vector());
    EXPECT_EQ(found.column().to_vector(), expected.column().to_vector());
    EXPECT_TRUE(test::all_near(found.value().to_vector(), expected.value().to_vector(), tolerance))
        << matrix.rows() << " rows of " << matrix.height();
  };
  for (const int n : {1, 2, 3, 6}) {
    // The matrix' condition is below 1e4.
    for (const std::int32_t size : {6, 42, 48, 54, 96, 150, 198, 210, 252})
      compare(full_matrix(size / n, n, {1}, 5), 0.0, test::rounding<double>(1e5, 1));
  }
  // A row that is coupled with all others, wider than the GPU takes.
  constexpr std::int32_t wide = 1300;
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  for (std::int32_t i = 0; i < wide; ++i) {
    for (std::int32_t j = 0; j < wide; ++j) {
      if (i != j && i != wide - 1 && j != wide - 1) continue;
      column.push_back(j);
      value.push_back(i == j ? 4 : 0.05);
    }
    offset.push_back(static_cast<std::int32_t>(column.size()));
  }
  const exec::Device cpu = exec::Device::cpu();
  compare({wide, wide, 1, 1, exec::Array<std::int32_t>(cpu, offset), exec::Array<std::int32_t>(cpu, column),
           exec::Array<double>(cpu, value)},
          0.0, test::rounding<double>(10, 1));
  test::ElasticBlock block;
  block.cells = {5, 4, 3};
  const test::ElasticSystem made = test::assemble(block);
  double largest = 0;
  for (const double entry : approximate_inverse_factor(made.system.matrix, 0).value().to_vector())
    largest = std::max(largest, std::abs(entry));
  for (const double drop : {0.0, 0.05, 10.0})
    compare(made.system.matrix, drop, test::rounding<double>(1e5, largest));
}

TEST(Fsai, leaves_weak_blocks_out) {
  test::ElasticBlock block;
  block.cells = {6, 6, 6};
  const test::ElasticSystem made = test::assemble(block);
  const std::int64_t all = approximate_inverse_factor(made.system.matrix, 0).blocks();
  EXPECT_EQ(all, (made.system.matrix.blocks() + made.system.matrix.rows()) / 2);
  EXPECT_LT(approximate_inverse_factor(made.system.matrix, 0.1).blocks(), all);
  EXPECT_EQ(approximate_inverse_factor(made.system.matrix, 10).blocks(), made.system.matrix.rows());
}

TEST_P(FsaiOn, is_symmetric_and_positive) {
  test::ElasticBlock block;
  block.cells = {7, 6, 5};
  const test::ElasticSystem made = test::assemble(block);
  const Fsai fsai(device(), made.system.matrix, {});
  const exec::Array<double> x(device(), test::random_values<double>(fsai.rows(), 1));
  const exec::Array<double> y(device(), test::random_values<double>(fsai.rows(), 2));
  exec::Array<double> mx(device(), fsai.rows());
  exec::Array<double> my(device(), fsai.rows());
  fsai.apply(device(), x, mx);
  fsai.apply(device(), y, my);
  const double size = exec::norm(device(), x) * exec::norm(device(), my);
  EXPECT_NEAR(exec::dot(device(), mx, y), exec::dot(device(), x, my), test::rounding<float>(100, size));
  EXPECT_GT(exec::dot(device(), x, mx), 0);
}

TEST_P(FsaiOn, takes_fewer_iterations_than_the_block_diagonal) {
  test::ElasticBlock block;
  block.cells = {12, 8, 8};
  const test::ElasticSystem made = test::assemble(block);
  Monitor monitor;
  const BlockCsrOperator a(made.system.matrix.to(device()));
  const BlockJacobi jacobi(device(), 3, inverse_diagonal_blocks(made.system.matrix));
  const exec::Array<double> b(device(), test::random_values<double>(a.rows(), 10));
  const auto iterations = [&](const Operator& preconditioner) {
    exec::Array<double> x(device(), a.rows());
    exec::fill(device(), x, 0.0);
    const Outcome outcome = Cg().solve(device(), a, preconditioner, b, x, monitor);
    EXPECT_EQ(outcome.status, Status::converged);
    EXPECT_LE(outcome.residual, 1e-8);
    return outcome.iterations;
  };
  const int diagonal = iterations(jacobi);
  for (const bool single : {false, true}) {
    EXPECT_LT(iterations(Fsai(device(), made.system.matrix, {0.05, single})), 0.75 * diagonal);
  }
}

TEST_P(FsaiOn, columns_of_a_block_like_single_vectors) {
  test::ElasticBlock block;
  block.cells = {4, 3, 3};
  const test::ElasticSystem made = test::assemble(block);
  for (const bool single : {false, true}) {
    const Fsai fsai(device(), made.system.matrix, {0.05, single});
    for (const std::int64_t columns : {1, 3, 8}) {
      const std::int64_t stride = columns + 1;  // a view of leading columns
      const auto values = test::random_values<double>(fsai.rows() * stride, 3);
      const exec::MultiVector<double> x(device(), fsai.rows(), stride, values);
      exec::MultiVector<double> y(device(), fsai.rows(), stride);
      fsai.apply(device(), x.view().leading_columns(columns), y.view().leading_columns(columns));
      const std::vector<double> together = y.values().to_vector();
      for (std::int64_t j = 0; j < columns; ++j) {
        std::vector<double> column;
        std::vector<double> computed;
        for (std::int64_t i = 0; i < fsai.rows(); ++i) {
          column.push_back(values[static_cast<std::size_t>(i * stride + j)]);
          computed.push_back(together[static_cast<std::size_t>(i * stride + j)]);
        }
        exec::Array<double> answer(device(), fsai.rows());
        fsai.apply(device(), exec::Array<double>(device(), column), answer);
        const double size = exec::largest(device(), answer);
        EXPECT_TRUE(
            test::all_near(computed, answer.to_vector(),
                           single ? test::rounding<float>(50, size) : test::rounding<double>(50, size)));
      }
    }
  }
}

TEST(Fsai, says_what_is_wrong) {
  const sparse::BlockCsr<double> matrix = full_matrix(3, 1, {}, 5);
  const exec::Device cpu = exec::Device::cpu();
  EXPECT_THAT([&] { Fsai(cpu, matrix, {-1.0}); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("not negative")));
  const Fsai fsai(cpu, matrix, {});
  const exec::Array<double> x(cpu, 2);
  exec::Array<double> y(cpu, 3);
  EXPECT_THAT([&] { fsai.apply(cpu, x, y); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("Fsai: of 3 rows, but x is [2 x 1]")));
}

}  // namespace
}  // namespace setka::solve
