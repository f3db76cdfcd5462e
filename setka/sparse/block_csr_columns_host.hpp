// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "setka/exec/host_vector.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/block_csr_columns.hpp"
#include "setka/sparse/block_csr_product.hpp"

/// The CPU's side of block_csr_columns.hpp, for .cpp files that call product_columns().
namespace setka::sparse::host {

inline constexpr int half_vector = exec::host::vector_bytes / 2;
inline constexpr int least_vector = std::min(16, half_vector);  // bytes; fewer columns go one by one

/// Whole vectors of columns that stay in registers, H sums of each and what is loaded, beside half a one.
template <int H>
inline constexpr int most_vectors = std::max(1, (3 * exec::host::vector_registers / 4) / (H + 1));

/// N vectors of columns, and one of fewer bytes unless rest_bytes is 0: a value of A meets all of them.
template <int H, int W, int N, int rest_bytes, class T, class Epilogue>
void add_vectors(const BlockCsrView<T>& a, std::int64_t i, exec::MultiView<const T> x, std::int64_t first,
                 const Epilogue& epilogue) {
  using exec::host::Vector;
  constexpr int whole = N * exec::host::lanes<T>;
  constexpr bool more = rest_bytes > 0;
  constexpr int last_bytes = more ? rest_bytes : half_vector;
  constexpr int columns = whole + (more ? exec::host::lanes<T, last_bytes> : 0);
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const std::int64_t n = std::int64_t{end - begin} * W;
  const T* values = a.value + std::int64_t{begin} * H * W;
  Vector<T> sum[H][std::max(N, 1)] = {};
  Vector<T, last_bytes> rest[H] = {};
  for (std::int32_t k = begin; k < end; ++k, values += W) {
    for (int c = 0; c < W; ++c) {
      const T* const from = &x(std::int64_t{a.column[k]} * W + c, first);
      Vector<T> entry[std::max(N, 1)];
      for (int v = 0; v < N; ++v) entry[v] = exec::host::load_vector(from + v * exec::host::lanes<T>);
      Vector<T, last_bytes> last{};
      if constexpr (more) last = exec::host::load_vector<T, last_bytes>(from + whole);
      for (int r = 0; r < H; ++r) {
        const T value = values[r * n + c];
        for (int v = 0; v < N; ++v) sum[r][v] += value * entry[v];
        if constexpr (more) rest[r] += value * last;
      }
    }
  }
  T sums[H][columns];
  for (int r = 0; r < H; ++r) {
    if constexpr (N > 0) std::memcpy(sums[r], sum[r], sizeof(sum[r]));
    if constexpr (more) std::memcpy(sums[r] + whole, &rest[r], sizeof(rest[r]));
  }
  epilogue.template columns<H, columns>(i, first, sums);
}

/// One column: the vector registers run along the row.
template <int H, int W, class T, class Epilogue>
void add_column(const BlockCsrView<T>& a, std::int64_t i, exec::MultiView<const T> x, std::int64_t column,
                const Epilogue& epilogue) {
  thread_local std::vector<T> picked;
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const std::int64_t n = std::int64_t{end - begin} * W;
  picked.resize(static_cast<std::size_t>(n));
  T* out = picked.data();
  for (std::int32_t k = begin; k < end; ++k) {
    for (int c = 0; c < W; ++c) *out++ = x(std::int64_t{a.column[k]} * W + c, column);
  }
  const T* const values = a.value + std::int64_t{begin} * H * W;
  T row[H];
  contiguous_dots(values, picked.data(), n, row);
  T sum[H][1];
  for (int r = 0; r < H; ++r) sum[r][0] = row[r];
  epilogue.template columns<H, 1>(i, column, sum);
}

/// Of so many columns, those that go together: where not all of them fit into registers, even shares in whole
/// vectors, since a last vector alone would take about as long as several.
template <int H, class T>
std::int64_t columns_of_share(std::int64_t left) {
  const std::int64_t vectors = left / exec::host::lanes<T>;
  if (vectors <= most_vectors<H>) return left;
  const std::int64_t shares = (vectors + most_vectors<H> - 1) / most_vectors<H>;
  return (vectors + shares - 1) / shares * exec::host::lanes<T>;
}

/// As many columns from `first` on as fit into registers, at least half a vector, of those that are left; how
/// many they were.
template <int H, int W, int N, class T, class Epilogue>
std::int64_t add_some(const BlockCsrView<T>& a, std::int64_t i, exec::MultiView<const T> x,
                      std::int64_t first, std::int64_t left, const Epilogue& epilogue) {
  constexpr int whole = N * exec::host::lanes<T>;
  constexpr int half = exec::host::lanes<T, half_vector>;
  if (left >= whole + half) {
    add_vectors<H, W, N, half_vector>(a, i, x, first, epilogue);
    return whole + half;
  }
  if constexpr (N > 0) {
    if (left < whole) return add_some<H, W, N - 1>(a, i, x, first, left, epilogue);
    add_vectors<H, W, N, 0>(a, i, x, first, epilogue);
  }
  return whole;
}

template <int H, int W, class T, class Epilogue>
void product_columns(int threads, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                     const Epilogue& epilogue) {
  constexpr int half = exec::host::lanes<T, half_vector>;
  exec::host::for_each(threads, a.rows, 64, [&](std::int64_t i) {
    std::int64_t first = 0;
    while (x.columns - first >= half) {
      const std::int64_t share = columns_of_share<H, T>(x.columns - first);
      first += add_some<H, W, most_vectors<H>>(a, i, x, first, share, epilogue);
    }
    constexpr int least = exec::host::lanes<T, least_vector>;
    for (; x.columns - first >= least; first += least)
      add_vectors<H, W, 0, least_vector>(a, i, x, first, epilogue);
    for (; first < x.columns; ++first) add_column<H, W>(a, i, x, first, epilogue);
  });
}

}  // namespace setka::sparse::host
