// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/grid/heat_kernel.hpp"

/// Changes of heat on a grid of uniform diffusivity: loops that know a cell's indices, so that no division
/// finds its place (two an axis, of 64 bits, cost more time than the memory does).
namespace setka::grid::kernel {

/// What a cell exchanges with along an axis: a neighbour, or at an end what is beyond it.
template <class T>
struct UniformSide {
  T weight;
  T beyond;
  T supply;
};
template <class T>
struct UniformAxis {
  std::int64_t cells;
  bool periodic;
  T scale;
  UniformSide<T> low;
  UniformSide<T> high;

  static UniformAxis of(const HeatAxisCells<T>& axis) {
    return {axis.cells,
            axis.periodic,
            axis.scale,
            {axis.low.exchange(T(1)), axis.low.beyond, axis.low.supply},
            {axis.high.exchange(T(1)), axis.high.beyond, axis.high.supply}};
  }

  /// The axis where A leaves it out: what its ends supply stays.
  UniformAxis supply_alone() const {
    const auto supplied = [](const UniformSide<T>& side) {
      return UniformSide<T>{T(0), T(0), side.weight * side.beyond + side.supply};
    };
    return {cells, periodic, T(0), supplied(low), supplied(high)};
  }

  SETKA_HD bool before_end(std::int64_t i) const { return i == 0 && !periodic; }
  SETKA_HD bool after_end(std::int64_t i) const { return i == cells - 1 && !periodic; }
  /// How far the neighbours of cell i are, in cells; of a cell that has none on that side: 0.
  SETKA_HD std::int64_t before(std::int64_t i) const { return i > 0 ? -1 : periodic ? cells - 1 : 0; }
  SETKA_HD std::int64_t after(std::int64_t i) const { return i < cells - 1 ? 1 : periodic ? 1 - cells : 0; }

  SETKA_HD bool is_inner(std::int64_t i) const { return !before_end(i) && !after_end(i); }
  SETKA_HD T inner_rate(T value, T low_value, T high_value) const {
    return scale * ((low_value - value) + (high_value - value));
  }

  /// The rate that cell i has from this axis.
  SETKA_HD T rate(std::int64_t i, T value, T low_value, T high_value) const {
    if (is_inner(i)) return inner_rate(value, low_value, high_value);
    const T from_low =
        before_end(i) ? low.weight * (low.beyond - value) + low.supply : scale * (low_value - value);
    const T from_high =
        after_end(i) ? high.weight * (high.beyond - value) + high.supply : scale * (high_value - value);
    return from_low + from_high;
  }
};

template <class T, int Axes>
struct UniformChange {
  UniformAxis<T> axis[Axes];
  std::int64_t first_plane;  // of those that change
  std::int64_t end_plane;
  const T* source;
  T decay;
  T keep;
  T step;
  const T* u;
  T* next;

  /// Of so many cells, whole planes.
  static UniformChange of(const HeatChange<T>& change, std::int64_t cells) {
    UniformChange grid{};
    const std::int64_t plane = change.grid.axis[0].stride;
    grid.first_plane = change.first / plane;
    grid.end_plane = grid.first_plane + cells / plane;
    for (int k = 0; k < Axes; ++k) {
      const auto axis = UniformAxis<T>::of(change.grid.axis[k]);
      grid.axis[k] = change.of_axis[k] ? axis : axis.supply_alone();
    }
    grid.source = change.grid.source;
    grid.decay = change.reaction_share * change.grid.uniform_reaction;
    grid.keep = change.keep;
    grid.step = change.step;
    grid.u = change.u;
    grid.next = change.next;
    return grid;
  }

  SETKA_HD std::int64_t planes() const { return end_plane - first_plane; }
  /// What becomes of a cell's value; `rate` is what its axes and its source give.
  SETKA_HD T changed(T value, T rate) const { return keep * value + step * (rate - decay * value); }
};

/// Whether nothing but u and its source differs from cell to cell, on a grid of two or three axes.
template <class T>
bool is_uniform(const HeatChange<T>& change) {
  const HeatCells<T>& grid = change.grid;
  return grid.diffusivity == nullptr && grid.reaction == nullptr && grid.axis[0].used && grid.axis[1].used;
}

}  // namespace setka::grid::kernel
