// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::fem::kernel {

/// Sparse rows on a device: row i has entries first[i] .. first[i + 1].
struct SparseView {
  const std::int64_t* first;
  const std::int32_t* index;
  const double* coefficient;
};

/// A loop over entries of rows that have some columns: columns are rounded up to a power of two, so that an
/// index falls apart into row and column by shifts.
struct RowAndColumn {
  int shift = 0;

  SETKA_HD static RowAndColumn of(std::int64_t columns) {
    RowAndColumn split;
    while ((std::int64_t{1} << split.shift) < columns) ++split.shift;
    return split;
  }
  SETKA_HD std::int64_t count(std::int64_t rows) const { return rows << shift; }
  SETKA_HD std::int64_t row(std::int64_t i) const { return i >> shift; }
  SETKA_HD std::int64_t column(std::int64_t i) const { return i & ((std::int64_t{1} << shift) - 1); }
};

/// y = A x for sparse rows, each summed in the order of its entries.
struct MultiplySparse {
  SparseView a;
  exec::MultiView<const double> x;
  exec::MultiView<double> y;
  RowAndColumn split;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t row = split.row(i);
    const std::int64_t column = split.column(i);
    if (column >= y.columns) return;
    double sum = 0;
    for (std::int64_t k = a.first[row]; k < a.first[row + 1]; ++k)
      sum += a.coefficient[k] * x(a.index[k], column);
    y(row, column) = sum;
  }
};

/// Row i of y is row from[i] of x, or zero where there is none (-1).
struct PickRows {
  const std::int32_t* from;
  exec::MultiView<const double> x;
  exec::MultiView<double> y;
  RowAndColumn split;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t row = split.row(i);
    const std::int64_t column = split.column(i);
    if (column >= y.columns) return;
    y(row, column) = from[row] < 0 ? 0.0 : x(from[row], column);
  }
};

}  // namespace setka::fem::kernel
