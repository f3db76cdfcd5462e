// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/operators.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "solve/grid_systems.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::solve {
namespace {

/// A dense matrix, row by row.
struct Full {
  std::int64_t rows;
  std::int64_t columns;
  std::vector<double> value;

  double& at(std::int64_t i, std::int64_t j) { return value[static_cast<std::size_t>(i * columns + j)]; }
  double at(std::int64_t i, std::int64_t j) const { return value[static_cast<std::size_t>(i * columns + j)]; }
};

Full random_full(std::int64_t rows, std::int64_t columns, unsigned seed) {
  return {rows, columns, test::random_values<double>(rows * columns, seed)};
}

Full times(const Full& a, const Full& b) {
  Full product{a.rows, b.columns, std::vector<double>(static_cast<std::size_t>(a.rows * b.columns))};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < b.columns; ++j) {
      for (std::int64_t k = 0; k < a.columns; ++k) product.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return product;
}

Full combined(double s, const Full& a, double t, const Full& b) {
  Full sum = a;
  for (std::size_t k = 0; k < sum.value.size(); ++k) sum.value[k] = s * a.value[k] + t * b.value[k];
  return sum;
}

class OperatorsOn : public test::OnDevice {
 protected:
  OperatorPointer on(const Full& a) const {
    test::Entries entries(static_cast<std::int32_t>(a.rows), static_cast<std::int32_t>(a.columns));
    for (std::int64_t i = 0; i < a.rows; ++i) {
      for (std::int64_t j = 0; j < a.columns; ++j)
        entries.add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), a.at(i, j));
    }
    return entries.on(device());
  }

  /// One vector, many columns, and columns with others behind them all see the matrix.
  void expect_is(const Operator& a, const Full& wanted) const {
    ASSERT_EQ(a.rows(), wanted.rows);
    ASSERT_EQ(a.columns(), wanted.columns);
    EXPECT_EQ(a.device(), device());
    constexpr std::int64_t columns = 5;
    constexpr std::int64_t room = 7;
    const Full x = random_full(wanted.columns, columns, 3);
    const Full y = times(wanted, x);
    const double bound = 1e-14 * 10 * static_cast<double>(wanted.columns);  // sums of numbers below 10

    for (std::int64_t c = 0; c < columns; ++c) {
      std::vector<double> one;
      for (std::int64_t i = 0; i < x.rows; ++i) one.push_back(x.at(i, c));
      const exec::Array<double> from(device(), one);
      exec::Array<double> to(device(), wanted.rows);
      a.apply(device(), from, to);
      const std::vector<double> found = to.to_vector();
      for (std::int64_t i = 0; i < y.rows; ++i)
        EXPECT_NEAR(found[static_cast<std::size_t>(i)], y.at(i, c), bound) << "row " << i << ", column " << c;
    }
    std::vector<double> wide(static_cast<std::size_t>(wanted.columns * room), std::nan(""));
    for (std::int64_t i = 0; i < x.rows; ++i) {
      for (std::int64_t c = 0; c < columns; ++c) wide[static_cast<std::size_t>(i * room + c)] = x.at(i, c);
    }
    const exec::Array<double> from(device(), wide);
    exec::Array<double> to(device(), std::vector<double>(static_cast<std::size_t>(wanted.rows * room), 77.0));
    a.apply(device(), exec::MultiView<const double>{from.data(), wanted.columns, columns, room},
            exec::MultiView<double>{to.data(), wanted.rows, columns, room});
    const std::vector<double> found = to.to_vector();
    for (std::int64_t i = 0; i < y.rows; ++i) {
      for (std::int64_t c = 0; c < room; ++c) {
        const double expected = c < columns ? y.at(i, c) : 77.0;
        EXPECT_NEAR(found[static_cast<std::size_t>(i * room + c)], expected, bound) << i << ", " << c;
      }
    }
  }
};
SETKA_ON_ALL_DEVICES(OperatorsOn);

TEST_P(OperatorsOn, parts_may_have_more_rows_than_columns) {
  const Full a = random_full(9, 4, 1);
  const Full b = random_full(9, 4, 2);
  const Full c = random_full(4, 6, 4);
  Full identity{5, 5, std::vector<double>(25)};
  for (std::int64_t i = 0; i < 5; ++i) identity.at(i, i) = 1;
  expect_is(*on(a), a);
  expect_is(IdentityOperator(device(), 5), identity);
  expect_is(ScaledOperator(-2.5, on(a)), combined(-2.5, a, 0, a));
  expect_is(SumOperator(on(a), on(b)), combined(1, a, 1, b));
  expect_is(SumOperator(3, on(a), -0.5, on(b)), combined(3, a, -0.5, b));
  expect_is(ProductOperator(on(a), on(c)), times(a, c));
}

TEST_P(OperatorsOn, compose_any_way) {
  const Full a = random_full(6, 6, 5);
  const Full b = random_full(6, 6, 6);
  const Full c = random_full(6, 6, 7);
  // (2 A B + C) A
  const auto product = std::make_shared<ProductOperator>(on(a), on(b));
  const auto sum = std::make_shared<SumOperator>(2, product, 1, on(c));
  expect_is(ProductOperator(sum, on(a)), times(combined(2, times(a, b), 1, c), a));
}

TEST_P(OperatorsOn, blocks_may_be_missing) {
  const Full a = random_full(5, 5, 8);
  const Full b = random_full(3, 5, 9);
  const Full c = random_full(3, 2, 10);
  Full whole{8, 7, std::vector<double>(56)};
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) whole.at(i, j) = a.at(i, j);
  }
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) whole.at(5 + i, j) = b.at(i, j);
    for (std::int64_t j = 0; j < 2; ++j) whole.at(5 + i, 5 + j) = c.at(i, j);
  }
  const BlockOperator blocks({{on(a), nullptr}, {on(b), on(c)}});
  expect_is(blocks, whole);
  EXPECT_EQ(blocks.row_offsets(), (std::vector<std::int64_t>{0, 5, 8}));
  EXPECT_EQ(blocks.column_offsets(), (std::vector<std::int64_t>{0, 5, 7}));
}

TEST_P(OperatorsOn, sizes_that_do_not_fit_are_both_named) {
  const auto refused = [](auto&& make, const char* text) {
    EXPECT_THAT(make, testing::ThrowsMessage<Error>(testing::HasSubstr(text)));
  };
  const OperatorPointer a = on(random_full(4, 3, 1));
  const OperatorPointer b = on(random_full(5, 3, 1));
  refused([&] { SumOperator(a, b); }, "[4 x 3] and [5 x 3] cannot be added");
  refused([&] { ProductOperator(a, b); }, "[4 x 3] and [5 x 3] cannot be multiplied");
  refused(
      [&] {
        BlockOperator({{a, b}});
      },
      "block (0, 1) is [5 x 3], but its row has 4 rows and its column 3 columns");
  refused([&] { BlockOperator({{a, a}, {a}}); }, "row 1 has 1 blocks, but row 0 has 2");
  refused([&] { BlockOperator({{a, nullptr}, {b, nullptr}}); }, "column 1 has no block");
  refused([&] { BlockOperator({{a}, {nullptr}}); }, "row 1 has no block");
  refused([&] { BlockOperator({}); }, "there are no blocks");
  const exec::Array<double> x(device(), 4);
  exec::Array<double> y(device(), 4);
  refused([&] { BlockOperator({{a}}).apply(device(), x, y); },
          "it is [4 x 3], but x is [4 x 1] and y [4 x 1]");
}

}  // namespace
}  // namespace setka::solve
