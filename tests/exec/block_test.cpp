// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/block.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::exec {
namespace {

class BlockOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(BlockOn);

struct Shape {
  std::int64_t rows;
  std::int64_t p;
  std::int64_t q;
};

const std::vector<Shape> shapes{{0, 3, 2},      {1, 1, 1},     {3, 8, 8},     {127, 16, 16}, {128, 32, 32},
                                {129, 32, 32},  {1000, 1, 7},  {1000, 7, 33}, {5000, 17, 9}, {5003, 32, 8},
                                {4097, 64, 64}, {777, 30, 30}, {300, 65, 3},  {20011, 5, 5}, {100, 130, 300}};

template <class T>
struct Matrix {
  std::int64_t rows;
  std::int64_t columns;
  std::vector<T> values;
  double operator()(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * columns + j)];
  }
};

template <class T>
Matrix<T> random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
  return {rows, columns, test::random_values<T>(rows * columns, seed)};
}

template <class T>
MultiVector<T> to_device(const Device& device, const Matrix<T>& m) {
  return {device, m.rows, m.columns, m.values};
}

/// [p, q]: sum over rows of x(row, i) y(row, j)
template <class T>
std::vector<double> inner_by_hand(const Matrix<T>& x, const Matrix<T>& y) {
  std::vector<double> s(static_cast<std::size_t>(x.columns * y.columns), 0);
  for (std::int64_t r = 0; r < x.rows; ++r) {
    for (std::int64_t i = 0; i < x.columns; ++i) {
      for (std::int64_t j = 0; j < y.columns; ++j)
        s[static_cast<std::size_t>(i * y.columns + j)] += x(r, i) * y(r, j);
    }
  }
  return s;
}

template <class T>
void check_inner(const Device& device) {
  for (const auto& [rows, p, q] : shapes) {
    SCOPED_TRACE(::testing::Message() << rows << " rows, " << p << " and " << q << " columns");
    const auto x = random_matrix<T>(rows, p, 20);
    const auto y = random_matrix<T>(rows, q, 21);
    MultiVector<T> s(device, p, q);
    inner<T>(device, to_device(device, x), to_device(device, y), s);
    EXPECT_TRUE(test::all_near(s.values().to_vector(), inner_by_hand(x, y),
                               test::rounding<T>(100, static_cast<double>(rows) + 1)));
  }
}

TEST_P(BlockOn, InnerFloat) {
  check_inner<float>(device());
}
TEST_P(BlockOn, InnerDouble) {
  check_inner<double>(device());
}

TEST_P(BlockOn, InnerOfLeadingColumnsIntoAPart) {
  const auto x = random_matrix<double>(3000, 12, 22);
  const MultiVector<double> held = to_device(device(), x);
  MultiVector<double> s(device(), 12, 12, std::vector<double>(144, -5.0));
  inner(device(), held.view().leading_columns(5), held.view(),
        MultiView<double>{s.values().data(), 5, 12, 12});
  const auto expected = inner_by_hand(x, x);
  const auto computed = s.values().to_vector();
  for (std::size_t e = 0; e < 60; ++e)
    EXPECT_NEAR(computed[e], expected[e], test::rounding<double>(100, 3000));
  for (std::size_t e = 60; e < 144; ++e)
    EXPECT_EQ(computed[e], -5.0) << "entry " << e << " is not part of the result";
}

TEST_P(BlockOn, InnerHasTheSameBitsAtEveryRun) {
  const MultiVector<double> x = to_device(device(), random_matrix<double>(50021, 32, 23));
  MultiVector<double> s(device(), 32, 32);
  inner(device(), x, x, s);
  const auto first = s.values().to_vector();
  for (int run = 0; run < 20; ++run) {
    inner(device(), x, x, s);
    const auto again = s.values().to_vector();
    EXPECT_EQ(std::memcmp(again.data(), first.data(), first.size() * sizeof(double)), 0) << "run " << run;
  }
}

template <class T>
void check_multiply_small(const Device& device) {
  for (const auto& [rows, p, q] : shapes) {
    SCOPED_TRACE(::testing::Message() << rows << " rows, " << p << " and " << q << " columns");
    const auto x = random_matrix<T>(rows, p, 24);
    const auto s = random_matrix<T>(p, q, 25);
    const auto y = random_matrix<T>(rows, q, 26);
    for (const T b : {T(0), T(0.5)}) {
      MultiVector<T> result = to_device(device, y);
      multiply_small<T>(device, T(2), to_device(device, x), to_device(device, s), b, result);
      std::vector<double> expected(y.values.size());
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < q; ++j) {
          double sum = 0;
          for (std::int64_t k = 0; k < p; ++k) sum += x(i, k) * s(k, j);
          expected[static_cast<std::size_t>(i * q + j)] = 2 * sum + double(b) * y(i, j);
        }
      }
      EXPECT_TRUE(test::all_near(result.values().to_vector(), expected,
                                 test::rounding<T>(10, static_cast<double>(p) + 1)));
    }
  }
}

TEST_P(BlockOn, MultiplySmallFloat) {
  check_multiply_small<float>(device());
}
TEST_P(BlockOn, MultiplySmallDouble) {
  check_multiply_small<double>(device());
}

template <class T>
void check_columns(const Device& device) {
  for (const auto& [rows, p, q] : shapes) {
    SCOPED_TRACE(::testing::Message() << rows << " rows, " << p << " columns");
    const auto x = random_matrix<T>(rows, p, 27);
    const auto y = random_matrix<T>(rows, p, 28);
    const auto a = test::random_values<T>(p, 29);
    const auto b = test::random_values<T>(p, 30);
    const MultiVector<T> held = to_device(device, x);

    Array<T> d(device, p);
    column_dots<T>(device, held, to_device(device, y), d);
    std::vector<double> dots(static_cast<std::size_t>(p), 0);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < p; ++j) dots[static_cast<std::size_t>(j)] += x(i, j) * y(i, j);
    }
    EXPECT_TRUE(test::all_near(d.to_vector(), dots, test::rounding<T>(100, static_cast<double>(rows) + 1)));

    MultiVector<T> scaled = to_device(device, x);
    scale_columns<T>(device, Array<T>(device, a), scaled);
    MultiVector<T> combined = to_device(device, y);
    axpby_columns<T>(device, Array<T>(device, a), held, Array<T>(device, b), combined);
    std::vector<double> expected_scaled(x.values.size());
    std::vector<double> expected_combined(x.values.size());
    for (std::size_t e = 0; e < x.values.size(); ++e) {
      const std::size_t j = e % static_cast<std::size_t>(p);
      expected_scaled[e] = double(a[j]) * x.values[e];
      expected_combined[e] = double(a[j]) * x.values[e] + double(b[j]) * y.values[e];
    }
    EXPECT_TRUE(test::all_near(scaled.values().to_vector(), expected_scaled, test::rounding<T>(1, 1)));
    EXPECT_TRUE(test::all_near(combined.values().to_vector(), expected_combined, test::rounding<T>(3, 2)));
  }
}

TEST_P(BlockOn, ColumnsFloat) {
  check_columns<float>(device());
}
TEST_P(BlockOn, ColumnsDouble) {
  check_columns<double>(device());
}

TEST_P(BlockOn, SeveralProductsTogetherAreThoseOfEach) {
  for (const std::int64_t rows : {0, 1, 130, 4099}) {
    SCOPED_TRACE(::testing::Message() << rows << " rows");
    const auto x = random_matrix<double>(rows, 11, 31);
    const auto y = random_matrix<double>(rows, 24, 32);
    const MultiVector<double> on_x = to_device(device(), x);
    const MultiVector<double> on_y = to_device(device(), y);
    MultiVector<double> xy(device(), 11, 24);
    MultiVector<double> yy(device(), 24, 24);
    MultiVector<double> none(device(), 0, 24);
    const std::vector<InnerTerm<double>> terms{{on_x.view(), on_y.view(), xy.view()},
                                               {on_x.view().leading_columns(0), on_y.view(), none.view()},
                                               {on_y.view(), on_y.view(), yy.view()}};
    inner(device(), terms);
    const double bound = test::rounding<double>(100, static_cast<double>(rows) + 1);
    EXPECT_TRUE(test::all_near(xy.values().to_vector(), inner_by_hand(x, y), bound));
    EXPECT_TRUE(test::all_near(yy.values().to_vector(), inner_by_hand(y, y), bound));
  }
}

TEST_P(BlockOn, CombineAddsTermsAndAnotherBlock) {
  constexpr std::int64_t rows = 2051;
  for (const std::int64_t columns : {1, 5, 8, 40, 67}) {
    SCOPED_TRACE(::testing::Message() << columns << " columns");
    const auto x = random_matrix<double>(rows, 9, 33);
    const auto y = random_matrix<double>(rows, 16, 34);
    const auto z = random_matrix<double>(rows, columns, 35);
    const auto of_x = random_matrix<double>(9, columns, 36);
    const auto of_y = random_matrix<double>(16, columns, 37);
    const MultiVector<double> on_x = to_device(device(), x);
    const MultiVector<double> on_y = to_device(device(), y);
    const MultiVector<double> small_x = to_device(device(), of_x);
    const MultiVector<double> small_y = to_device(device(), of_y);
    const std::vector<SmallTerm<double>> terms{{on_x.view(), small_x.view()}, {on_y.view(), small_y.view()}};
    std::vector<double> expected(z.values.size());
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        double sum = -2 * z(i, j);
        for (std::int64_t k = 0; k < 9; ++k) sum += x(i, k) * of_x(k, j);
        for (std::int64_t k = 0; k < 16; ++k) sum += y(i, k) * of_y(k, j);
        expected[static_cast<std::size_t>(i * columns + j)] = sum;
      }
    }
    const double bound = test::rounding<double>(10, 30);
    MultiVector<double> other(device(), rows, columns);
    MultiVector<double> same = to_device(device(), z);
    combine(device(), terms, -2, same, other);
    EXPECT_TRUE(test::all_near(other.values().to_vector(), expected, bound));
    combine(device(), terms, -2, same, same);
    EXPECT_TRUE(test::all_near(same.values().to_vector(), expected, bound));
  }
}

TEST_P(BlockOn, PicksColumns) {
  const auto x = random_matrix<double>(300, 70, 38);
  std::vector<std::int64_t> which;
  for (std::int64_t j = 69; j >= 0; j -= 1) which.push_back(j);
  MultiVector<double> y(device(), 300, 70);
  pick_columns(device(), to_device(device(), x), which, y);
  const auto picked = y.values().to_vector();
  for (std::size_t e = 0; e < picked.size(); ++e) {
    const std::size_t mirrored = e / 70 * 70 + 69 - e % 70;
    ASSERT_EQ(picked[e], x.values[mirrored]) << "entry " << e;
  }
  which[3] = 70;
  EXPECT_THROW(pick_columns(device(), to_device(device(), x), which, y), Error);
}

TEST_P(BlockOn, RefusesWrongShapes) {
  const MultiVector<double> x(device(), 10, 3);
  const MultiVector<double> y(device(), 9, 3);
  MultiVector<double> s(device(), 3, 3);
  try {
    inner(device(), x, y, s);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "inner: Y is [9 x 3] but [10 x 3] is needed");
  }
  MultiVector<double> z(device(), 10, 3);
  EXPECT_THROW(multiply_small(device(), 1.0, z, s, 0.0, z), Error);
}

}  // namespace
}  // namespace setka::exec
