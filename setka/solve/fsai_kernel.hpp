// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

/// The pattern of a sparse approximate inverse, for loops over block rows on any device.
namespace setka::solve::kernel {

/// A pivot below this part of its diagonal is rounding, as in invert_block().
inline constexpr double lost_pivot = 1e-12;

/// The sum of the squares of block k, [n, n], which lies in row i.
SETKA_HD inline double square_of_block(const sparse::BlockCsrView<double>& a, int n, std::int64_t i,
                                       std::int32_t k) {
  const std::int64_t width = std::int64_t{a.offset[i + 1] - a.offset[i]} * n;
  const double* const block = a.value + std::int64_t{a.offset[i]} * n * n + std::int64_t{k - a.offset[i]} * n;
  double sum = 0;
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) sum += block[r * width + c] * block[r * width + c];
  }
  return sum;
}

/// Frobenius norms of the diagonal blocks; 0 where a row has none.
struct DiagonalSizes {
  sparse::BlockCsrView<double> a;
  int n;
  double* size;  // [rows]

  SETKA_HD void operator()(std::int64_t i) const {
    double own = 0;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      if (a.column[k] == i) own = std::sqrt(square_of_block(a, n, i, k));
    }
    size[i] = own;
  }
};

/// Which blocks of the lower triangle G has.
struct KeptBlocks {
  sparse::BlockCsrView<double> a;
  int n;
  const double* diagonal;  // [rows], DiagonalSizes
  double drop;

  /// visit(column) for the blocks of row i, ascending; the diagonal block is always the last.
  template <class Visit>
  SETKA_HD void each(std::int64_t i, const Visit& visit) const {
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1] && a.column[k] < i; ++k) {
      const double scale = diagonal[i] * diagonal[a.column[k]];
      if (square_of_block(a, n, i, k) > drop * drop * scale) visit(a.column[k]);
    }
    visit(static_cast<std::int32_t>(i));
  }
};

struct CountKept {
  KeptBlocks kept;
  std::int32_t* count;  // [rows]
  SETKA_HD void operator()(std::int64_t i) const {
    std::int32_t own = 0;
    kept.each(i, [&](std::int32_t) { ++own; });
    count[i] = own;
  }
};

struct ListKept {
  KeptBlocks kept;
  const std::int32_t* offset;  // [rows + 1]
  std::int32_t* column;
  SETKA_HD void operator()(std::int64_t i) const {
    std::int32_t* at = column + offset[i];
    kept.each(i, [&](std::int32_t j) { *at++ = j; });
  }
};

/// The most blocks that a row of G has.
struct WidestRow {
  using Value = std::int32_t;
  const std::int32_t* offset;
  SETKA_HD std::int32_t operator()(std::int64_t i) const { return offset[i + 1] - offset[i]; }
  SETKA_HD static std::int32_t combine(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
  SETKA_HD static std::int32_t identity() { return 0; }
};

}  // namespace setka::solve::kernel

namespace setka::solve::cuda {

/// The most unknowns of a row that the GPU computes: some vectors of that length have to fit in the shared
/// memory of a block of threads, 99 kB on the least of GPUs.
inline constexpr std::int64_t max_row_unknowns = 1200;

/// The values of G, [n, blocks in the row, n] a block row, for its pattern; widest: the most blocks of a row.
/// Defined in fsai.cu.
void factor_rows(const exec::Stream& stream, const sparse::BlockCsrView<double>& a, int n,
                 const std::int32_t* offset, const std::int32_t* column, std::int32_t widest, double* value);

}  // namespace setka::solve::cuda
