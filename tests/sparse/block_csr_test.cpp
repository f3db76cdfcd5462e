// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr.hpp"

#include <cstddef>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "sparse/random_matrix.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::sparse {
namespace {

class BlockCsrOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(BlockCsrOn);

#define SETKA_SHAPE(h, w) {h, w},
const std::vector<std::pair<int, int>> shapes{SETKA_BLOCK_SHAPES(SETKA_SHAPE)};
#undef SETKA_SHAPE

/// Y = s A X + t Z, [rows, columns], from the dense twin.
std::vector<double> dense_product(const test::RandomMatrix& a, const std::vector<double>& x,
                                  std::int64_t columns, double s, double t, const std::vector<double>& z) {
  const auto rows = static_cast<std::size_t>(a.sparse.scalar_rows());
  const auto across = static_cast<std::size_t>(a.sparse.scalar_columns());
  const auto width = static_cast<std::size_t>(columns);
  std::vector<double> y(rows * width, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < across; ++k) {
      for (std::size_t j = 0; j < width; ++j) y[i * width + j] += a.dense[i * across + k] * x[k * width + j];
    }
    for (std::size_t j = 0; j < width; ++j) {
      y[i * width + j] = s * y[i * width + j] + (t == 0 ? 0.0 : t * z[i * width + j]);
    }
  }
  return y;
}

TEST_P(BlockCsrOn, multiplies_like_the_dense_matrix) {
  for (const auto& [height, width] : shapes) {
    for (const std::int32_t rows : {0, 1, 7, 130, 701}) {
      for (const int most : {1, 5, 40}) {
        SCOPED_TRACE(::testing::Message()
                     << height << "x" << width << ", rows " << rows << ", most " << most);
        const auto a = test::random_matrix(rows, 97, height, width, most, 11);
        const auto x = test::random_values<double>(a.sparse.scalar_columns(), 3);
        const auto z = test::random_values<double>(a.sparse.scalar_rows(), 4);
        const double bound = test::rounding<double>(6 * most + 3, 6.0 * most + 3);
        const BlockCsr<double> on_device = a.sparse.to(device());
        const exec::Array<double> xs(device(), x);
        exec::Array<double> y(device(), a.sparse.scalar_rows());
        multiply<double>(device(), on_device, xs, y);
        EXPECT_TRUE(test::all_near(y.to_vector(), dense_product(a, x, 1, 1, 0, z), bound));

        copy(exec::View<const double>{z.data(), static_cast<std::int64_t>(z.size())}, y);
        multiply<double>(device(), -0.5, on_device, xs, 2.0, y, y);
        EXPECT_TRUE(test::all_near(y.to_vector(), dense_product(a, x, 1, -0.5, 2, z), bound));
      }
    }
  }
}

TEST_P(BlockCsrOn, multiplies_many_columns) {
  for (const auto& [height, width] : shapes) {
    const auto a = test::random_matrix(133, 71, height, width, 20, 12);
    const BlockCsr<double> on_device = a.sparse.to(device());
    for (const std::int64_t columns : {0, 1, 3, 4, 5, 8, 16, 17, 24, 32, 33, 40, 48, 56, 64, 72}) {
      SCOPED_TRACE(::testing::Message() << height << "x" << width << ", columns " << columns);
      const auto x = test::random_values<double>(a.sparse.scalar_columns() * columns, 5);
      const exec::MultiVector<double> xs(device(), a.sparse.scalar_columns(), columns, x);
      exec::MultiVector<double> y(device(), a.sparse.scalar_rows(), columns);
      multiply<double>(device(), on_device, xs, y);
      EXPECT_TRUE(test::all_near(y.values().to_vector(), dense_product(a, x, columns, 1, 0, {}),
                                 test::rounding<double>(120, 120)));

      const auto z = test::random_values<double>(a.sparse.scalar_rows() * columns, 6);
      copy(exec::View<const double>{z.data(), static_cast<std::int64_t>(z.size())}, y.values());
      multiply<double>(device(), -0.5, on_device, xs, 2.0, y, y);
      EXPECT_TRUE(test::all_near(y.values().to_vector(), dense_product(a, x, columns, -0.5, 2, z),
                                 test::rounding<double>(120, 120)));
    }
  }
}

TEST_P(BlockCsrOn, multiplies_many_columns_by_long_rows) {
  const auto a = test::random_matrix(9, 700, 3, 3, 600, 14);
  const std::int64_t columns = 32;
  const auto x = test::random_values<double>(a.sparse.scalar_columns() * columns, 5);
  const exec::MultiVector<double> xs(device(), a.sparse.scalar_columns(), columns, x);
  exec::MultiVector<double> y(device(), a.sparse.scalar_rows(), columns);
  multiply<double>(device(), a.sparse.to(device()), xs, y);
  EXPECT_TRUE(test::all_near(y.values().to_vector(), dense_product(a, x, columns, 1, 0, {}),
                             test::rounding<double>(2100, 2100)));
}

TEST_P(BlockCsrOn, single_precision_is_the_rounded_matrix) {
  for (const auto& [height, width] : shapes) {
    SCOPED_TRACE(::testing::Message() << height << "x" << width);
    const auto a = test::random_matrix(150, 150, height, width, 27, 13);
    const double bound = test::rounding<float>(27 * width + 2, 27 * width);
    const BlockCsr<float> rounded = a.sparse.to(device()).cast<float>();
    for (const std::int64_t columns : {1, 6, 24}) {
      const auto x = test::random_values<float>(rounded.scalar_columns() * columns, 6);
      const exec::MultiVector<float> xs(device(), rounded.scalar_columns(), columns, x);
      exec::MultiVector<float> y(device(), rounded.scalar_rows(), columns);
      if (columns == 1) {
        multiply<float>(device(), rounded, xs.values(), y.values());
      } else {
        multiply<float>(device(), rounded, xs, y);
      }
      const std::vector<double> wide(x.begin(), x.end());
      EXPECT_TRUE(test::all_near(y.values().to_vector(), dense_product(a, wide, columns, 1, 0, {}), bound));
    }
  }
}

TEST_P(BlockCsrOn, refuses_shapes_that_have_no_products) {
  const auto a = test::random_matrix(10, 10, 4, 3, 4, 15);
  const exec::Array<double> x(device(), 30);
  exec::Array<double> y(device(), 40);
  EXPECT_THAT([&] { multiply<double>(device(), a.sparse.to(device()), x, y); },
              ::testing::ThrowsMessage<Error>("product: blocks of 4 x 3; 1 x 1, 2 x 2, 3 x 3, 4 x 4, 5 x 5, "
                                              "6 x 6, 2 x 3, 3 x 2, 3 x 6 and 6 x 3 are known"));
}

TEST_P(BlockCsrOn, the_same_bits_every_time) {
  const auto a = test::random_matrix(5000, 5000, 3, 3, 40, 14);
  const BlockCsr<double> on_device = a.sparse.to(device());
  const exec::Array<double> x(device(), test::random_values<double>(on_device.scalar_columns(), 7));
  exec::Array<double> y(device(), on_device.scalar_rows());
  multiply<double>(device(), on_device, x, y);
  const std::vector<double> first = y.to_vector();
  for (int run = 0; run < 5; ++run) {
    multiply<double>(device(), on_device, x, y);
    EXPECT_EQ(y.to_vector(), first);
  }
}

TEST_P(BlockCsrOn, refuses_vectors_that_do_not_fit) {
  const auto a = test::random_matrix(10, 10, 3, 3, 4, 15);
  const BlockCsr<double> on_device = a.sparse.to(device());
  const exec::Array<double> x(device(), 29);
  exec::Array<double> y(device(), 30);
  EXPECT_THAT([&] { multiply<double>(device(), on_device, x, y); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr(
                  "multiply: matrix is [30 x 30] but the vectors have 29 and 30 entries")));
}

}  // namespace
}  // namespace setka::sparse
