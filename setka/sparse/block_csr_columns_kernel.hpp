// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::sparse::kernel {

/// Neighbouring columns of a row, moved in one word.
template <int V, class T>
struct alignas(V * sizeof(T)) ColumnWord {
  T value[V];
};

/// V neighbouring columns from memory; on a GPU they lie as one word.
template <int V, class T>
SETKA_HD inline void load_columns(const T* from, T (&to)[V]) {
#ifdef __CUDA_ARCH__
  const auto word = *reinterpret_cast<const ColumnWord<V, T>*>(from);
  SETKA_UNROLL
  for (int v = 0; v < V; ++v) to[v] = word.value[v];
#else
  for (int v = 0; v < V; ++v) to[v] = from[v];
#endif
}

/// And back.
template <int V, class T>
SETKA_HD inline void store_columns(const T (&from)[V], T* to) {
#ifdef __CUDA_ARCH__
  ColumnWord<V, T> word;
  SETKA_UNROLL
  for (int v = 0; v < V; ++v) word.value[v] = from[v];
  *reinterpret_cast<ColumnWord<V, T>*>(to) = word;
#else
  for (int v = 0; v < V; ++v) to[v] = from[v];
#endif
}

/// Whether every group of v columns of a block lies as one word.
template <class T>
bool in_words(exec::MultiView<T> block, int v) {
  return block.columns % v == 0 && block.stride % v == 0 &&
         reinterpret_cast<std::uintptr_t>(block.data) % (static_cast<unsigned>(v) * sizeof(T)) == 0;
}

/// What becomes of the sums of a block row for some columns: Y = A X. The general case below takes a quarter
/// longer at 8 columns on an H200.
template <class T>
struct PutColumns {
  exec::MultiView<T> y;

  bool in_words(int v) const { return kernel::in_words(y, v); }

  template <int H, int V>
  SETKA_HD void columns(std::int64_t i, std::int64_t first, const T (&sum)[H][V]) const {
    SETKA_UNROLL
    for (int r = 0; r < H; ++r) store_columns<V>(sum[r], &y(i * H + r, first));
  }
};

/// Y = s (A X) + t Z.
template <class T>
struct StoreColumns {
  T s;
  T t;
  exec::MultiView<const T> z;
  exec::MultiView<T> y;

  bool in_words(int v) const { return kernel::in_words(y, v) && (t == T(0) || kernel::in_words(z, v)); }

  template <int H, int V>
  SETKA_HD void columns(std::int64_t i, std::int64_t first, const T (&sum)[H][V]) const {
    SETKA_UNROLL
    for (int r = 0; r < H; ++r) {
      T value[V];
      if (t == T(0)) {
        SETKA_UNROLL
        for (int v = 0; v < V; ++v) value[v] = s * sum[r][v];
      } else {
        T before[V] = {};
        load_columns<V>(&z(i * H + r, first), before);
        SETKA_UNROLL
        for (int v = 0; v < V; ++v) value[v] = s * sum[r][v] + t * before[v];
      }
      store_columns<V>(value, &y(i * H + r, first));
    }
  }
};

}  // namespace setka::sparse::kernel
