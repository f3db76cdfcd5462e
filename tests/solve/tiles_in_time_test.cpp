// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/tiles_in_time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "setka/exec/array.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "solve/elastic_block.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::solve {
namespace {

sparse::BlockCsr<double> stiffness(const exec::Device& device) {
  test::ElasticBlock block;
  block.cells = {4, 3, 3};
  return test::assemble(block).system.matrix.to(device);
}

class TilesInTimeOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(TilesInTimeOn);

TEST_P(TilesInTimeOn, come_after_as_many_products_as_they_cost) {
  const sparse::BlockCsr<double> a = stiffness(device());
  TilesInTime tiles(3);
  for (int product = 0; product < 3; ++product) {
    EXPECT_EQ(tiles.for_product(a), nullptr) << product;
    EXPECT_EQ(tiles.made(), nullptr) << product;
  }
  const sparse::ColumnTiles* const made = tiles.for_product(a);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->rows(), a.rows());
  EXPECT_EQ(tiles.for_product(a), made);
  EXPECT_EQ(tiles.made(), made);
  TilesInTime at_once(3);
  at_once.make(a);
  EXPECT_NE(at_once.made(), nullptr);
  EXPECT_EQ(at_once.for_product(a), at_once.made());
}

TEST_P(TilesInTimeOn, are_tried_once_where_they_do_not_serve) {
  sparse::BlockCsr<double> a = stiffness(device());
  device().limit_memory(a.bytes() / 100);
  TilesInTime without_room(0);
  EXPECT_EQ(without_room.for_product(a), nullptr);
  device().limit_memory(std::uint64_t{1} << 30);
  EXPECT_EQ(without_room.for_product(a), nullptr);
  // Blocks of one unknown have no tiles.
  const sparse::BlockCsr<double> one(1, 1, 1, 1, {device(), std::vector<std::int32_t>{0, 1}},
                                     {device(), std::vector<std::int32_t>{0}},
                                     {device(), std::vector<double>{2.0}});
  TilesInTime of_numbers(0);
  EXPECT_EQ(of_numbers.for_product(one), nullptr);
}

// With tiles or without: the products of an operator before and after it made them.
TEST_P(TilesInTimeOn, products_stay_what_they_were) {
  const sparse::BlockCsr<double> a = stiffness(device());
  const BlockCsrOperator counted(a);
  BlockCsrOperator tiled(a);
  tiled.prepare_for_columns();
  const std::int64_t columns = column_tiles_min_columns;
  const exec::Array<double> x(device(), test::random_values<double>(a.scalar_rows() * columns, 1));
  exec::Array<double> y(device(), x.size());
  const auto product = [&](const Operator& by) {
    by.apply(device(), exec::MultiView<const double>{x.data(), a.scalar_rows(), columns, columns},
             {y.data(), a.scalar_rows(), columns, columns});
    return y.to_vector();
  };
  const std::vector<double> first = product(counted);
  const std::vector<double> by_tiles = product(tiled);
  const double scale = std::ranges::max(first);
  EXPECT_TRUE(test::all_near(by_tiles, first, 1e-13 * scale));
  for (int i = 1; i < column_tiles_min_products; ++i) EXPECT_EQ(product(counted), first) << i;
  EXPECT_EQ(product(counted), by_tiles);
}

}  // namespace
}  // namespace setka::solve
