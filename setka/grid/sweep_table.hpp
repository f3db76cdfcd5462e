// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "setka/grid/sweep_kernel.hpp"

namespace setka::grid::kernel {

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
    Elimination<T> elimination{};
    const int count = static_cast<int>(std::clamp(rows - begin, std::int64_t{0}, std::int64_t{M}));
    for (int i = 0; i < count; ++i) {
      const Row<T> row = bands.constant_row(begin + i, rows);
      const T pivot = i == 0 ? row.diagonal : row.diagonal - row.lower * elimination.alpha;
      table.inverse[i] = T(1) / pivot;
      table.reach[i] = elimination.first_alpha;
      if (i == 0) {
        elimination.first(row.lower, row.diagonal, row.upper, T(0));
      } else {
        table.carry[i] = row.lower * table.inverse[i];
        elimination.next(row.lower, row.diagonal, row.upper, T(0));
      }
      table.alpha[i] = elimination.alpha;
      table.gamma[i] = elimination.gamma;
    }
    table.last_alpha = elimination.alpha;
    table.last_gamma = elimination.gamma;
    table.first_alpha = elimination.first_alpha;
    table.first_gamma = elimination.first_gamma;
    return table;
  }

  /// right: [M], becomes beta. Whole pieces have M rows.
  template <bool Whole>
  SETKA_HD Elimination<T> forward(T (&right)[M], int count) const {
    T beta = 0;
    T first_beta = 0;
    SETKA_UNROLL
    for (int i = 0; i < M; ++i) {
      if (Whole || i < count) {
        first_beta = first_beta - reach[i] * beta;
        beta = right[i] * inverse[i] - carry[i] * beta;
        right[i] = beta;
      }
    }
    return {last_alpha, beta, last_gamma, first_alpha, first_beta, first_gamma};
  }

  /// beta: [M], becomes the solution between the value before the piece and its last.
  template <bool Whole>
  SETKA_HD void back(T (&beta)[M], int count, T before, T last) const {
    T value = last;
    SETKA_UNROLL
    for (int i = M - 1; i >= 0; --i) {
      if (Whole ? i < M - 1 : i < count - 1) value = beta[i] - alpha[i] * value - gamma[i] * before;
      beta[i] = value;
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

  SETKA_HD Elimination<T> forward(T (&right)[M], int begin, int count) const {
    if (is_inner(begin)) return inner.template forward<true>(right, count);
    return (begin == 0 ? first : last).template forward<false>(right, count);
  }

  SETKA_HD void back(T (&beta)[M], int begin, int count, T before, T value) const {
    if (is_inner(begin)) return inner.template back<true>(beta, count, before, value);
    (begin == 0 ? first : last).template back<false>(beta, count, before, value);
  }
};

}  // namespace setka::grid::kernel
