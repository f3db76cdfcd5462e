// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr_columns_kernel.hpp"

namespace setka::solve::kernel {

/// One step of a Chebyshev iteration on a block row, from the row's part of A x:
/// d = momentum d + step D^-1 (f - A x), out = x + d.
template <class T>
struct ChebyshevStep {
  static constexpr bool square = true;
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

/// What the columns of other members of a team change in such a step, from their part of A x:
/// d = d - step D^-1 (A x), out = out - step D^-1 (A x).
template <class T>
struct ChebyshevBeside {
  static constexpr bool square = true;
  T step;
  const T* inverse;  // [blocks, H, H]
  T* d;
  T* out;

  template <int H>
  SETKA_HD void row(std::int64_t i, const T (&sum)[H]) const {
    for (int r = 0; r < H; ++r) {
      T change = 0;
      for (int c = 0; c < H; ++c) change += inverse[(i * H + r) * H + c] * sum[c];
      d[i * H + r] -= step * change;
      out[i * H + r] -= step * change;
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

/// ChebyshevStep for some columns of a block row.
template <class T>
struct ChebyshevColumnsStep {
  static constexpr bool square = true;
  T momentum;
  T step;
  const T* inverse;  // [blocks, H, H]
  exec::MultiView<const T> f;
  exec::MultiView<const T> x;
  exec::MultiView<T> d;
  exec::MultiView<T> out;  // not x: other rows still read it

  bool in_words(int v) const {
    using sparse::kernel::in_words;
    return in_words(f, v) && in_words(x, v) && in_words(d, v) && in_words(out, v);
  }

  template <int H, int V>
  SETKA_HD void columns(std::int64_t i, std::int64_t first, const T (&sum)[H][V]) const {
    using sparse::kernel::load_columns;
    using sparse::kernel::store_columns;
    T left[H][V] = {};
    SETKA_UNROLL
    for (int r = 0; r < H; ++r) {
      load_columns<V>(&f(i * H + r, first), left[r]);
      SETKA_UNROLL
      for (int v = 0; v < V; ++v) left[r][v] -= sum[r][v];
    }
    SETKA_UNROLL
    for (int r = 0; r < H; ++r) {
      T change[V] = {};
      SETKA_UNROLL
      for (int c = 0; c < H; ++c) {
        const T factor = step * inverse[(i * H + r) * H + c];
        SETKA_UNROLL
        for (int v = 0; v < V; ++v) change[v] += factor * left[c][v];
      }
      T value[V] = {};
      if (momentum != T(0)) {
        load_columns<V>(&d(i * H + r, first), value);
        SETKA_UNROLL
        for (int v = 0; v < V; ++v) change[v] += momentum * value[v];
      }
      store_columns<V>(change, &d(i * H + r, first));
      load_columns<V>(&x(i * H + r, first), value);
      SETKA_UNROLL
      for (int v = 0; v < V; ++v) value[v] += change[v];
      store_columns<V>(value, &out(i * H + r, first));
    }
  }
};

/// ChebyshevBeside for some columns of a block row.
template <class T>
struct ChebyshevColumnsBeside {
  static constexpr bool square = true;
  T step;
  const T* inverse;  // [blocks, H, H]
  exec::MultiView<T> d;
  exec::MultiView<T> out;

  bool in_words(int v) const {
    using sparse::kernel::in_words;
    return in_words(d, v) && in_words(out, v);
  }

  template <int H, int V>
  SETKA_HD void columns(std::int64_t i, std::int64_t first, const T (&sum)[H][V]) const {
    using sparse::kernel::load_columns;
    using sparse::kernel::store_columns;
    SETKA_UNROLL
    for (int r = 0; r < H; ++r) {
      T change[V] = {};
      SETKA_UNROLL
      for (int c = 0; c < H; ++c) {
        const T factor = step * inverse[(i * H + r) * H + c];
        SETKA_UNROLL
        for (int v = 0; v < V; ++v) change[v] += factor * sum[c][v];
      }
      T value[V] = {};
      load_columns<V>(&d(i * H + r, first), value);
      SETKA_UNROLL
      for (int v = 0; v < V; ++v) value[v] -= change[v];
      store_columns<V>(value, &d(i * H + r, first));
      load_columns<V>(&out(i * H + r, first), value);
      SETKA_UNROLL
      for (int v = 0; v < V; ++v) value[v] -= change[v];
      store_columns<V>(value, &out(i * H + r, first));
    }
  }
};

/// ChebyshevStart for an entry (block row, column).
template <int H, class T>
struct ChebyshevColumnsStart {
  T step;
  const T* inverse;
  exec::MultiView<const T> f;
  exec::MultiView<T> d;
  exec::MultiView<T> x;

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = at / f.columns;
    const std::int64_t j = at % f.columns;
    for (int r = 0; r < H; ++r) {
      T change = 0;
      for (int c = 0; c < H; ++c) change += inverse[(i * H + r) * H + c] * f(i * H + c, j);
      d(i * H + r, j) = x(i * H + r, j) = step * change;
    }
  }

  /// All columns of a block row: what a CPU takes at a time.
  void row(std::int64_t i) const {
    for (int r = 0; r < H; ++r) {
      const T* const factor = inverse + (i * H + r) * H;
      T* const to_d = &d(i * H + r, 0);
      T* const to_x = &x(i * H + r, 0);
      const T* const from = &f(i * H, 0);
#pragma omp simd
      for (std::int64_t j = 0; j < f.columns; ++j) {
        T change = 0;
        for (int c = 0; c < H; ++c) change += factor[c] * from[c * f.stride + j];
        to_d[j] = to_x[j] = step * change;
      }
    }
  }
};

}  // namespace setka::solve::kernel
