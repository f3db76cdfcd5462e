// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/null_space.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "setka/solve/cholesky.hpp"

namespace setka {
namespace {

using solve::SparseVector;

/// Springs of stiffness one in a row, in chains of some length with nothing between them.
sparse::SymmetricCsr chains(std::int32_t rows, std::int32_t length, double stiffness) {
  sparse::SymmetricCsr a;
  a.rows = rows;
  for (std::int32_t i = 0; i < rows; ++i) {
    const bool before = i % length > 0;
    const bool after = i % length < length - 1 && i + 1 < rows;
    a.column.push_back(i);
    a.value.push_back(stiffness * ((before ? 1 : 0) + (after ? 1 : 0)));
    if (after) {
      a.column.push_back(i + 1);
      a.value.push_back(-stiffness);
    }
    a.offset.push_back(static_cast<std::int64_t>(a.column.size()));
  }
  return a;
}

double entry(const SparseVector& v, std::int32_t row) {
  for (std::size_t i = 0; i < v.row.size(); ++i) {
    if (v.row[i] == row) return v.value[i];
  }
  return 0;
}

TEST(NullVectors, OfChainsThatMoveAsAWhole) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  for (const double stiffness : {1e-9, 1.0, 1e12}) {
    for (const std::int32_t length : {6, 300}) {
      const std::int32_t count = 600 / length;
      const auto found = solve::null_vectors(chains(600, length, stiffness), 300);
      ASSERT_EQ(found.size(), static_cast<std::size_t>(count)) << length;
      for (const SparseVector& z : found) {
        for (std::int32_t i = 0; i < 600; ++i) {
          if (i % length > 0) {
            EXPECT_NEAR(entry(z, i), entry(z, i - 1), 1e-9);
          }
        }
      }
    }
  }
}

TEST(NullVectors, WhatIsSoftIsNotFree) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  sparse::SymmetricCsr held = chains(2000, 2000, 1.0);
  held.value[0] += 1e-9;  // relative to all springs of the chain together 2e-13
  EXPECT_TRUE(solve::null_vectors(held, 100).empty());
}

TEST(NullVectors, MoreThanAllowedAreNone) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  EXPECT_TRUE(solve::null_vectors(chains(600, 2, 1.0), 100).empty());
}

TEST(NullSpace, TakesOutEveryComponentAndHoldsEveryVector) {
  solve::NullSpace space;
  space.add("first", {{{0, 1, 2}, {1, 1, 1}}, {{0, 1, 2}, {1, 2, 3}}});
  space.add("second", {{{1, 3}, {1, 5}}});
  ASSERT_EQ(space.groups().size(), 2U);
  std::vector<double> v{1, -4, 7, 2};
  space.project_out(v);
  EXPECT_NEAR(v[0] + v[1] + v[2], 0, 1e-14);
  EXPECT_NEAR(v[0] + 2 * v[1] + 3 * v[2], 0, 1e-13);
  EXPECT_NEAR(v[1] + 5 * v[3], 0, 1e-13);
  EXPECT_EQ(space.held_rows(0).size(), 3U);
  EXPECT_EQ(space.held_rows(1), std::vector<std::int32_t>{3});
}

TEST(Supports, StandOnTheDiagonal) {
  const exec::Device cpu = exec::Device::cpu(1);
  // Two block rows of 3 x 3: [A B; B' C], values row by row.
  std::vector<double> value;
  for (int i = 0; i < 36; ++i) value.push_back(i);
  sparse::BlockCsr<double> a(2, 2, 3, 3, exec::Array<std::int32_t>(cpu, std::vector<std::int32_t>{0, 2, 4}),
                             exec::Array<std::int32_t>(cpu, std::vector<std::int32_t>{0, 1, 0, 1}),
                             exec::Array<double>(cpu, value));
  const std::vector<std::int32_t> rows{1, 5};
  EXPECT_EQ(solve::diagonal_at(a, rows), (std::vector<double>{7, 35}));
  const std::vector<solve::Support> supports{{1, 100}, {5, 1000}};
  solve::add_supports(a, supports);
  EXPECT_EQ(solve::diagonal_at(a, rows), (std::vector<double>{107, 1035}));
  std::vector<double> e(6, 0.0);
  e[1] = 1;
  exec::Array<double> y(cpu, 6);
  sparse::multiply<double>(cpu, a, exec::Array<double>(cpu, e), y);
  EXPECT_EQ(y.to_vector()[1], 107);
}

}  // namespace
}  // namespace setka
