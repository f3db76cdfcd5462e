// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/base/dense.hpp"

/// Dense matrices in formulas. In the namespace of the matrices, where operators are looked for.
namespace setka {

inline Dense operator*(ConstDenseView a, ConstDenseView b) {
  return product(a, b);
}

inline std::vector<double> operator*(const Dense& a, std::span<const double> x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows()));
  for (std::int64_t j = 0; j < a.columns(); ++j) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += a.column(j)[i] * x[static_cast<std::size_t>(j)];
  }
  return y;
}

inline Dense operator*(double factor, ConstDenseView a) {
  Dense made(a);
  for (double& value : made.values()) value *= factor;
  return made;
}

inline Dense operator+(ConstDenseView a, ConstDenseView b) {
  Dense sum(a);
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) sum(i, j) += b(i, j);
  }
  return sum;
}

inline Dense operator-(ConstDenseView a, ConstDenseView b) {
  return a + -1.0 * b;
}

namespace test {

/// Of the sizes of the entries.
inline double largest(ConstDenseView a) {
  double most = 0;
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) most = std::max(most, std::abs(a(i, j)));
  }
  return most;
}
inline double largest(std::span<const double> values) {
  return largest(ConstDenseView{values.data(), static_cast<std::int64_t>(values.size()), 1, 1, 0});
}

/// The largest sum of sizes in a row: what bounds a product.
inline double largest_row_sum(const Dense& a) {
  std::vector<double> sum(static_cast<std::size_t>(a.rows()));
  for (std::int64_t j = 0; j < a.columns(); ++j) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += std::abs(a.column(j)[i]);
  }
  return largest(sum);
}

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Values row by row, and back.
inline std::vector<double> by_rows(const Dense& a) {
  const Dense rows(a.transposed());
  return {rows.values().begin(), rows.values().end()};
}
inline Dense from_rows(std::span<const double> values, std::int64_t rows, std::int64_t columns) {
  return Dense(ConstDenseView{values.data(), rows, columns, columns, 1});
}

}  // namespace test
}  // namespace setka
