// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "setka/exec/annotations.hpp"
#include "setka/exec/arithmetic.hpp"
#include "setka/exec/view.hpp"
#include "setka/grid/lines.hpp"

namespace setka::grid {

/// Coefficients that do not change along a line, and those of the rows at its ends, which are used where the
/// line is not periodic. A line of one row has the first row alone.
template <class T>
struct ConstantRows {
  T lower = 0;
  T diagonal = 1;
  T upper = 0;
  T first_diagonal = 1;
  T first_upper = 0;
  T last_lower = 0;
  T last_diagonal = 1;
};

namespace kernel {

template <class T>
struct Row {
  T lower;
  T diagonal;
  T upper;
};

/// How kernels see a Tridiagonal: coefficients in memory, of every line or, with strides of 0 between lines,
/// of all; or constant ones, when the pointers are null.
template <class T>
struct Bands {
  const T* lower;
  const T* diagonal;
  const T* upper;
  std::int64_t outer_stride;
  std::int64_t row_stride;
  std::int64_t inner_stride;
  ConstantRows<T> constant;
  bool periodic;

  SETKA_HD bool is_constant() const { return diagonal == nullptr; }

  SETKA_HD Row<T> constant_row(std::int64_t i, std::int64_t rows) const {
    if (periodic) return {constant.lower, constant.diagonal, constant.upper};
    if (i == 0) return {T(0), constant.first_diagonal, rows == 1 ? T(0) : constant.first_upper};
    if (i == rows - 1) return {constant.last_lower, constant.last_diagonal, T(0)};
    return {constant.lower, constant.diagonal, constant.upper};
  }

  /// Row i of a line; coefficients that lead out of it are zero.
  SETKA_HD Row<T> row(const Lines& lines, std::int64_t line, std::int64_t i) const {
    if (is_constant()) return constant_row(i, lines.rows);
    const std::int64_t at =
        line / lines.inner * outer_stride + line % lines.inner * inner_stride + i * row_stride;
    const bool has_lower = periodic || i > 0;
    const bool has_upper = periodic || i < lines.rows - 1;
    return {has_lower ? lower[at] : T(0), diagonal[at], has_upper ? upper[at] : T(0)};
  }
};

/// Elimination along a piece of consecutive rows, from the first to the last, without knowing the value L
/// before the piece. After row i
///
///   x_i = beta - alpha x_{i+1} - gamma L    and    x_first = first_beta - first_alpha x_i - first_gamma L
///
/// The first is the paper's cyclic sweep with L for its y0. The second is what the piece before needs to be
/// rid of x_first, so that one unknown a piece is left; all that grows with the number of rows is a product
/// of alphas, which diagonal dominance keeps below 1. V is a number, or several lines' numbers at once.
/// 13 multiplications and additions and one division a row.
template <class V>
struct Elimination {
  V alpha;
  V beta;
  V gamma;
  V first_alpha;
  V first_beta;
  V first_gamma;

  SETKA_HD void first(V lower, V diagonal, V upper, V right) {
    const V inverse = exec::reciprocal(diagonal);
    alpha = upper * inverse;
    beta = right * inverse;
    gamma = lower * inverse;
    first_alpha = V(-1);
    first_beta = V(0);
    first_gamma = V(0);
  }

  SETKA_HD void next(V lower, V diagonal, V upper, V right) {
    first_beta = first_beta - first_alpha * beta;
    first_gamma = first_gamma - first_alpha * gamma;
    first_alpha = -(first_alpha * alpha);
    const V inverse = exec::reciprocal(diagonal - lower * alpha);
    alpha = upper * inverse;
    beta = (right - lower * beta) * inverse;
    gamma = -(lower * gamma * inverse);
  }

  /// The last value when the piece is a whole periodic line: L is the last value itself, and what follows it
  /// is the first.
  SETKA_HD V closed() const {
    return (beta - alpha * first_beta) / (V(1) + gamma - alpha * (first_alpha + first_gamma));
  }
};

// ---- The paper's algorithm, one thread a line, in three kernels. Work arrays are interleaved over the
// lines: row i of line l at i * lines + l. x_i = beta + alpha x_{i+1} + gamma x_0.

/// Coefficients from the first row on, or the second where the line is periodic.
template <class T>
struct SweepCoefficients {
  Lines lines;
  Bands<T> bands;
  const T* d;
  T* alpha;
  T* beta;
  T* gamma;  // of periodic lines

  SETKA_HD void operator()(std::int64_t line) const {
    const std::int64_t count = lines.count();
    const std::int64_t begin = bands.periodic ? 1 : 0;
    T a = 0;
    T b = 0;
    T g = 1;
    for (std::int64_t i = begin; i < lines.rows; ++i) {
      const Row<T> row = bands.row(lines, line, i);
      const T inverse = T(1) / (row.diagonal + row.lower * a);
      b = (d[lines.place(line, i)] - row.lower * b) * inverse;
      g = -row.lower * g * inverse;
      a = -row.upper * inverse;
      alpha[i * count + line] = a;
      beta[i * count + line] = b;
      if (bands.periodic) gamma[i * count + line] = g;
    }
  }
};

/// Back from the last row: x itself, or u and v of x = u + x_0 v in the place of beta and gamma.
template <class T>
struct SweepBack {
  Lines lines;
  bool periodic;
  const T* alpha;
  T* beta;
  T* gamma;
  T* x;

  SETKA_HD void operator()(std::int64_t line) const {
    const std::int64_t count = lines.count();
    T u = 0;
    T v = 1;
    for (std::int64_t i = lines.rows - 1; i >= (periodic ? 1 : 0); --i) {
      const std::int64_t at = i * count + line;
      u = beta[at] + alpha[at] * u;
      if (periodic) {
        v = gamma[at] + alpha[at] * v;
        beta[at] = u;
        gamma[at] = v;
      } else {
        x[lines.place(line, i)] = u;
      }
    }
  }
};

/// x_0 from the first row, then all others.
template <class T>
struct SweepJoin {
  Lines lines;
  Bands<T> bands;
  const T* u;
  const T* v;
  const T* d;
  T* x;

  SETKA_HD void operator()(std::int64_t line) const {
    const std::int64_t count = lines.count();
    const Row<T> row = bands.row(lines, line, 0);
    const std::int64_t first = lines.place(line, 0);
    T above = d[first];
    T below = row.diagonal;
    if (lines.rows == 1) {
      below += row.lower + row.upper;
    } else {
      const std::int64_t second = count + line;
      const std::int64_t last = (lines.rows - 1) * count + line;
      above -= row.lower * u[last] + row.upper * u[second];
      below += row.lower * v[last] + row.upper * v[second];
    }
    const T x0 = above / below;
    x[first] = x0;
    for (std::int64_t i = 1; i < lines.rows; ++i)
      x[lines.place(line, i)] = u[i * count + line] + x0 * v[i * count + line];
  }
};

// ---- What is checked on request; places are counted line by line, line * rows + row.

struct FirstPlace {
  using Value = std::int64_t;
  SETKA_HD static Value combine(Value a, Value b) { return a < b ? a : b; }
  SETKA_HD static Value identity() { return std::numeric_limits<std::int64_t>::max(); }
};

/// The first value that is not finite. Of neighbouring indices the places are neighbours in memory.
template <class T>
struct FirstNotFinite : FirstPlace {
  Lines lines;
  const T* x;

  SETKA_HD Value operator()(std::int64_t index) const {
    const std::int64_t j = index % lines.inner;
    const std::int64_t i = index / lines.inner % lines.rows;
    const std::int64_t o = index / (lines.inner * lines.rows);
    const T value = x[o * lines.outer_stride + i * lines.row_stride + j * lines.inner_stride];
    const T most = std::numeric_limits<T>::max();
    return value >= -most && value <= most ? identity() : (o * lines.inner + j) * lines.rows + i;
  }
};

/// The first row whose diagonal is smaller than the sum of its neighbours.
template <class T>
struct FirstNotDominant : FirstPlace {
  Lines lines;
  Bands<T> bands;

  SETKA_HD Value operator()(std::int64_t index) const {
    const std::int64_t j = index % lines.inner;
    const std::int64_t i = index / lines.inner % lines.rows;
    const std::int64_t o = index / (lines.inner * lines.rows);
    const std::int64_t line = o * lines.inner + j;
    const Row<T> row = bands.row(lines, line, i);
    const auto size = [](T value) { return value < T(0) ? -value : value; };
    return size(row.diagonal) >= size(row.lower) + size(row.upper) ? identity() : line * lines.rows + i;
  }
};

/// The rows of one line, one after the other: [rows, 3].
template <class T>
struct GatherRows {
  Lines lines;
  Bands<T> bands;
  std::int64_t line;
  T* rows;

  SETKA_HD void operator()(std::int64_t i) const {
    const Row<T> row = bands.row(lines, line, i);
    rows[3 * i] = row.lower;
    rows[3 * i + 1] = row.diagonal;
    rows[3 * i + 2] = row.upper;
  }
};

}  // namespace kernel
}  // namespace setka::grid
