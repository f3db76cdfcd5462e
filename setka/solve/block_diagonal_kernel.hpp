// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::solve::kernel {

/// Inverts a small symmetric block in place, row-major, by Gauss-Jordan without pivoting. Unknowns that
/// nothing holds (a diagonal that is zero, or lost to rounding) get a zero row and column: what multiplies
/// with the inverse leaves them alone. A block that is not positive definite is inverted as it is, for the
/// solver to notice.
template <int N, class T>
SETKA_HD void invert_block(T (&a)[N * N]) {
  T size[N];
  bool held[N];
  for (int i = 0; i < N; ++i) size[i] = a[i * N + i] < T(0) ? -a[i * N + i] : a[i * N + i];
  for (int p = 0; p < N; ++p) {
    const T pivot = a[p * N + p];
    held[p] = (pivot < T(0) ? -pivot : pivot) > T(1e-12) * size[p];
    if (!held[p]) {
      for (int j = 0; j < N; ++j) a[p * N + j] = a[j * N + p] = T(0);
      continue;
    }
    const T scale = T(1) / pivot;
    for (int j = 0; j < N; ++j) {
      if (j != p) a[p * N + j] *= scale;
    }
    for (int i = 0; i < N; ++i) {
      if (i == p) continue;
      const T factor = a[i * N + p];
      for (int j = 0; j < N; ++j) {
        if (j != p) a[i * N + j] -= factor * a[p * N + j];
      }
      a[i * N + p] = -factor * scale;
    }
    a[p * N + p] = scale;
  }
}

/// The diagonal block of a row, row-major; zeros where the row has none.
template <int N>
SETKA_HD void diagonal_block(const sparse::BlockCsrView<double>& a, std::int64_t i, double (&block)[N * N]) {
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const std::int32_t at = sparse::first_not_below(a.column, begin, end, static_cast<std::int32_t>(i));
  const bool there = at < end && a.column[at] == i;
  const std::int64_t n = std::int64_t{end - begin} * N;
  const double* const values = a.value + std::int64_t{begin} * N * N + std::int64_t{at - begin} * N;
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c) block[r * N + c] = there ? values[r * n + c] : 0.0;
  }
}

/// The inverses of the diagonal blocks.
template <int N>
struct InvertBlocks {
  sparse::BlockCsrView<double> a;
  double* inverse;  // [rows, N, N]

  SETKA_HD void operator()(std::int64_t i) const {
    double block[N * N];
    diagonal_block<N>(a, i, block);
    invert_block<N>(block);
    for (int e = 0; e < N * N; ++e) inverse[i * N * N + e] = block[e];
  }
};

/// The reciprocals of the diagonal.
template <int N>
struct InvertDiagonal {
  sparse::BlockCsrView<double> a;
  double* inverse;  // [rows, N]

  SETKA_HD void operator()(std::int64_t i) const {
    double block[N * N];
    diagonal_block<N>(a, i, block);
    for (int r = 0; r < N; ++r) {
      const double diagonal = block[r * N + r];
      inverse[i * N + r] = diagonal != 0 ? 1 / diagonal : 0.0;
    }
  }
};

template <int N>
struct InvertInPlace {
  double* blocks;  // [blocks, N, N]

  SETKA_HD void operator()(std::int64_t i) const {
    double block[N * N];
    for (int e = 0; e < N * N; ++e) block[e] = blocks[i * N * N + e];
    invert_block<N>(block);
    for (int e = 0; e < N * N; ++e) blocks[i * N * N + e] = block[e];
  }
};

/// See inverse_scales().
template <int N>
struct InverseScales {
  sparse::BlockCsrView<double> a;
  const double* inverse;  // of the diagonal, [rows, N]; 0 where that is zero
  bool signed_scales;
  double* scale;  // [rows, N]

  SETKA_HD void operator()(std::int64_t block_row) const {
    constexpr double next_to_nothing = 1e-8;
    const std::int32_t begin = a.offset[block_row];
    const std::int64_t width = std::int64_t{a.offset[block_row + 1] - begin} * N;
    for (int r = 0; r < N; ++r) {
      const std::int64_t i = block_row * N + r;
      const double* const values = a.value + std::int64_t{begin} * N * N + r * width;
      double largest = 0;
      double eliminated = 0;
      for (std::int64_t k = 0; k < width; ++k) {
        const std::int64_t j = std::int64_t{a.column[begin + k / N]} * N + k % N;
        if (j == i) continue;
        const double size = fabs(values[k]);
        largest = size > largest ? size : largest;
        eliminated += size * size * fabs(inverse[j]);
      }
      const double own = inverse[i];
      if (own != 0 && 1 >= next_to_nothing * largest * fabs(own)) {
        scale[i] = signed_scales ? own : fabs(own);
      } else {
        scale[i] = eliminated > 0 ? 1 / eliminated : largest > 0 ? 1 / largest : 1.0;
      }
    }
  }
};

/// z_i = D_i r_i, block by block and column by column.
template <int N, class T>
struct MultiplyDiagonal {
  const T* d;  // [blocks, N, N]
  exec::MultiView<const T> r;
  exec::MultiView<T> z;

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = at / r.columns;
    const std::int64_t column = at % r.columns;
    for (int a = 0; a < N; ++a) {
      T sum = 0;
      for (int b = 0; b < N; ++b) sum += d[(i * N + a) * N + b] * r(i * N + b, column);
      z(i * N + a, column) = sum;
    }
  }
};

}  // namespace setka::solve::kernel
