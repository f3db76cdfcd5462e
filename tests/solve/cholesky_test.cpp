// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
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
    // A factor of nodes has as many entries for each pair of unknowns as that of single ones, or so: where it
    // is kept as dense blocks, with the zeros in them.
    const auto entries = static_cast<double>(cholesky.factor_entries());
    if (unknowns == 1) of_one = entries;
    EXPECT_LT(entries, 1.6 * of_one * unknowns * unknowns) << unknowns;
  }
}

/// The first three unknowns of each node, then the others of each, as those of shells are numbered.
sparse::SymmetricCsr numbered_apart(const sparse::SymmetricCsr& a, std::int32_t unknowns) {
  const auto number = [&](std::int32_t row) {
    const std::int32_t own = row % unknowns;
    const std::int32_t node = row / unknowns;
    return own < 3 ? 3 * node + own : 3 * (a.rows / unknowns) + (unknowns - 3) * node + own - 3;
  };
  std::vector<std::map<std::int32_t, double>> rows(static_cast<std::size_t>(a.rows));
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int64_t at = a.offset[static_cast<std::size_t>(i)];
         at < a.offset[static_cast<std::size_t>(i) + 1]; ++at) {
      const auto [first, last] = std::minmax({number(i), number(a.column[static_cast<std::size_t>(at)])});
      rows[static_cast<std::size_t>(first)][last] = a.value[static_cast<std::size_t>(at)];
    }
  }
  sparse::SymmetricCsr made;
  made.rows = a.rows;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      made.column.push_back(column);
      made.value.push_back(value);
    }
    made.offset.push_back(static_cast<std::int64_t>(made.column.size()));
  }
  return made;
}

TEST(Cholesky, UnknownsOfOneNodeFindEachOtherWhereverTheyAre) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  const sparse::SymmetricCsr together = net(12, 6);
  const sparse::SymmetricCsr apart = numbered_apart(together, 6);
  solve::Cholesky of_together;
  solve::Cholesky of_apart;
  ASSERT_EQ(of_together.factorise(together), -1);
  ASSERT_EQ(of_apart.factorise(apart), -1);
  // Not to the last entry: runs of rows are found in another order.
  const auto entries = static_cast<double>(of_together.factor_entries());
  EXPECT_NEAR(static_cast<double>(of_apart.factor_entries()), entries, 0.02 * entries);
  const std::vector<double> b(static_cast<std::size_t>(apart.rows), 1.0);
  std::vector<double> x(b.size());
  of_apart.solve(b, x);
  EXPECT_LT(residual(apart, x, b), 1e-13);
}

TEST(Cholesky, ThreadsDoNotChangeABit) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  sparse::SymmetricCsr a = net(26, 6);  // large enough for fronts that threads share
  const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
  std::vector<double> by_all(b.size());
  solve::Cholesky cholesky;
  ASSERT_EQ(cholesky.factorise(a), -1);
  cholesky.solve(b, by_all);
  EXPECT_LT(residual(a, by_all, b), 1e-13);
  std::vector<std::vector<double>> alone(2, std::vector<double>(b.size()));
  solve::side_by_side(2, 2, [&](std::int64_t i) {  // one thread for each
    solve::Cholesky own;
    if (own.factorise(a) < 0) own.solve(b, alone[static_cast<std::size_t>(i)]);
  });
  EXPECT_EQ(alone[0], by_all);
  EXPECT_EQ(alone[1], by_all);
  for (const std::int32_t bad : {7, 300, a.rows - 1}) {
    sparse::SymmetricCsr broken = a;
    broken.value[static_cast<std::size_t>(a.offset[static_cast<std::size_t>(bad)])] = -500;
    EXPECT_EQ(cholesky.factorise(broken) / 6, bad / 6);
  }
}

double largest(const std::vector<double>& x) {
  return std::abs(*std::ranges::max_element(x, {}, [](double value) { return std::abs(value); }));
}

TEST(Cholesky, InSinglePrecisionToItsDigits) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  for (const double unit : {1.0, 1e60, 1e-60}) {  // single precision holds neither
    for (const std::int32_t n : {9, 26}) {        // fronts of one thread, fronts that threads share
      sparse::SymmetricCsr a = net(n, 6);
      for (double& value : a.value) value *= unit;
      std::vector<double> b(2 * static_cast<std::size_t>(a.rows));
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<double>(i * i)) / unit;
      std::vector<double> x(b.size());
      std::vector<double> exact(b.size());
      solve::Cholesky cholesky;
      ASSERT_EQ(cholesky.factorise(a), -1);
      EXPECT_FALSE(cholesky.rough());
      const double min = cholesky.min_pivot().share;
      cholesky.solve(b, exact, 2);
      ASSERT_EQ(cholesky.factorise_roughly(a, 0), -1);
      EXPECT_TRUE(cholesky.rough());
      EXPECT_NEAR(cholesky.min_pivot().share, min, 1e-5 * min);
      cholesky.solve(b, x, 2);
      std::vector<double> error = x;
      for (std::size_t i = 0; i < x.size(); ++i) error[i] -= exact[i];
      EXPECT_LT(largest(error), 1e-5 * largest(exact)) << n;
      EXPECT_GT(largest(error), 1e-10 * largest(exact)) << "that is no single precision";
      std::vector<std::vector<double>> alone(2, std::vector<double>(b.size()));
      solve::side_by_side(2, 2, [&](std::int64_t i) {
        solve::Cholesky own;
        if (own.factorise_roughly(a, 0) < 0) own.solve(b, alone[static_cast<std::size_t>(i)], 2);
      });
      EXPECT_EQ(alone[0], x);
      EXPECT_EQ(alone[1], x);
      ASSERT_EQ(cholesky.factorise(a), -1);  // of the rough one nothing is left
      cholesky.solve(b, x, 2);
      EXPECT_EQ(x, exact);
    }
  }
}

/// A chain of springs between grounds that are far less stiff than it: the last pivot is what they leave.
sparse::SymmetricCsr chain(std::int32_t rows, double ground) {
  sparse::SymmetricCsr a;
  a.rows = rows;
  for (std::int32_t row = 0; row < rows; ++row) {
    const bool last = row + 1 == rows;
    a.column.push_back(row);
    a.value.push_back((row == 0 || last ? 1 : 2) + ground / rows);
    if (!last) {
      a.column.push_back(row + 1);
      a.value.push_back(-1);
    }
    a.offset.push_back(static_cast<std::int64_t>(a.column.size()));
  }
  return a;
}

TEST(Cholesky, InSinglePrecisionOnlyWhereThatIsSafe) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  const sparse::SymmetricCsr stiff = net(26, 6);
  for (const double ground : {1.0, 1e-7, -1.0}) {
    const sparse::SymmetricCsr soft = chain(60, ground);
    sparse::SymmetricCsr a = stiff;
    a.rows += soft.rows;
    for (const std::int32_t column : soft.column) a.column.push_back(stiff.rows + column);
    a.value.insert(a.value.end(), soft.value.begin(), soft.value.end());
    for (std::size_t i = 1; i < soft.offset.size(); ++i)
      a.offset.push_back(stiff.offset.back() + soft.offset[i]);
    solve::Cholesky cholesky;
    const std::int32_t bad = cholesky.factorise_roughly(a, 0);
    EXPECT_EQ(cholesky.rough(), ground == 1.0) << ground;
    EXPECT_EQ(bad >= stiff.rows, ground < 0) << ground;
    if (bad >= 0) continue;
    const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
    std::vector<double> x(b.size());
    cholesky.solve(b, x);
    EXPECT_LT(residual(a, x, b), (ground == 1.0 ? 1e-6 : 1e-15) * largest(x)) << ground;
  }
  solve::Cholesky small;
  ASSERT_EQ(small.factorise_roughly(net(9, 6)), -1);
  EXPECT_FALSE(small.rough());  // not worth it
}

TEST(Cholesky, ColumnsAreSolvedWithAsOneIs) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  for (const std::int32_t n : {3, 12, 40}) {
    const sparse::SymmetricCsr a = net(n, 3);
    constexpr std::int64_t columns = 5;
    const auto rows = static_cast<std::size_t>(a.rows);
    std::vector<double> b(rows * columns);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<double>(i * i));
    std::vector<double> x(b.size());
    solve::Cholesky cholesky;
    ASSERT_EQ(cholesky.factorise(a), -1);
    cholesky.solve(b, x, columns);
    for (std::size_t j = 0; j < columns; ++j) {
      const auto first = static_cast<std::ptrdiff_t>(j * rows);
      const auto last = static_cast<std::ptrdiff_t>((j + 1) * rows);
      EXPECT_LT(residual(a, {x.begin() + first, x.begin() + last}, {b.begin() + first, b.begin() + last}),
                1e-13)
          << n << ", column " << j;
    }
  }
}

/// The matrix of pairs of unknowns that A couples as B [2, 2] says: as many eigenvalues below zero as A has
/// rows for each that B has.
sparse::SymmetricCsr pairs(const sparse::SymmetricCsr& a, const double (&b)[2][2]) {
  sparse::SymmetricCsr made;
  made.rows = 2 * a.rows;
  for (std::int32_t row = 0; row < made.rows; ++row) {
    const auto own = static_cast<std::size_t>(row / 2);
    for (std::int64_t at = a.offset[own]; at < a.offset[own + 1]; ++at) {
      for (int other = 0; other < 2; ++other) {
        const std::int32_t column = 2 * a.column[static_cast<std::size_t>(at)] + other;
        if (column < row) continue;
        made.column.push_back(column);
        made.value.push_back(b[row % 2][other] * a.value[static_cast<std::size_t>(at)]);
      }
    }
    made.offset.push_back(static_cast<std::int64_t>(made.column.size()));
  }
  return made;
}

TEST(Cholesky, NegativePivotsAreCountedInAnyMixture) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  constexpr double all = 1e15;
  constexpr double indefinite[2][2] = {{1, 0.5}, {0.5, -0.75}};
  constexpr double negative[2][2] = {{-1, 0.5}, {0.5, -1}};
  for (const std::int32_t n : {2, 9, 26}) {  // columns one by one, small fronts, fronts that threads share
    sparse::SymmetricCsr a = net(n, 4);
    EXPECT_EQ(solve::negative_pivots(pairs(a, indefinite), all), a.rows) << n;
    EXPECT_EQ(solve::negative_pivots(pairs(a, negative), all), 2 * a.rows) << n;
    EXPECT_EQ(solve::negative_pivots(a, all), 0) << n;
    // A few of many, one of them last: each unknown that is turned round stays far from its neighbours.
    for (const std::int32_t row : {0, 5, a.rows - 1})
      a.value[static_cast<std::size_t>(a.offset[static_cast<std::size_t>(row)])] = -500;
    EXPECT_EQ(solve::negative_pivots(a, all), 3) << n;
    EXPECT_EQ(solve::negative_pivots(a, 1), std::nullopt) << n;
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
