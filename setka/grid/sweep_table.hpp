// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "setka/grid/sweep_kernel.hpp"

namespace setka::grid::kernel {

/// What the coefficients of a row make in an elimination; see PieceTable.
template <class T>
struct TableRow {
  T inverse;
  T carry;
  T reach;  // first_alpha before the row
  T alpha;
  T gamma;
};

/// All of the elimination of `count` rows from `begin` on but what the right-hand side makes, where it does
/// not depend on the line: put(i, TableRow) of each, and what is left at their end.
template <class T, class Put>
Elimination<T> tabulate(const Bands<T>& bands, std::int64_t begin, std::int64_t rows, std::int64_t count,
                        const Put& put) {
  Elimination<T> elimination{};
  for (std::int64_t i = 0; i < count; ++i) {
    const Row<T> row = bands.constant_row(begin + i, rows);
    const T inverse = T(1) / (i == 0 ? row.diagonal : row.diagonal - row.lower * elimination.alpha);
    const T reach = elimination.first_alpha;
    if (i == 0) {
      elimination.first(row.lower, row.diagonal, row.upper, T(0));
    } else {
      elimination.next(row.lower, row.diagonal, row.upper, T(0));
    }
    put(i, TableRow<T>{inverse, i == 0 ? T(0) : row.lower * inverse, reach, elimination.alpha,
                       elimination.gamma});
  }
  return elimination;
}

/// All of an elimination along a piece but what the right-hand side makes: with constant coefficients it is
/// the same in all pieces, the first and the last of a line left aside. Row i of a piece then costs three
/// multiplications and additions on the way down, two on the way back, no division and no memory:
///
///   beta_i = inverse_i d_i - carry_i beta_{i-1},   x_i = beta_i - alpha_i x_{i+1} - gamma_i L
template <class T, int M>
struct PieceTable {
  T inverse[M];
  T carry[M];
  T alpha[M];
  T gamma[M];
  T reach[M];  // first_alpha before row i
  T last_alpha;
  T last_gamma;
  T first_alpha;
  T first_gamma;

  /// The rows from `begin` on of a line of `rows`.
  static PieceTable of(const Bands<T>& bands, std::int64_t begin, std::int64_t rows) {
    PieceTable table{};
    const std::int64_t count = std::clamp(rows - begin, std::int64_t{0}, std::int64_t{M});
    const Elimination<T> end =
        tabulate(bands, begin, rows, count, [&table](std::int64_t i, const TableRow<T>& row) {
          table.inverse[i] = row.inverse;
          table.carry[i] = row.carry;
          table.reach[i] = row.reach;
          table.alpha[i] = row.alpha;
          table.gamma[i] = row.gamma;
        });
    table.last_alpha = end.alpha;
    table.last_gamma = end.gamma;
    table.first_alpha = end.first_alpha;
    table.first_gamma = end.first_gamma;
    return table;
  }

  /// Rows from `i0` on, N of them in registers: right becomes beta. Whole pieces have M rows.
  template <bool Whole, int N>
  SETKA_HD void forward(T (&right)[N], int i0, int count, T& beta, T& first_beta) const {
    SETKA_UNROLL
    for (int i = 0; i < N; ++i) {
      if (Whole || i0 + i < count) {
        first_beta = first_beta - reach[i0 + i] * beta;
        beta = right[i] * inverse[i0 + i] - carry[i0 + i] * beta;
        right[i] = beta;
      }
    }
  }
  SETKA_HD Elimination<T> elimination(T beta, T first_beta) const {
    return {last_alpha, beta, last_gamma, first_alpha, first_beta, first_gamma};
  }

  /// The same rows from the last to the first: beta becomes the solution. value: the one after them, or the
  /// piece's last.
  template <bool Whole, int N>
  SETKA_HD void back(T (&beta)[N], int i0, int count, T before, T& value) const {
    SETKA_UNROLL
    for (int i = N - 1; i >= 0; --i) {
      if (Whole ? i0 + i < M - 1 : i0 + i < count - 1)
        value = beta[i] - alpha[i0 + i] * value - gamma[i0 + i] * before;
      beta[i] = value;
    }
  }

  /// All rows of a piece that lies in memory, N of them in registers, the next N on their way.
  template <bool Whole, int N, class Rows>
  SETKA_HD Elimination<T> forward(Rows rows, int count) const {
    T beta = 0;
    T first_beta = 0;
    T now[N];
    T next[N];
    pick<Whole>(now, rows, 0, count);
    SETKA_UNROLL
    for (int i0 = 0; i0 < M; i0 += N) {
      if (i0 + N < M) pick<Whole>(next, rows, i0 + N, count);
      forward<Whole>(now, i0, count, beta, first_beta);
      lay<Whole>(now, rows, i0, count);
      SETKA_UNROLL
      for (int i = 0; i < N; ++i) now[i] = next[i];
    }
    return elimination(beta, first_beta);
  }
  template <bool Whole, int N, class Rows, class Results>
  SETKA_HD void back(Rows rows, Results results, int count, T before, T value) const {
    T now[N];
    SETKA_UNROLL
    for (int i0 = M - N; i0 >= 0; i0 -= N) {
      pick<Whole>(now, rows, i0, count);
      back<Whole>(now, i0, count, before, value);
      lay<Whole>(now, results, i0, count);
    }
  }

 private:
  template <bool Whole, int N, class Rows>
  SETKA_HD static void pick(T (&to)[N], Rows rows, int i0, int count) {
    SETKA_UNROLL
    for (int i = 0; i < N; ++i) to[i] = Whole || i0 + i < count ? rows[i0 + i] : T(0);
  }
  template <bool Whole, int N, class Rows>
  SETKA_HD static void lay(const T (&from)[N], Rows rows, int i0, int count) {
    SETKA_UNROLL
    for (int i = 0; i < N; ++i) {
      if (Whole || i0 + i < count) rows[i0 + i] = from[i];
    }
  }
};

/// The tables of a line: of its first, its inner and its last pieces.
template <class T, int M>
struct LineTables {
  PieceTable<T, M> first;
  PieceTable<T, M> inner;
  PieceTable<T, M> last;
  int rows;
  bool periodic;

  static LineTables of(const Bands<T>& bands, std::int64_t rows) {
    const std::int64_t end = (rows - 1) / M * M;
    Bands<T> ring = bands;
    ring.periodic = true;
    return {PieceTable<T, M>::of(bands, 0, rows), PieceTable<T, M>::of(ring, 0, M),
            PieceTable<T, M>::of(bands, end, rows), static_cast<int>(rows), bands.periodic};
  }

  SETKA_HD bool is_inner(int begin) const {
    return periodic ? begin + M <= rows : begin > 0 && begin + M < rows;
  }

  /// A piece in registers: right becomes beta, and beta the solution between the value before the piece and
  /// its last.
  SETKA_HD Elimination<T> forward(T (&right)[M], int begin, int count) const {
    T beta = 0;
    T first_beta = 0;
    if (is_inner(begin)) {
      inner.template forward<true>(right, 0, count, beta, first_beta);
      return inner.elimination(beta, first_beta);
    }
    const PieceTable<T, M>& table = at_end(begin);
    table.template forward<false>(right, 0, count, beta, first_beta);
    return table.elimination(beta, first_beta);
  }
  SETKA_HD void back(T (&beta)[M], int begin, int count, T before, T value) const {
    if (is_inner(begin)) return inner.template back<true>(beta, 0, count, before, value);
    at_end(begin).template back<false>(beta, 0, count, before, value);
  }

  /// A piece in memory, N rows at once. Nothing is touched where count is 0, whatever the place.
  template <int N, class Rows>
  SETKA_HD Elimination<T> forward(Rows piece, int begin, int count) const {
    if (is_inner(begin) && count == M) return inner.template forward<true, N>(piece, count);
    return at_end(begin).template forward<false, N>(piece, count);
  }
  template <int N, class Rows, class Results>
  SETKA_HD void back(Rows piece, Results results, int begin, int count, T before, T value) const {
    if (is_inner(begin) && count == M)
      return inner.template back<true, N>(piece, results, count, before, value);
    at_end(begin).template back<false, N>(piece, results, count, before, value);
  }

 private:
  SETKA_HD const PieceTable<T, M>& at_end(int begin) const { return begin == 0 ? first : last; }
};

}  // namespace setka::grid::kernel
