// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::sparse::kernel {

/// Blocks of a row that go into a row of another matrix.
struct RowPiece {
  std::int32_t row;    // there
  std::int32_t first;  // block of all
  std::int32_t count;
};

/// The blocks of row i with columns from one on and below another.
struct FindColumns {
  BlockCsrView<double> a;
  std::int32_t from;
  std::int32_t below;
  RowPiece* piece;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t end = a.offset[i + 1];
    const std::int32_t first = first_not_below(a.column, a.offset[i], end, from);
    piece[i] = {static_cast<std::int32_t>(i), first, first_not_below(a.column, first, end, below) - first};
  }
};

/// Copies the piece of row i to where it belongs in row first_row + i.
struct CopyPiece {
  BlockCsrView<double> a;
  const RowPiece* piece;
  int height;
  int width;
  std::int32_t shift;          // added to columns
  std::int64_t first_row;      // of those that are written
  const std::int32_t* skip;    // [pieces] blocks of the new row before it; null: none
  const std::int32_t* offset;  // of the new matrix
  std::int32_t* column;
  double* value;

  SETKA_HD void operator()(std::int64_t i) const {
    const RowPiece p = piece[i];
    const std::int32_t begin = a.offset[p.row];
    const std::int64_t wide = std::int64_t{a.offset[p.row + 1] - begin} * width;
    const double* const from =
        a.value + std::int64_t{begin} * height * width + std::int64_t{p.first - begin} * width;
    const std::int64_t row = first_row + i;
    const std::int32_t start = offset[row];
    const std::int32_t place = skip == nullptr ? 0 : skip[i];
    const std::int64_t new_wide = std::int64_t{offset[row + 1] - start} * width;
    double* const to = value + std::int64_t{start} * height * width + std::int64_t{place} * width;
    for (std::int32_t k = 0; k < p.count; ++k) column[start + place + k] = a.column[p.first + k] + shift;
    for (int r = 0; r < height; ++r) {
      for (std::int64_t k = 0; k < std::int64_t{p.count} * width; ++k)
        to[r * new_wide + k] = from[r * wide + k];
    }
  }
};

struct Renumber {
  const std::int32_t* number;
  std::int32_t* column;

  SETKA_HD void operator()(std::int64_t k) const { column[k] = number[column[k]]; }
};

/// Adds to numbers.
struct Shift {
  std::int32_t by;
  std::int32_t* number;

  SETKA_HD void operator()(std::int64_t i) const { number[i] += by; }
};

}  // namespace setka::sparse::kernel
