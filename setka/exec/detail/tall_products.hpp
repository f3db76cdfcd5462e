// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "setka/exec/host_vector.hpp"
#include "setka/exec/view.hpp"

/// Products of tall blocks with small matrices on the CPU, for some rows: tiles of sums that stay in vector
/// registers. Libraries pack both factors for products of square matrices, which here takes as long as the
/// product itself.
namespace setka::exec::host {

/// Of a tile's width, so that its sums fit into the registers.
inline constexpr int most_vectors = vector_registers >= 32 ? 5 : 3;
inline constexpr int tile_rows = 4;

/// Calls with a number of rows 1 .. tile_rows and of vectors 1 .. most_vectors as constants.
template <class Call>
void with_tile(std::int64_t rows, std::int64_t vectors, const Call& call) {
  const auto with_vectors = [&]<int V>(std::integral_constant<int, V> width) {
    switch (rows) {
      case 1:
        return call(std::integral_constant<int, 1>(), width);
      case 2:
        return call(std::integral_constant<int, 2>(), width);
      case 3:
        return call(std::integral_constant<int, 3>(), width);
      default:
        return call(std::integral_constant<int, tile_rows>(), width);
    }
  };
  [&]<int... V>(std::integer_sequence<int, V...>) {
    ((vectors == V + 1 ? with_vectors(std::integral_constant<int, V + 1>()) : void()), ...);
  }
  (std::make_integer_sequence<int, most_vectors>());
}

/// How `vectors` are cut into groups of at most most_vectors, as even as possible: visit(first, count).
template <class Visit>
void each_group(std::int64_t vectors, const Visit& visit) {
  const std::int64_t groups = (vectors + most_vectors - 1) / most_vectors;
  for (std::int64_t g = 0, first = 0; g < groups; ++g) {
    const std::int64_t count = (vectors - first + groups - g - 1) / (groups - g);
    visit(first, count);
    first += count;
  }
}

template <class T>
std::int64_t vectors_of(std::int64_t columns) {
  return (columns + lanes<T> - 1) / lanes<T>;
}

/// X and the small matrix that it is multiplied by, whose rows are filled up with zeros to whole vectors.
template <class T>
struct PackedTerm {
  MultiView<const T> x;
  const T* s;  // [x.columns, vectors_of(y.columns) lanes]
};

/// R rows of Y = sum of X_k S_k + b Z, for V vectors of columns from the vector `first` on.
template <int R, int V, class T>
void multiply_tile(std::span<const PackedTerm<T>> terms, std::int64_t row, std::int64_t first, T b,
                   MultiView<const T> z, MultiView<T> y) {
  const std::int64_t width = vectors_of<T>(y.columns) * lanes<T>;
  Vector<T> sum[R][V] = {};
  for (const PackedTerm<T>& term : terms) {
    const T* const x = term.x.data + row * term.x.stride;
    const T* s = term.s + first * lanes<T>;
    for (std::int64_t k = 0; k < term.x.columns; ++k, s += width) {
      Vector<T> factor[V];
      for (int v = 0; v < V; ++v) factor[v] = load_vector(s + v * lanes<T>);
      for (int r = 0; r < R; ++r) {
        const T value = x[r * term.x.stride + k];
        for (int v = 0; v < V; ++v) sum[r][v] += value * factor[v];
      }
    }
  }
  if ((first + V) * lanes<T> <= y.columns) {
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      T* const to = &y(row + r, first * lanes<T>);
      const T* const from = b != T(0) ? &z(row + r, first * lanes<T>) : to;
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        Vector<T> value = sum[r][v];
        if (b != T(0)) value += b * load_vector(from + v * lanes<T>);
        std::memcpy(to + v * lanes<T>, &value, sizeof(value));
      }
    }
    return;
  }
  for (int r = 0; r < R; ++r) {
    T sums[V * lanes<T>];
    std::memcpy(sums, sum[r], sizeof(sums));
    const std::int64_t column = first * lanes<T>;
    for (std::int64_t j = column; j < std::min(y.columns, column + V * lanes<T>); ++j)
      y(row + r, j) = b != T(0) ? sums[j - column] + b * z(row + r, j) : sums[j - column];
  }
}

/// Y = sum of X_k S_k + b Z for rows begin .. end - 1; Z may be Y. 2 p q flops a row and term.
template <class T>
void multiply_rows(std::span<const PackedTerm<T>> terms, std::int64_t begin, std::int64_t end, T b,
                   MultiView<const T> z, MultiView<T> y) {
  for (std::int64_t row = begin; row < end; row += tile_rows) {
    each_group(vectors_of<T>(y.columns), [&](std::int64_t first, std::int64_t count) {
      with_tile(std::min<std::int64_t>(tile_rows, end - row), count, [&](auto rows, auto vectors) {
        multiply_tile<rows(), vectors()>(terms, row, first, b, z, y);
      });
    });
  }
}

/// R rows of S += X'Y, from column `row` of X on, for V vectors of columns of Y. y: [rows, whole vectors]
template <int R, int V, class T>
void inner_tile(const T* x, std::int64_t x_stride, const T* y, std::int64_t y_stride, std::int64_t rows, T* s,
                std::int64_t s_stride) {
  Vector<T> sum[R][V];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) sum[r][v] = load_vector(s + r * s_stride + v * lanes<T>);
  }
  for (std::int64_t i = 0; i < rows; ++i, x += x_stride, y += y_stride) {
    Vector<T> factor[V];
    for (int v = 0; v < V; ++v) factor[v] = load_vector(y + v * lanes<T>);
    for (int r = 0; r < R; ++r) {
      for (int v = 0; v < V; ++v) sum[r][v] += x[r] * factor[v];
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) std::memcpy(s + r * s_stride + v * lanes<T>, &sum[r][v], sizeof(sum[r][v]));
  }
}

/// S += X'Y over some rows; s: [x.columns, whole vectors], y is read in whole vectors of its rows.
template <class T>
void add_inner(MultiView<const T> x, const T* y, std::int64_t y_stride, std::int64_t vectors, T* s) {
  const std::int64_t s_stride = vectors * lanes<T>;
  for (std::int64_t row = 0; row < x.columns; row += tile_rows) {
    each_group(vectors, [&](std::int64_t first, std::int64_t count) {
      with_tile(std::min<std::int64_t>(tile_rows, x.columns - row), count, [&](auto rows, auto width) {
        const std::int64_t at = first * lanes<T>;
        inner_tile<rows(), width()>(x.data + row, x.stride, y + at, y_stride, x.rows, s + row * s_stride + at,
                                    s_stride);
      });
    });
  }
}

}  // namespace setka::exec::host
