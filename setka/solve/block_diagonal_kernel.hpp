// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

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

/// z_i = D_i r_i, block by block and column by column.
template <int N, class T>
struct MultiplyDiagonal {
  const T* d;  // [blocks, N, N]
  exec::MultiView<const double> r;
  exec::MultiView<double> z;

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = at / r.columns;
    const std::int64_t column = at % r.columns;
    for (int a = 0; a < N; ++a) {
      double sum = 0;
      for (int b = 0; b < N; ++b) sum += double(d[(i * N + a) * N + b]) * r(i * N + b, column);
      z(i * N + a, column) = sum;
    }
  }
};

}  // namespace setka::solve::kernel
