// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/spgemm.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "sparse/random_matrix.hpp"
#include "support/on_device.hpp"

namespace setka::sparse {
namespace {

class SpgemmOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(SpgemmOn);

/// [scalar rows, scalar columns]; columns of a row must ascend.
std::vector<double> dense(const BlockCsr<double>& on_device) {
  const BlockCsr<double> matrix = on_device.to(exec::Device::cpu());
  const BlockCsrView<double> a = matrix.view();
  const auto h = static_cast<std::size_t>(matrix.height());
  const auto w = static_cast<std::size_t>(matrix.width());
  const auto across = static_cast<std::size_t>(matrix.scalar_columns());
  std::vector<double> full(static_cast<std::size_t>(matrix.scalar_rows()) * across, 0.0);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    EXPECT_TRUE(std::is_sorted(a.column + a.offset[i], a.column + a.offset[i + 1]));
    const auto begin = static_cast<std::size_t>(a.offset[i]);
    const std::size_t count = static_cast<std::size_t>(a.offset[i + 1]) - begin;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t r = 0; r < h; ++r) {
        for (std::size_t c = 0; c < w; ++c) {
          const std::size_t at = (static_cast<std::size_t>(i) * h + r) * across +
                                 static_cast<std::size_t>(a.column[begin + k]) * w + c;
          full[at] += a.value[begin * h * w + (r * count + k) * w + c];
        }
      }
    }
  }
  return full;
}

void expect_close(const std::vector<double>& a, const std::vector<double>& b, double bound = 1e-12) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], bound);
}

TEST_P(SpgemmOn, multiplies_blocks_of_every_shape) {
#define SETKA_PRODUCT(h, m, w) {h, m, w},
  for (const auto& [h, m, w] : std::vector<std::array<int, 3>>{SETKA_BLOCK_PRODUCTS(SETKA_PRODUCT)}) {
#undef SETKA_PRODUCT
    // Rows of A with more blocks than a warp has lanes, and rows with none.
    const test::RandomMatrix a = test::random_matrix(37, 90, h, m, 80, 3);
    const test::RandomMatrix b = test::random_matrix(90, 53, m, w, 7, 4);
    const BlockCsr<double> c = multiply(a.sparse.to(device()), b.sparse.to(device()));
    const auto rows = static_cast<std::size_t>(a.sparse.scalar_rows());
    const auto middle = static_cast<std::size_t>(b.sparse.scalar_rows());
    const auto columns = static_cast<std::size_t>(b.sparse.scalar_columns());
    std::vector<double> expected(rows * columns, 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < middle; ++k) {
        for (std::size_t j = 0; j < columns; ++j)
          expected[i * columns + j] += a.dense[i * middle + k] * b.dense[k * columns + j];
      }
    }
    SCOPED_TRACE(::testing::Message() << h << "x" << m << " times " << m << "x" << w);
    expect_close(dense(c), expected);
  }
}

/// With few blocks a row of P, and with more than the host would make anew.
TEST_P(SpgemmOn, galerkin_products_of_symmetric_matrices) {
#define SETKA_SAME(n) {n, n},
#define SETKA_WIDER(fine, coarse) {fine, coarse},
  for (const auto& [fine, coarse] :
       std::vector<std::array<int, 2>>{SETKA_BLOCK_SIZES(SETKA_SAME) SETKA_BLOCK_WIDENINGS(SETKA_WIDER)}) {
#undef SETKA_SAME
#undef SETKA_WIDER
    for (const int most : {2, 9}) {
      SCOPED_TRACE(::testing::Message() << fine << " to " << coarse << ", " << most << " blocks a row");
      const test::RandomMatrix half = test::random_matrix(60, 60, fine, fine, 9, 6);
      const BlockCsr<double> a = multiply(transpose(half.sparse), half.sparse);
      const test::RandomMatrix p = test::random_matrix(60, 23, fine, coarse, most, 7);
      ASSERT_EQ(p.sparse.blocks() > std::int64_t{2} * p.sparse.rows(), most > 2);
      const BlockCsr<double> expected = multiply(transpose(p.sparse), multiply(a, p.sparse));
      const BlockCsr<double> on_device = p.sparse.to(device());
      const BlockCsr<double> made = galerkin(transpose(on_device), a.to(device()), on_device);
      expect_close(dense(made), dense(expected), 1e-10);
      // Parts have the order of sums of the product as a whole.
      const BlockCsr<double> r = transpose(on_device);
      const BlockCsr<double> there = a.to(device());
      const std::vector<double> whole = dense(multiply(r, multiply(there, on_device)));
      for (const std::int32_t rows : {1, 7, 23})
        EXPECT_EQ(dense(galerkin_in_parts(r, there, on_device, rows)), whole) << rows;
      if (device().is_cuda()) continue;
      EXPECT_EQ(dense(made), dense(transpose(made))) << "to the last bit";
    }
  }
}

TEST_P(SpgemmOn, transposes) {
#define SETKA_SHAPE(h, w) {h, w},
  for (const auto& [h, w] : std::vector<std::array<int, 2>>{SETKA_BLOCK_SHAPES(SETKA_SHAPE)}) {
#undef SETKA_SHAPE
    const test::RandomMatrix a = test::random_matrix(41, 67, h, w, 9, 5);
    const auto rows = static_cast<std::size_t>(a.sparse.scalar_rows());
    const auto columns = static_cast<std::size_t>(a.sparse.scalar_columns());
    std::vector<double> expected(a.dense.size());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) expected[j * rows + i] = a.dense[i * columns + j];
    }
    expect_close(dense(transpose(a.sparse.to(device()))), expected);
  }
}

TEST_P(SpgemmOn, refuses_products_that_nothing_forms) {
  const test::RandomMatrix a = test::random_matrix(5, 4, 6, 3, 2, 1);
  const test::RandomMatrix b = test::random_matrix(4, 6, 3, 3, 2, 1);
  EXPECT_THAT([&] { multiply(a.sparse.to(device()), b.sparse.to(device())); },
              ::testing::ThrowsMessage<Error>(
                  ::testing::StartsWith("sparse product: blocks of 6 x 3 times 3 x 3; 1 x 1 times 1 x 1, ")));
}

TEST_P(SpgemmOn, takes_empty_matrices) {
  const test::RandomMatrix a = test::random_matrix(5, 4, 3, 3, 0, 1);
  const test::RandomMatrix b = test::random_matrix(4, 6, 3, 3, 0, 1);
  EXPECT_EQ(multiply(a.sparse.to(device()), b.sparse.to(device())).blocks(), 0);
  EXPECT_EQ(transpose(a.sparse.to(device())).rows(), 4);
}

}  // namespace
}  // namespace setka::sparse
