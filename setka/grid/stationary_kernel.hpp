// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "setka/exec/annotations.hpp"
#include "setka/exec/arithmetic.hpp"

namespace setka::grid::kernel {

using exec::fused;

/// What a node's neighbours, its source and its own value weigh in its new value.
template <class T>
struct StencilWeights {
  T plane;  // of both neighbours along axis 0
  T row;    // along axis 1 of three
  T column;
  T source;
  T keep;
};

/// The neighbours' part of a node's new value, over a plane and its rows; Axes: 2 or 3, in 2-D the rows are
/// the planes.
template <int Axes, class T>
SETKA_HD inline T stencil(const StencilWeights<T>& w, T centre, T f, T plane_low, T plane_high, T row_low,
                          T row_high, T low, T high) {
  T value = fused(w.keep, centre, w.source * f);
  value = fused(w.plane, plane_low + plane_high, value);
  if constexpr (Axes == 3) value = fused(w.row, row_low + row_high, value);
  return fused(w.column, low + high, value);
}

/// A change as an unsigned number of the same order; what is not a number is above all others.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

template <class T>
SETKA_HD inline Bits<T> bits_of(T change) {
  const T size = std::fabs(change);
  Bits<T> bits;
  memcpy(&bits, &size, sizeof bits);
  return bits;
}

template <class T>
T from_bits(Bits<T> bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Planes of a grid in a ring: a plane has place number % planes.
template <class T>
struct PlaneRing {
  T* data;
  std::int64_t planes;
};

/// One sweep over the planes first .. first + count - 1 of a grid; border values are copied.
template <class T>
struct PlaneSweep {
  StencilWeights<T> weights;
  PlaneRing<const T> in;
  PlaneRing<const T> f;
  PlaneRing<T> out;
  std::int64_t shift;                  // plane p has number p + shift >= 0 in the rings
  std::int64_t planes, rows, columns;  // of the grid; in 2-D rows is 1
  std::int64_t first, count;
};

/// One half of a red-black sweep, in place: the nodes whose indices add up to an even or odd number.
template <class T, int Axes>
struct RedBlack {
  StencilWeights<T> weights;
  T* u;
  const T* f;
  std::int64_t rows, columns;
  std::int64_t inner_rows;  // 1 in 2-D
  std::int64_t half;        // nodes of the colour in a row, at most
  int colour;

  /// The inner row of that number, and its first inner column of the colour.
  SETKA_HD std::int64_t row_of(std::int64_t number, std::int64_t& column) const {
    const std::int64_t i = number / inner_rows + 1;
    const std::int64_t j = Axes == 3 ? number % inner_rows + 1 : 0;
    column = 1 + (i + j + 1 + colour) % 2;
    return (i * rows + j) * columns;
  }

  SETKA_HD T update(std::int64_t at) const {
    const std::int64_t plane = rows * columns;
    const T centre = u[at];
    const T value = stencil<Axes>(weights, centre, f[at], u[at - plane], u[at + plane],
                                  Axes == 3 ? u[at - columns] : T(0), Axes == 3 ? u[at + columns] : T(0),
                                  u[at - 1], u[at + 1]);
    u[at] = value;
    return value - centre;
  }

  SETKA_HD Bits<T> measured(std::int64_t index) const {
    std::int64_t column = 0;
    const std::int64_t row = row_of(index / half, column);
    column += 2 * (index % half);
    return column < columns - 1 ? bits_of(update(row + column)) : 0;
  }

  SETKA_HD void operator()(std::int64_t index) const { measured(index); }
};

}  // namespace setka::grid::kernel
