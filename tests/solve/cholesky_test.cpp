// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cholesky.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace setka {
namespace {

/// Nodes in a square of n x n, each tied to those within a distance and to the ground, with `unknowns` at
/// each, all coupled to all of its neighbours.
sparse::SymmetricCsr net(std::int32_t n, std::int32_t unknowns) {
  sparse::SymmetricCsr a;
  a.rows = n * n * unknowns;
  for (std::int32_t row = 0; row < a.rows; ++row) {
    const std::int32_t node = row / unknowns;
    for (std::int32_t column = row; column < a.rows; ++column) {
      const std::int32_t other = column / unknowns;
      if (std::abs(node / n - other / n) > 1 || std::abs(node % n - other % n) > 1) continue;
      a.column.push_back(column);
      a.value.push_back(column == row ? 10.0 * unknowns : -1.0 / (1 + (row + column) % 5));
    }
    a.offset.push_back(static_cast<std::int64_t>(a.column.size()));
  }
  return a;
}

double residual(const sparse::SymmetricCsr& a, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> r = b;
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int64_t at = a.offset[static_cast<std::size_t>(i)];
         at < a.offset[static_cast<std::size_t>(i) + 1]; ++at) {
      const auto row = static_cast<std::size_t>(i);
      const auto column = static_cast<std::size_t>(a.column[static_cast<std::size_t>(at)]);
      const double value = a.value[static_cast<std::size_t>(at)];
      r[row] -= value * x[column];
      if (row != column) r[column] -= value * x[row];
    }
  }
  double largest = 0;
  for (const double left : r) largest = std::max(largest, std::abs(left));
  return largest;
}

TEST(Cholesky, UnknownsOfOneNodeAreOrderedTogether) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  double of_one = 0;  // entries with one unknown a node
  for (const std::int32_t unknowns : {1, 2, 3, 6}) {
    const sparse::SymmetricCsr a = net(20, unknowns);
    std::vector<double> b(static_cast<std::size_t>(a.rows));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i));
    std::vector<double> x(b.size());
    solve::Cholesky cholesky;
    for (int again = 0; again < 2; ++again) {  // the second analysis is that of the first
      ASSERT_EQ(cholesky.factorise(a), -1);
      cholesky.solve(b, x);
      EXPECT_LT(residual(a, x, b), 1e-13) << unknowns;
    }
    // A factor of nodes has as many entries for each pair of unknowns as that of single ones, or so.
    const auto entries = static_cast<double>(cholesky.factor_entries());
    if (unknowns == 1) of_one = entries;
    EXPECT_LT(entries, 1.5 * of_one * unknowns * unknowns) << unknowns;
  }
}

TEST(Cholesky, RowsThatAreNotPositiveAreNamedByTheirNumber) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  sparse::SymmetricCsr a = net(8, 3);
  a.value[static_cast<std::size_t>(a.offset[100])] = -5;
  solve::Cholesky cholesky;
  EXPECT_EQ(cholesky.factorise(a) / 3, 100 / 3);
}

}  // namespace
}  // namespace setka
