// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "setka/exec/host_vector.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/block_csr_kernel.hpp"

/// What sparse products on the host are made of: rows of blocks that are summed up one after the other.
namespace setka::sparse::host {

/// Where in the row at hand a column was placed. Belongs to a thread; needs no clearing between rows.
class Places {
 public:
  explicit Places(std::int32_t columns) : row_(static_cast<std::size_t>(columns), -1), place_(row_.size()) {}

  /// Whether the column has not been seen in this row before; rows have numbers of their own.
  bool is_new(std::int32_t column, std::int64_t row) {
    auto& last = row_[static_cast<std::size_t>(column)];
    if (last == row) return false;
    last = row;
    return true;
  }
  std::int32_t& operator[](std::int32_t column) { return place_[static_cast<std::size_t>(column)]; }

 private:
  std::vector<std::int64_t> row_;
  std::vector<std::int32_t> place_;
};

/// Contiguous rows that a thread takes at a time: some for each, since rows differ in work.
class Shares {
 public:
  Shares(int threads, std::int32_t rows) : threads_(threads), rows_(rows) {}

  std::int64_t count() const { return threads_ == 1 ? 1 : 4 * std::int64_t{threads_}; }
  std::int32_t begin(std::int64_t share) const { return static_cast<std::int32_t>(rows_ * share / count()); }

  /// start() makes what a thread works with, body(share, row, that) is called for all rows.
  template <class Start, class Body>
  void for_rows(const Start& start, const Body& body) const {
    exec::host::for_each(threads_, threads_, 1, [&](std::int64_t t) {
      auto own = start();
      for (std::int64_t share = t; share < count(); share += threads_) {
        for (std::int32_t i = begin(share); i < begin(share + 1); ++i) body(share, i, own);
      }
    });
  }

 private:
  int threads_;
  std::int64_t rows_;
};

/// How a row of W numbers lies in vector registers: `whole` of them and one of `rest` numbers, `padded` in
/// all. What lies behind W is never read.
template <int W>
struct RowVectors {
  static constexpr int lanes = exec::host::lanes<double>;
  static constexpr int power_of_two = W <= 1 ? 1 : W <= 2 ? 2 : W <= 4 ? 4 : 8;
  static constexpr int padded = power_of_two <= lanes ? power_of_two : W + W % 2;
  static constexpr int whole = padded / lanes;
  static constexpr int rest = padded % lanes;
};

/// sum[H, padded] += a[H, M] b[M, W], where the rows of b are `stride` apart and RowVectors<W>::padded
/// numbers of each may be read. All of sum stays in registers on its way. Not inlined: a compiler that takes
/// the numbers of a out of a loop over blocks has no registers left for sum.
template <int H, int M, int W>
[[gnu::noinline]] void add_block_product(const double (&a)[H][M], const double* b, std::int64_t stride,
                                         double* sum) {
  using Lie = RowVectors<W>;
  using exec::host::load_vector;
  using exec::host::Vector;
  constexpr int bytes = (Lie::rest > 0 ? Lie::rest : 1) * static_cast<int>(sizeof(double));
  constexpr int whole = Lie::whole > 0 ? Lie::whole : 1;
  Vector<double> row[H][whole];
  Vector<double, bytes> last[H];
#pragma GCC unroll 8
  for (int r = 0; r < H; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < Lie::whole; ++v) row[r][v] = load_vector(sum + r * Lie::padded + v * Lie::lanes);
    if constexpr (Lie::rest > 0)
      last[r] = load_vector<double, bytes>(sum + r * Lie::padded + Lie::whole * Lie::lanes);
  }
#pragma GCC unroll 8
  for (int c = 0; c < M; ++c) {
    Vector<double> from[whole];
    Vector<double, bytes> from_last;
#pragma GCC unroll 8
    for (int v = 0; v < Lie::whole; ++v) from[v] = load_vector(b + c * stride + v * Lie::lanes);
    if constexpr (Lie::rest > 0)
      from_last = load_vector<double, bytes>(b + c * stride + Lie::whole * Lie::lanes);
#pragma GCC unroll 8
    for (int r = 0; r < H; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < Lie::whole; ++v) row[r][v] += a[r][c] * from[v];
      if constexpr (Lie::rest > 0) last[r] += a[r][c] * from_last;
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < H; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < Lie::whole; ++v)
      std::memcpy(sum + r * Lie::padded + v * Lie::lanes, &row[r][v], sizeof(row[r][v]));
    if constexpr (Lie::rest > 0)
      std::memcpy(sum + r * Lie::padded + Lie::whole * Lie::lanes, &last[r], sizeof(last[r]));
  }
}

/// The same for blocks that lie in a matrix, of which nothing may be read beyond its end.
template <int H, int M, int W>
inline void add_block_product(const double (&a)[H][M], const double* b, std::int64_t stride, double* sum,
                              const double* end_of_b) {
  constexpr int padded = RowVectors<W>::padded;
  if (padded == W || b + (M - 1) * stride + padded <= end_of_b)
    return add_block_product<H, M, W>(a, b, stride, sum);
  double copy[M][padded] = {};
  for (int c = 0; c < M; ++c) std::copy_n(b + c * stride, W, copy[c]);
  add_block_product<H, M, W>(a, &copy[0][0], padded, sum);
}

/// Block k of a row that begins at `begin`, from a matrix of H x M blocks.
template <int H, int M>
inline void load_block(const BlockCsrView<double>& a, std::int32_t begin, std::int32_t end, std::int32_t k,
                       double (&block)[H][M]) {
  const std::int64_t across = std::int64_t{end - begin} * M;
  const double* const from = a.value + std::int64_t{begin} * H * M + std::int64_t{k - begin} * M;
  for (int r = 0; r < H; ++r) {
    for (int c = 0; c < M; ++c) block[r][c] = from[r * across + c];
  }
}

/// Writes blocks [count, H, padded] as a row of a matrix, [H, count, W], block k of them from order[k].
template <int H, int W>
inline void store_row(const double* sums, const std::int32_t* order, std::int32_t count, double* out) {
  constexpr int padded = RowVectors<W>::padded;
  for (std::int32_t k = 0; k < count; ++k) {
    const double* const from = sums + std::int64_t{order == nullptr ? k : order[k]} * H * padded;
    for (int r = 0; r < H; ++r)
      std::copy_n(from + std::int64_t{r} * padded, W, out + (std::int64_t{r} * count + k) * W);
  }
}

}  // namespace setka::sparse::host
