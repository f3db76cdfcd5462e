// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/matrix_market.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "io/matrix_text.hpp"
#include "io/scratch_folder.hpp"

namespace setka {
namespace {

using Symmetry = io::MatrixMarket::Symmetry;
using test::read_dense;
using test::read_matrix;

using Values = std::vector<double>;

TEST(MatrixMarket, CoordinateGeneral) {
  const auto read = read_matrix(
      "%%MatrixMarket matrix coordinate real general\n% comment\n%\n2 3 3\n1 1 1.5\n2 3 -2e-3\n1 2 7\n");
  EXPECT_EQ(read.symmetry, Symmetry::general);
  EXPECT_FALSE(read.array);
  EXPECT_EQ(read.entries.rows, 2);
  EXPECT_EQ(read.entries.columns, 3);
  EXPECT_EQ(read.entries.row, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(read.entries.column, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_EQ(read.entries.value, (Values{1.5, -2e-3, 7}));
}

TEST(MatrixMarket, SymmetricInEitherTriangle) {
  const Values full{2, -1, 0, -1, 2, 5, 0, 5, 1};
  EXPECT_EQ(read_dense("%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n"
                       "3 2 5\n3 3 1\n")
                .value,
            full);
  EXPECT_EQ(read_dense("%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n1 2 -1\n2 2 2\n"
                       "2 3 5\n3 3 1\n")
                .value,
            full);
}

TEST(MatrixMarket, SkewSymmetricPatternAndInteger) {
  EXPECT_EQ(read_dense("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 5\n").value,
            (Values{0, -5, 5, 0}));
  EXPECT_EQ(read_dense("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n1 1\n").value,
            (Values{1, 0, 1, 0}));
}

TEST(MatrixMarket, ArrayStandsColumnByColumn) {
  EXPECT_EQ(read_dense("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n").value,
            (Values{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(read_dense("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n").value,
            (Values{1, 2, 2, 3}));
  EXPECT_EQ(read_dense("%%MatrixMarket matrix array real skew-symmetric\n2 2\n7\n").value,
            (Values{0, -7, 7, 0}));
  EXPECT_TRUE(read_matrix("%%MatrixMarket matrix array real general\n0 0\n").array);
}

TEST(MatrixMarket, WhatFilesLookLike) {
  // Capitals, tabs, ends of lines of Windows, blank lines, comments late, no end of the last line.
  EXPECT_EQ(read_dense("%%MATRIXMARKET Matrix Coordinate Real General\r\n%\r\n\r\n 2\t2  3 \r\n\r\n"
                       " 1 1 1d2\r\n% here too\r\n\t2 2 +.5\n2 1 1")
                .value,
            (Values{100, 0, 1, 0.5}));
}

TEST(MatrixMarket, RepeatedPlacesAddUp) {
  auto read =
      read_matrix("%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n2 2 1\n2 1 1\n1 1 3\n2 1 0.5\n");
  const sparse::Csr matrix = sparse::compressed(std::move(read.entries), true, 2);
  EXPECT_EQ(matrix.offset, (std::vector<std::int64_t>{0, 2, 4}));
  EXPECT_EQ(matrix.column, (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(matrix.value, (Values{3, 1.5, 1.5, 1}));
  EXPECT_EQ(matrix.at(1, 0), 1.5);
}

TEST(MatrixMarket, ManyEntriesOnAnyNumberOfThreads) {
  // More than the pieces that threads take at a time, with comments and blank lines among them.
  std::mt19937 random(5);
  constexpr int rows = 5000;
  constexpr int count = 300000;
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{0} {0} {1}\n", rows, count);
  Values values;
  for (int k = 0; k < count; ++k) {
    values.push_back(std::ldexp(static_cast<double>(random()) + 0.1, static_cast<int>(random() % 60) - 30));
    text += fmt::format("{} {} {:.17g}\n", random() % rows + 1, random() % rows + 1, values.back());
    if (random() % 100 == 0) text += k % 2 == 0 ? "% comment\n" : "\n";
  }
  for (const int threads : {1, 2, 3}) {
    const auto read = read_matrix(text, {threads, 0});
    EXPECT_EQ(read.entries.value, values) << threads;
  }
  EXPECT_EQ(read_matrix(test::gzipped(text), {2, 0}).entries.value, values);
}

TEST(MatrixMarket, CompressedInSeveralMembers) {
  const std::string first = "%%MatrixMarket matrix array real general\n3 1\n1\n";
  EXPECT_EQ(read_dense(test::gzipped(first) + test::gzipped("2\n3\n")).value, (Values{1, 2, 3}));
}

TEST(MatrixMarket, AVectorComesBackBitForBit) {
  const test::ScratchFolder folder;
  const Values values{0.1, -1.0 / 3, 1e-310, 1e300, 0, 5, std::numeric_limits<double>::epsilon()};
  io::write_vector(folder / "x.mtx", values, "seven numbers");
  Monitor monitor;
  const io::DenseMatrix read = io::read_dense_matrix(folder / "x.mtx", {}, monitor);
  EXPECT_EQ(read.rows, 7);
  EXPECT_EQ(read.columns, 1);
  EXPECT_EQ(read.value, values);
}

}  // namespace
}  // namespace setka
