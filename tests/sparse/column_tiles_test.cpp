// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/column_tiles.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "sparse/random_matrix.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::sparse {
namespace {

class ColumnTilesOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(ColumnTilesOn);

/// The matrix of a grid of n^3 nodes, each coupled with its 26 neighbours, with random values.
BlockCsr<double> grid_matrix(int n) {
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        for (int at = 0; at < 27; ++at) {
          const int x = i + at % 3 - 1;
          const int y = j + at / 3 % 3 - 1;
          const int z = k + at / 9 - 1;
          if (x >= 0 && x < n && y >= 0 && y < n && z >= 0 && z < n) column.push_back((z * n + y) * n + x);
        }
        offset.push_back(static_cast<std::int32_t>(column.size()));
      }
    }
  }
  const exec::Device cpu = exec::Device::cpu();
  const auto values = test::random_values<double>(9 * static_cast<std::int64_t>(column.size()), 7);
  return {n * n * n,
          n * n * n,
          3,
          3,
          exec::Array<std::int32_t>(cpu, offset),
          exec::Array<std::int32_t>(cpu, column),
          exec::Array<double>(cpu, values)};
}

/// Walks through the tiles on the host as a GPU does; counts how often each row is met.
std::vector<double> product_by_tiles(const BlockCsr<double>& a, const ColumnTiles& tiles,
                                     const std::vector<double>& x, std::vector<int>& visits) {
  const ColumnTilesView view = tiles.view();
  const BlockCsrView<double> matrix = a.view();
  std::vector<double> y(static_cast<std::size_t>(a.scalar_rows()), 0.0);
  visits.assign(static_cast<std::size_t>(a.rows()), 0);
  for (std::int64_t tile = 0; tile < view.tiles; ++tile) {
    EXPECT_LE(view.first_column[tile + 1] - view.first_column[tile], view.most_columns);
    const std::int32_t* const column = view.column + view.first_column[tile];
    for (std::int32_t pair = view.first_pair[tile]; pair < view.first_pair[tile + 1]; ++pair) {
      for (int which = 0; which < 2; ++which) {
        const std::int32_t i = view.pair[2 * pair + which];
        if (i < 0) continue;
        ++visits[static_cast<std::size_t>(i)];
        const std::int32_t begin = matrix.offset[i];
        const int blocks = matrix.offset[i + 1] - begin;
        for (std::int32_t e = view.first_entry[pair]; e < view.first_entry[pair + 1]; ++e) {
          const int at = TileEntry::place(view.entry[e], which);
          if (at == TileEntry::none) continue;
          const std::int32_t node = column[TileEntry::column(view.entry[e])];
          for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
              y[static_cast<std::size_t>(3 * i + r)] +=
                  matrix.value[9 * std::int64_t{begin} + (r * blocks + at) * 3 + c] *
                  x[static_cast<std::size_t>(3 * node + c)];
            }
          }
        }
      }
    }
  }
  return y;
}

TEST(ColumnTiles, have_every_block_of_every_row_once) {
  for (const TileLimits& limits :
       {TileLimits{}, TileLimits{8, 64}, TileLimits{1, 27}, TileLimits{5, 30}, TileLimits{60, 200, 90}}) {
    SCOPED_TRACE(::testing::Message() << limits.rows << " rows, " << limits.columns << " columns");
    const BlockCsr<double> a = grid_matrix(7);
    const auto tiles = ColumnTiles::of(a, limits);
    ASSERT_TRUE(tiles);
    const auto x = test::random_values<double>(a.scalar_columns(), 3);
    std::vector<int> visits;
    const auto y = product_by_tiles(a, *tiles, x, visits);
    EXPECT_THAT(visits, ::testing::Each(1));
    exec::Array<double> expected(exec::Device::cpu(), a.scalar_rows());
    multiply<double>(exec::Device::cpu(), a, exec::Array<double>(exec::Device::cpu(), x), expected);
    EXPECT_TRUE(test::all_near(y, expected.to_vector(), test::rounding<double>(81, 81)));
  }
}

TEST(ColumnTiles, of_a_grid_are_compact) {
  const auto tiles = ColumnTiles::of(grid_matrix(24));
  ASSERT_TRUE(tiles);
  EXPECT_LT(tiles->loads(), 5.5);  // 144 columns for 32 rows of a brick would be 4.5
  const auto large = ColumnTiles::of(grid_matrix(24), {80, 280, 4000});
  ASSERT_TRUE(large);
  EXPECT_LT(large->loads(), 4.0);  // 216 for 64 rows of a cube: 3.4
}

TEST(ColumnTiles, serve_structures_that_are_not_symmetric) {
  const auto made = test::random_matrix(150, 150, 3, 3, 20, 5);
  const auto tiles = ColumnTiles::of(made.sparse);
  ASSERT_TRUE(tiles);
  const auto x = test::random_values<double>(made.sparse.scalar_columns(), 3);
  std::vector<int> visits;
  const auto y = product_by_tiles(made.sparse, *tiles, x, visits);
  EXPECT_THAT(visits, ::testing::Each(1));
  exec::Array<double> expected(exec::Device::cpu(), made.sparse.scalar_rows());
  multiply<double>(exec::Device::cpu(), made.sparse, exec::Array<double>(exec::Device::cpu(), x), expected);
  EXPECT_TRUE(test::all_near(y, expected.to_vector(), test::rounding<double>(60, 60)));
}

TEST(ColumnTiles, are_none_where_they_do_not_serve) {
  EXPECT_FALSE(ColumnTiles::of(grid_matrix(5), {8, 26}));  // inner rows have 27 columns
  EXPECT_FALSE(ColumnTiles::of(test::random_matrix(20, 30, 3, 3, 5, 1).sparse));
  EXPECT_FALSE(ColumnTiles::of(test::random_matrix(20, 20, 6, 6, 5, 1).sparse));
  EXPECT_FALSE(ColumnTiles::of(test::random_matrix(0, 0, 3, 3, 5, 1).sparse));
  EXPECT_THROW(ColumnTiles::of(grid_matrix(3), {0, 100}), Error);
}

TEST_P(ColumnTilesOn, multiply_as_the_matrix_does) {
  std::vector<BlockCsr<double>> matrices;
  matrices.push_back(grid_matrix(13));
  matrices.push_back(test::random_matrix(401, 401, 3, 3, 60, 12).sparse);
  for (const BlockCsr<double>& matrix : matrices) {
    const BlockCsr<double> a = matrix.to(device());
    for (const TileLimits& limits : {TileLimits{}, TileLimits{9, 90}}) {
      const auto tiles = ColumnTiles::of(a, limits);
      ASSERT_TRUE(tiles);
      for (const std::int64_t columns : {1, 16, 24, 32, 48, 64}) {
        SCOPED_TRACE(::testing::Message() << a.rows() << " rows, " << columns << " columns");
        const auto x = test::random_values<double>(a.scalar_columns() * columns, 5);
        const exec::MultiVector<double> xs(device(), a.scalar_columns(), columns, x);
        exec::MultiVector<double> y(device(), a.scalar_rows(), columns);
        exec::MultiVector<double> expected(device(), a.scalar_rows(), columns);
        multiply(device(), a, *tiles, xs, y);
        multiply<double>(device(), a, xs, expected);
        EXPECT_TRUE(test::all_near(y.values().to_vector(), expected.values().to_vector(),
                                   test::rounding<double>(180, 180)));
      }
    }
  }
}

TEST_P(ColumnTilesOn, say_when_sizes_do_not_fit) {
  const BlockCsr<double> a = grid_matrix(4).to(device());
  const auto tiles = ColumnTiles::of(grid_matrix(5).to(device()));
  ASSERT_TRUE(tiles);
  const exec::MultiVector<double> x(device(), a.scalar_columns(), 16);
  exec::MultiVector<double> y(device(), a.scalar_rows(), 16);
  EXPECT_THROW(multiply(device(), a, *tiles, x, y), Error);
}

}  // namespace
}  // namespace setka::sparse
