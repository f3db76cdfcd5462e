// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/view.hpp"
#include "setka/grid/sweep_kernel.hpp"

namespace setka::grid {

/// Where the coefficients of the rows are:
///
///   lower[i] x[i - 1] + diagonal[i] x[i] + upper[i] x[i + 1] = d[i]
///
/// Not periodic, the first row has no lower and the last no upper coefficient; what stands there is not used.
/// Conditions at the ends are what their rows say: Dirichlet is (0, 1, 0) with the value on the right.
/// Periodic, the neighbour before the first row is the last one, and the other way round; where that makes
/// two coefficients of a row fall on one unknown (one or two rows), they add up.
enum class Coefficients {
  each,      // every line has its own, stored as the values of the lines are
  shared,    // one array a coefficient, [rows], for all lines
  constant,  // three numbers, and others for the rows at the ends of lines that are not periodic
};

/// The tridiagonal matrices of all lines. Does not own.
template <class T>
struct Tridiagonal {
  Coefficients kind = Coefficients::each;
  exec::View<const T> lower;
  exec::View<const T> diagonal;
  exec::View<const T> upper;
  ConstantRows<T> constant_rows;

  static Tridiagonal each(exec::View<const T> lower, exec::View<const T> diagonal,
                          exec::View<const T> upper) {
    return {Coefficients::each, lower, diagonal, upper, {}};
  }
  static Tridiagonal shared(exec::View<const T> lower, exec::View<const T> diagonal,
                            exec::View<const T> upper) {
    return {Coefficients::shared, lower, diagonal, upper, {}};
  }
  /// All rows alike.
  static Tridiagonal constant(T lower, T diagonal, T upper) {
    return constant({lower, diagonal, upper, diagonal, upper, lower, diagonal});
  }
  /// Other rows at the ends.
  static Tridiagonal constant(const ConstantRows<T>& rows) {
    return {Coefficients::constant, {}, {}, {}, rows};
  }
};

}  // namespace setka::grid
