// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/grid/sweep_kernel.hpp"

/// Lines in pieces: the rows of a piece are eliminated, a system of one unknown a piece is left, and with its
/// solution the pieces are solved. Piece p of line l is number p * lines + l, and so are the reduced
/// system's values. Coefficients and right-hand side are read twice.
namespace setka::grid::kernel {

inline constexpr int piece_rows = 16;

/// The rows of a piece, in memory.
template <class T>
struct PieceRows {
  Lines lines;
  Bands<T> bands;
  const T* d;

  SETKA_HD std::int64_t line(std::int64_t number) const { return number % lines.count(); }
  SETKA_HD std::int64_t begin(std::int64_t number) const { return number / lines.count() * piece_rows; }
  SETKA_HD int count(std::int64_t number) const {
    const std::int64_t left = lines.rows - begin(number);
    return left < piece_rows ? static_cast<int>(left) : piece_rows;
  }

  SETKA_HD void take(Elimination<T>& elimination, std::int64_t number, int i) const {
    const std::int64_t l = line(number);
    const std::int64_t at = begin(number) + i;
    const Row<T> row = bands.row(lines, l, at);
    const T right = d[lines.place(l, at)];
    if (i == 0) {
      elimination.first(row.lower, row.diagonal, row.upper, right);
    } else {
      elimination.next(row.lower, row.diagonal, row.upper, right);
    }
  }
};

template <class T>
struct EliminatePieces {
  PieceRows<T> rows;
  Elimination<T>* pieces;

  SETKA_HD void operator()(std::int64_t number) const {
    Elimination<T> elimination{};
    const int count = rows.count(number);
    for (int i = 0; i < count; ++i) rows.take(elimination, number, i);
    pieces[number] = elimination;
  }
};

/// The equation of a piece's last value: what follows it is the first of the next piece.
template <class T>
struct ReducePieces {
  std::int64_t lines;
  std::int64_t pieces;  // of a line
  const Elimination<T>* elimination;
  T* lower;
  T* diagonal;
  T* upper;
  T* right;

  SETKA_HD void operator()(std::int64_t number) const {
    const Elimination<T>& e = elimination[number];
    const bool last = number / lines == pieces - 1;
    const Elimination<T>& next = elimination[last ? number % lines : number + lines];
    lower[number] = e.gamma;
    diagonal[number] = T(1) - e.alpha * next.first_gamma;
    upper[number] = -(e.alpha * next.first_alpha);
    right[number] = e.beta - e.alpha * next.first_beta;
  }
};

template <class T>
struct SolvePieces {
  PieceRows<T> rows;
  std::int64_t pieces;  // of a line
  const T* last;        // values of the pieces
  T* x;

  SETKA_HD void operator()(std::int64_t number) const {
    const std::int64_t count_of_lines = rows.lines.count();
    const std::int64_t piece = number / count_of_lines;
    const T before = last[piece > 0 ? number - count_of_lines : number + (pieces - 1) * count_of_lines];
    const int count = rows.count(number);
    T alpha[piece_rows];
    T beta[piece_rows];
    T gamma[piece_rows];
    Elimination<T> elimination{};
    SETKA_UNROLL
    for (int i = 0; i < piece_rows; ++i) {
      if (i < count) {
        rows.take(elimination, number, i);
        alpha[i] = elimination.alpha;
        beta[i] = elimination.beta;
        gamma[i] = elimination.gamma;
      }
    }
    T value = last[number];
    SETKA_UNROLL
    for (int i = piece_rows - 1; i >= 0; --i) {
      if (i < count) {
        if (i < count - 1) value = beta[i] - alpha[i] * value - gamma[i] * before;
        x[rows.lines.place(rows.line(number), rows.begin(number) + i)] = value;
      }
    }
  }
};

}  // namespace setka::grid::kernel
