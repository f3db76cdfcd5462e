// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::solve::kernel {

/// One step of a Chebyshev iteration on a block row, from the row's part of A x:
/// d = momentum d + step D^-1 (f - A x), out = x + d.
template <class T>
struct ChebyshevStep {
  T momentum;
  T step;
  const T* inverse;  // [blocks, H, H]
  const T* f;
  const T* x;
  T* d;
  T* out;  // not x: other rows still read it

  template <int H>
  SETKA_HD void row(std::int64_t i, const T (&sum)[H]) const {
    T left[H];
    for (int r = 0; r < H; ++r) left[r] = f[i * H + r] - sum[r];
    for (int r = 0; r < H; ++r) {
      T change = 0;
      for (int c = 0; c < H; ++c) change += inverse[(i * H + r) * H + c] * left[c];
      const std::int64_t at = i * H + r;
      const T moved = momentum == T(0) ? step * change : momentum * d[at] + step * change;
      d[at] = moved;
      out[at] = x[at] + moved;
    }
  }
};

/// The first step from x = 0: d = x = step D^-1 f.
template <int H, class T>
struct ChebyshevStart {
  T step;
  const T* inverse;
  const T* f;
  T* d;
  T* x;

  SETKA_HD void operator()(std::int64_t i) const {
    for (int r = 0; r < H; ++r) {
      T change = 0;
      for (int c = 0; c < H; ++c) change += inverse[(i * H + r) * H + c] * f[i * H + c];
      d[i * H + r] = x[i * H + r] = step * change;
    }
  }
};

}  // namespace setka::solve::kernel
