// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "setka/base/dense.hpp"

/// The small dense algebra of block methods, on the host: as many rows and columns as a block has columns.
namespace setka::solve {

struct SmallMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> value;  // [rows, columns], last index fastest

  SmallMatrix() = default;
  SmallMatrix(std::int64_t row_count, std::int64_t column_count)  // zeros
      : rows(row_count), columns(column_count), value(static_cast<std::size_t>(row_count * column_count)) {}

  double& operator()(std::int64_t i, std::int64_t j) {
    return value[static_cast<std::size_t>(i * columns + j)];
  }
  double operator()(std::int64_t i, std::int64_t j) const {
    return value[static_cast<std::size_t>(i * columns + j)];
  }

  auto parts() { return std::tie(rows, columns, value); }

  DenseView<double> view() { return {value.data(), rows, columns, columns, 1}; }
  ConstDenseView view() const { return {value.data(), rows, columns, columns, 1}; }
};

/// The same matrix, last index fastest.
SmallMatrix small_matrix(ConstDenseView a);

SmallMatrix operator*(const SmallMatrix& a, const SmallMatrix& b);

enum class Definiteness { positive, singular, indefinite, not_finite };

/// Of the symmetric part of a, scaled to a unit diagonal, of which an eigenvalue below -slack is called
/// indefinite and one that rounding hides singular.
Definiteness definiteness(const SmallMatrix& a, double slack);

/// A^-1 B; A is symmetric and positive by definiteness().
SmallMatrix solve_positive(const SmallMatrix& a, const SmallMatrix& b);

/// From G = T'T, what makes the columns of T orthonormal: T = (T transform) factor, up to columns that are
/// dropped.
struct Orthonormaliser {
  SmallMatrix transform;  // [s, r], r <= s
  SmallMatrix factor;     // [r, s]
  bool complete = true;   // else T transform is better conditioned than T, but has to go through it again

  auto parts() { return std::tie(transform, factor, complete); }
};

/// A Gram matrix shows what is above the root of the rounding: T that depends less is made orthonormal by
/// Cholesky's factor of it (Cholesky-QR); T that depends more is first turned to its principal axes and
/// scaled, those that rounding hides to a size at which the next Gram matrix shows them. Columns shorter than
/// `drop` are dropped. `last`: what is still dependent is dropped too.
Orthonormaliser orthonormaliser(const SmallMatrix& gram, double drop, bool last);

}  // namespace setka::solve
