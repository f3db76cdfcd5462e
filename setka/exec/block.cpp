// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/block.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>
#include <Eigen/Core>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"

namespace setka::exec {

namespace cuda {  // block.cu
template <class T>
void inner(const Stream& stream, MultiView<const T> x, MultiView<const T> y, MultiView<T> s);
template <class T>
void multiply_small(const Stream& stream, T a, MultiView<const T> x, MultiView<const T> s, T b,
                    MultiView<T> y);
template <class T>
void column_dots(const Stream& stream, MultiView<const T> x, MultiView<const T> y, View<T> d);
template <class T>
void scale_columns(const Stream& stream, View<const T> a, MultiView<T> x);
template <class T>
void axpby_columns(const Stream& stream, View<const T> a, MultiView<const T> x, View<const T> b,
                   MultiView<T> y);
}  // namespace cuda

namespace {

void check_shape(const char* operation, const char* what, std::int64_t rows, std::int64_t columns,
                 std::int64_t wanted_rows, std::int64_t wanted_columns) {
  require(rows == wanted_rows && columns == wanted_columns, [&] {
    return fmt::format("{}: {} is [{} x {}] but [{} x {}] is needed", operation, what, rows, columns,
                       wanted_rows, wanted_columns);
  });
}

void check_length(const char* operation, const char* what, std::int64_t size, std::int64_t wanted) {
  require(size == wanted, [&] {
    return fmt::format("{}: {} has {} entries but {} are needed", operation, what, size, wanted);
  });
}

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using ConstMap = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;
template <class T>
using Map = Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>;

template <class T>
ConstMap<T> rows_of(MultiView<const T> x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.stride, count, x.columns, Eigen::OuterStride<>(x.stride)};
}
template <class T>
Map<T> rows_of(MultiView<T> x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.stride, count, x.columns, Eigen::OuterStride<>(x.stride)};
}

// Rows a chunk: enough for a matrix product to reach its speed, few enough to stay in the second-level cache.
constexpr std::int64_t chunk_rows = 2048;

std::int64_t chunk_count(std::int64_t rows) {
  return (rows + chunk_rows - 1) / chunk_rows;
}
std::int64_t rows_in_chunk(std::int64_t rows, std::int64_t chunk) {
  return std::min(chunk_rows, rows - chunk * chunk_rows);
}

/// d = sum over chunks of partial[chunk], entry by entry and chunk after chunk: an order fixed by the number
/// of rows.
template <class T>
void sum_partials(int threads, const T* partial, std::int64_t chunks, std::int64_t entries, T* sums) {
  host::for_each(threads, entries, 256, [=](std::int64_t e) {
    T sum = 0;
    for (std::int64_t c = 0; c < chunks; ++c) sum += partial[c * entries + e];
    sums[e] = sum;
  });
}

template <class T>
void inner_on_host(const Stream& stream, MultiView<const T> x, MultiView<const T> y, MultiView<T> s) {
  const std::int64_t chunks = chunk_count(x.rows);
  const std::int64_t entries = x.columns * y.columns;
  const Scratch<T> partial(stream, chunks * entries);
  const Scratch<T> sums(stream, entries);
  host::for_each(stream.device().threads(), chunks, 1, [&](std::int64_t c) {
    const std::int64_t count = rows_in_chunk(x.rows, c);
    Eigen::Map<Matrix<T>> product(partial.data() + c * entries, x.columns, y.columns);
    product.noalias() = rows_of(x, c * chunk_rows, count).transpose() * rows_of(y, c * chunk_rows, count);
  });
  sum_partials(stream.device().threads(), partial.data(), chunks, entries, sums.data());
  for (std::int64_t i = 0; i < x.columns; ++i) {
    for (std::int64_t j = 0; j < y.columns; ++j) s(i, j) = sums.data()[i * y.columns + j];
  }
}

template <class T>
void multiply_small_on_host(const Stream& stream, T a, MultiView<const T> x, MultiView<const T> s, T b,
                            MultiView<T> y) {
  const auto small = rows_of(s, 0, s.rows);
  host::for_each(stream.device().threads(), chunk_count(x.rows), 1, [&](std::int64_t c) {
    const std::int64_t count = rows_in_chunk(x.rows, c);
    auto target = rows_of(y, c * chunk_rows, count);
    const auto source = rows_of(x, c * chunk_rows, count);
    if (b == T(0)) {
      target.noalias() = a * source * small;
    } else {
      target *= b;
      target.noalias() += a * source * small;
    }
  });
}

template <class T>
void column_dots_on_host(const Stream& stream, MultiView<const T> x, MultiView<const T> y, View<T> d) {
  const std::int64_t chunks = chunk_count(x.rows);
  const Scratch<T> partial(stream, chunks * x.columns);
  host::for_each(stream.device().threads(), chunks, 1, [&](std::int64_t c) {
    T* const sums = partial.data() + c * x.columns;
    std::fill_n(sums, x.columns, T(0));
    for (std::int64_t i = c * chunk_rows; i < c * chunk_rows + rows_in_chunk(x.rows, c); ++i) {
      const T* const xi = &x(i, 0);
      const T* const yi = &y(i, 0);
#pragma omp simd
      for (std::int64_t j = 0; j < x.columns; ++j) sums[j] += xi[j] * yi[j];
    }
  });
  sum_partials(stream.device().threads(), partial.data(), chunks, x.columns, d.data);
}

}  // namespace

template <class T>
void inner(const Stream& stream, MultiViewOf<const T> x, MultiViewOf<const T> y, MultiViewOf<T> s) {
  check_shape("inner", "Y", y.rows, y.columns, x.rows, y.columns);
  check_shape("inner", "the result", s.rows, s.columns, x.columns, y.columns);
  if (x.columns == 0 || y.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::inner(stream, x, y, s);
  }
  inner_on_host(stream, x, y, s);
}

template <class T>
void multiply_small(const Stream& stream, T a, MultiViewOf<const T> x, MultiViewOf<const T> s, T b,
                    MultiViewOf<T> y) {
  check_shape("multiply_small", "S", s.rows, s.columns, x.columns, y.columns);
  check_shape("multiply_small", "Y", y.rows, y.columns, x.rows, y.columns);
  require(y.data != x.data || y.rows == 0, "multiply_small: Y may not be X");
  if (y.rows == 0 || y.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::multiply_small(stream, a, x, s, b, y);
  }
  multiply_small_on_host(stream, a, x, s, b, y);
}

template <class T>
void column_dots(const Stream& stream, MultiViewOf<const T> x, MultiViewOf<const T> y, ViewOf<T> d) {
  check_shape("column_dots", "Y", y.rows, y.columns, x.rows, x.columns);
  check_length("column_dots", "the result", d.size, x.columns);
  if (x.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::column_dots(stream, x, y, d);
  }
  column_dots_on_host(stream, x, y, d);
}

template <class T>
void scale_columns(const Stream& stream, ViewOf<const T> a, MultiViewOf<T> x) {
  check_length("scale_columns", "a", a.size, x.columns);
  if (x.rows == 0 || x.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::scale_columns(stream, a, x);
  }
  host::for_each(stream.device().threads(), x.rows, 256, [=](std::int64_t i) {
    T* const xi = &x(i, 0);
#pragma omp simd
    for (std::int64_t j = 0; j < x.columns; ++j) xi[j] *= a[j];
  });
}

template <class T>
void axpby_columns(const Stream& stream, ViewOf<const T> a, MultiViewOf<const T> x, ViewOf<const T> b,
                   MultiViewOf<T> y) {
  check_shape("axpby_columns", "Y", y.rows, y.columns, x.rows, x.columns);
  check_length("axpby_columns", "a", a.size, x.columns);
  check_length("axpby_columns", "b", b.size, x.columns);
  if (y.rows == 0 || y.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::axpby_columns(stream, a, x, b, y);
  }
  host::for_each(stream.device().threads(), x.rows, 256, [=](std::int64_t i) {
    const T* const xi = &x(i, 0);
    T* const yi = &y(i, 0);
#pragma omp simd
    for (std::int64_t j = 0; j < x.columns; ++j) yi[j] = a[j] * xi[j] + b[j] * yi[j];
  });
}

#define SETKA_BLOCK_OPERATIONS(T)                                                                 \
  template void inner<T>(const Stream&, MultiView<const T>, MultiView<const T>, MultiView<T>);    \
  template void multiply_small<T>(const Stream&, T, MultiView<const T>, MultiView<const T>, T,    \
                                  MultiView<T>);                                                  \
  template void column_dots<T>(const Stream&, MultiView<const T>, MultiView<const T>, View<T>);   \
  template void scale_columns<T>(const Stream&, View<const T>, MultiView<T>);                     \
  template void axpby_columns<T>(const Stream&, View<const T>, MultiView<const T>, View<const T>, \
                                 MultiView<T>);
SETKA_BLOCK_OPERATIONS(float)
SETKA_BLOCK_OPERATIONS(double)

}  // namespace setka::exec
