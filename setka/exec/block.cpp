// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/block.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/detail/tall_products.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"

namespace setka::exec {

namespace cuda {  // block.cu
void prepare_blocks(const Stream& stream);
template <class T>
void inner(const Stream& stream, MultiView<const T> x, MultiView<const T> y, MultiView<T> s);
template <class T>
void multiply_small(const Stream& stream, T a, MultiView<const T> x, MultiView<const T> s, T b,
                    MultiView<T> y);
template <class T>
void combine(const Stream& stream, SmallTerms<T> terms, T b, MultiView<const T> z, MultiView<T> y);
template <class T>
void pick_columns(const Stream& stream, MultiView<const T> x, std::span<const std::int64_t> which,
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

// Rows a chunk, whose sums are added one after the other; and of a piece of it, which stays in the nearest
// cache while all tiles of a product pass over it.
constexpr std::int64_t chunk_rows = 2048;
constexpr std::int64_t piece_rows = 48;

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

/// S += X'Y for some rows. s: [x.columns, whole vectors]
template <class T>
void add_inner_of_piece(MultiView<const T> x, MultiView<const T> y, T* s) {
  const std::int64_t vectors = host::vectors_of<T>(y.columns);
  const std::int64_t width = vectors * host::lanes<T>;
  if (y.columns == width) return host::add_inner(x, y.data, y.stride, vectors, s);
  thread_local std::vector<T> filled;  // what lies behind a row belongs to others
  filled.assign(static_cast<std::size_t>(y.rows * width), T(0));
  for (std::int64_t i = 0; i < y.rows; ++i)
    std::copy_n(&y(i, 0), y.columns, filled.begin() + static_cast<std::ptrdiff_t>(i * width));
  host::add_inner<T>(x, filled.data(), width, vectors, s);
}

template <class T>
void inner_on_host(const Stream& stream, InnerTerms<T> terms) {
  const std::int64_t rows = terms.front().x.rows;
  const std::int64_t chunks = chunk_count(rows);
  std::vector<std::int64_t> at{0};  // of each term in the sums of a chunk
  for (const InnerTerm<T>& term : terms)
    at.push_back(at.back() + term.x.columns * host::vectors_of<T>(term.y.columns) * host::lanes<T>);
  const std::int64_t entries = at.back();
  const Scratch<T> partial(stream, chunks * entries);
  const Scratch<T> sums(stream, entries);
  host::for_each(stream.device().threads(), chunks, 1, [&](std::int64_t c) {
    T* const own = partial.data() + c * entries;
    std::fill_n(own, entries, T(0));
    const std::int64_t end = c * chunk_rows + rows_in_chunk(rows, c);
    for (std::int64_t first = c * chunk_rows; first < end; first += piece_rows) {
      const std::int64_t count = std::min(piece_rows, end - first);
      for (std::size_t k = 0; k < terms.size(); ++k) {
        const InnerTerm<T>& term = terms[k];
        add_inner_of_piece<T>({&term.x(first, 0), count, term.x.columns, term.x.stride},
                              {&term.y(first, 0), count, term.y.columns, term.y.stride}, own + at[k]);
      }
    }
  });
  sum_partials(stream.device().threads(), partial.data(), chunks, entries, sums.data());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const MultiView<T>& s = terms[k].s;
    const std::int64_t width = host::vectors_of<T>(s.columns) * host::lanes<T>;
    for (std::int64_t i = 0; i < s.rows; ++i)
      std::copy_n(sums.data() + at[k] + i * width, s.columns, &s(i, 0));
  }
}

/// Y = sum of a X_k S_k + b Z.
template <class T>
void combine_on_host(const Stream& stream, T a, SmallTerms<T> terms, T b, MultiView<const T> z,
                     MultiView<T> y) {
  const std::int64_t width = host::vectors_of<T>(y.columns) * host::lanes<T>;
  std::int64_t size = 0;
  for (const SmallTerm<T>& term : terms) size += term.s.rows * width;
  const Scratch<T> packed(stream, size);
  std::fill_n(packed.data(), size, T(0));
  std::vector<host::PackedTerm<T>> ready;
  T* next = packed.data();
  for (const SmallTerm<T>& term : terms) {
    ready.push_back({term.x, next});
    for (std::int64_t i = 0; i < term.s.rows; ++i, next += width) {
      for (std::int64_t j = 0; j < term.s.columns; ++j) next[j] = a * term.s(i, j);
    }
  }
  host::for_each(stream.device().threads(), chunk_count(y.rows), 1, [&](std::int64_t c) {
    const std::int64_t first = c * chunk_rows;
    host::multiply_rows<T>(ready, first, first + rows_in_chunk(y.rows, c), b, z, y);
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

void prepare_blocks(const Stream& stream) {
  if constexpr (with_cuda) {
    if (stream.is_cuda()) cuda::prepare_blocks(stream);
  }
}

template <class T>
void inner(const Stream& stream, MultiViewOf<const T> x, MultiViewOf<const T> y, MultiViewOf<T> s) {
  check_shape("inner", "Y", y.rows, y.columns, x.rows, y.columns);
  check_shape("inner", "the result", s.rows, s.columns, x.columns, y.columns);
  if (x.columns == 0 || y.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::inner(stream, x, y, s);
  }
  const std::array<InnerTerm<T>, 1> only{{{x, y, s}}};
  inner_on_host<T>(stream, only);
}

template <class T>
void inner(const Stream& stream, std::type_identity_t<InnerTerms<T>> terms) {
  std::vector<InnerTerm<T>> filled;
  for (const InnerTerm<T>& term : terms) {
    check_shape("inner", "Y", term.y.rows, term.y.columns, terms.front().x.rows, term.y.columns);
    check_shape("inner", "X", term.x.rows, term.x.columns, terms.front().x.rows, term.x.columns);
    check_shape("inner", "the result", term.s.rows, term.s.columns, term.x.columns, term.y.columns);
    if (term.x.columns > 0 && term.y.columns > 0) filled.push_back(term);
  }
  if (filled.empty()) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      for (const InnerTerm<T>& term : filled) cuda::inner(stream, term.x, term.y, term.s);
      return;
    }
  }
  inner_on_host<T>(stream, filled);
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
  const std::array<SmallTerm<T>, 1> only{{{x, s}}};
  combine_on_host<T>(stream, a, only, b, y, y);
}

template <class T>
void combine(const Stream& stream, std::type_identity_t<SmallTerms<T>> terms, std::type_identity_t<T> b,
             MultiViewOf<const T> z, MultiViewOf<T> y) {
  for (const SmallTerm<T>& term : terms) {
    check_shape("combine", "S", term.s.rows, term.s.columns, term.x.columns, y.columns);
    check_shape("combine", "X", term.x.rows, term.x.columns, y.rows, term.x.columns);
    require(y.data != term.x.data || y.rows == 0, "combine: Y may not be a block that is multiplied");
  }
  if (b != T(0)) check_shape("combine", "Z", z.rows, z.columns, y.rows, y.columns);
  if (y.rows == 0 || y.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::combine(stream, terms, b, z, y);
  }
  combine_on_host<T>(stream, T(1), terms, b, z, y);
}

template <class T>
void pick_columns(const Stream& stream, MultiViewOf<const T> x, std::span<const std::int64_t> which,
                  MultiViewOf<T> y) {
  check_shape("pick_columns", "Y", y.rows, y.columns, x.rows, static_cast<std::int64_t>(which.size()));
  for (const std::int64_t j : which) {
    require(j >= 0 && j < x.columns,
            [&] { return fmt::format("pick_columns: column {} of {}", j, x.columns); });
  }
  if (y.rows == 0 || y.columns == 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::pick_columns(stream, x, which, y);
  }
  host::for_each(stream.device().threads(), x.rows, 256, [=](std::int64_t i) {
    for (std::int64_t j = 0; j < y.columns; ++j) y(i, j) = x(i, which[static_cast<std::size_t>(j)]);
  });
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
  template void inner<T>(const Stream&, InnerTerms<T>);                                           \
  template void combine<T>(const Stream&, SmallTerms<T>, T, MultiView<const T>, MultiView<T>);    \
  template void pick_columns<T>(const Stream&, MultiView<const T>, std::span<const std::int64_t>, \
                                MultiView<T>);                                                    \
  template void column_dots<T>(const Stream&, MultiView<const T>, MultiView<const T>, View<T>);   \
  template void scale_columns<T>(const Stream&, View<const T>, MultiView<T>);                     \
  template void axpby_columns<T>(const Stream&, View<const T>, MultiView<const T>, View<const T>, \
                                 MultiView<T>);
SETKA_BLOCK_OPERATIONS(float)
SETKA_BLOCK_OPERATIONS(double)

}  // namespace setka::exec
