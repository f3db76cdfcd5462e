// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/grid/lines.hpp"

namespace setka::grid {

/// What is beyond the first and the last node of an axis.
enum class Ends {
  periodic,   // the other end
  fixed,      // zero, one spacing away
  insulated,  // the same value as at the end: no heat flows
  sides,      // what HeatAxis::low and high say; nodes are the centres of cells
};

/// Differences of cells: what flows between neighbours, through the ends, and what all of it makes of a step.
namespace kernel {

/// The end of an axis: rate of u in the end cell += exchange (beyond - u) + supply.
template <class T>
struct HeatEnd {
  T near;    // of the exchange of a cell of diffusivity 1, where nothing else resists
  T resist;  // of the side, measured by the half cell before it
  T beyond;
  T supply;

  SETKA_HD T exchange(T diffusivity) const { return near * diffusivity / (T(1) + resist * diffusivity); }
};

template <class T>
struct HeatAxisCells {
  std::int64_t cells = 1;
  std::int64_t stride = 1;
  bool periodic = false;
  bool used = false;
  T scale = 0;  // diffusivity along the axis / spacing^2
  HeatEnd<T> low{};
  HeatEnd<T> high{};

  SETKA_HD std::int64_t place(std::int64_t at) const { return at / stride % cells; }
};

/// Along one axis, seen from a cell: rates of exchange with both neighbours and through ends.
template <class T>
struct HeatFlows {
  T low;
  T high;
  T out;     // through ends
  T supply;  // through ends, whatever u is
  std::int64_t before;
  std::int64_t after;
};

/// -A u + F of u_t = div(d grad u) + f - r u for a grid [n0, n1, n2], last index fastest. Between cells of
/// different d it is the harmonic mean that conducts, as of layers one after the other.
template <class T>
struct HeatCells {
  HeatAxisCells<T> axis[3];
  const T* diffusivity = nullptr;  // of cells, times that of the axis; nullptr: 1
  const T* reaction = nullptr;     // of cells; nullptr: uniform_reaction
  const T* source = nullptr;       // of cells; nullptr: none
  T uniform_reaction = 0;

  /// What conducts between cells of these diffusivities. Both may be zero.
  SETKA_HD static T mean(T a, T b) {
    const T sum = a + b;
    return T(2) * a * (b / (sum > T(0) ? sum : T(1)));
  }
  SETKA_HD T between(std::int64_t a, std::int64_t b) const {
    return diffusivity == nullptr ? T(1) : mean(diffusivity[a], diffusivity[b]);
  }

  SETKA_HD HeatFlows<T> flows(const HeatAxisCells<T>& a, std::int64_t at) const {
    return flows(a, at, a.place(at));
  }
  /// i: the cell's place on the axis.
  SETKA_HD HeatFlows<T> flows(const HeatAxisCells<T>& a, std::int64_t at, std::int64_t i) const {
    const bool first = i == 0;
    const bool last = i == a.cells - 1;
    HeatFlows<T> flow{T(0), T(0), T(0), T(0), at, at};
    if (!first || a.periodic) {
      flow.before = first ? at + (a.cells - 1) * a.stride : at - a.stride;
      flow.low = a.scale * between(at, flow.before);
    } else {
      const T out = a.low.exchange(diffusivity == nullptr ? T(1) : diffusivity[at]);
      flow.out += out;
      flow.supply += out * a.low.beyond + a.low.supply;
    }
    if (!last || a.periodic) {
      flow.after = last ? at - (a.cells - 1) * a.stride : at + a.stride;
      flow.high = a.scale * between(at, flow.after);
    } else {
      const T out = a.high.exchange(diffusivity == nullptr ? T(1) : diffusivity[at]);
      flow.out += out;
      flow.supply += out * a.high.beyond + a.high.supply;
    }
    return flow;
  }

  SETKA_HD T reaction_of(std::int64_t at) const {
    return reaction == nullptr ? uniform_reaction : reaction[at];
  }
};

/// next = keep u + step (F - A u), where A may be of some axes alone (F is of all), for the cells from
/// `first` on. Reads u, f and d with their neighbours, writes one value: 16 bytes a cell and 15 operations in
/// double precision where d is uniform and no f is.
template <class T>
struct HeatChange {
  HeatCells<T> grid;
  bool of_axis[3];
  T reaction_share;  // of the axes that count
  T keep;
  T step;
  const T* u;
  T* next;
  std::int64_t first = 0;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t at = first + i;
    const std::int64_t places[3] = {grid.axis[0].place(at), grid.axis[1].place(at), grid.axis[2].place(at)};
    change(at, places);
  }

  SETKA_HD void change(std::int64_t at, const std::int64_t (&places)[3]) const {
    const T value = u[at];
    T rate = -reaction_share * grid.reaction_of(at) * value;
    if (grid.source != nullptr) rate += grid.source[at];
    SETKA_UNROLL
    for (int k = 0; k < 3; ++k) {
      if (!grid.axis[k].used) continue;
      const HeatFlows<T> flow = grid.flows(grid.axis[k], at, places[k]);
      rate += flow.supply;
      if (!of_axis[k]) continue;
      rate += flow.low * (u[flow.before] - value) + flow.high * (u[flow.after] - value) - flow.out * value;
    }
    next[at] = keep * value + step * rate;
  }
};

/// Rows of 1 + step A of one axis, of the cells from `first` on.
template <class T>
struct HeatRows {
  HeatCells<T> grid;
  int of_axis;
  T reaction_share;
  T step;
  T* lower;
  T* diagonal;
  T* upper;
  std::int64_t first = 0;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t at = first + i;
    const HeatFlows<T> flow = grid.flows(grid.axis[of_axis], at);
    lower[at] = -step * flow.low;
    upper[at] = -step * flow.high;
    diagonal[at] = T(1) + step * (flow.low + flow.high + flow.out + reaction_share * grid.reaction_of(at));
  }
};

/// u += step supply of the ends of one line; a thread a line, since an axis may have one cell.
template <class T>
struct HeatSupply {
  HeatCells<T> grid;
  Lines lines;
  int of_axis;
  T step;
  T* u;

  SETKA_HD void operator()(std::int64_t line) const {
    const std::int64_t first = lines.place(line, 0);
    const std::int64_t last = lines.place(line, lines.rows - 1);
    u[first] += step * grid.flows(grid.axis[of_axis], first).supply;
    if (last != first) u[last] += step * grid.flows(grid.axis[of_axis], last).supply;
  }
};

/// Gershgorin's bound of A's eigenvalues at each cell from `first` on, which has bound[0].
template <class T>
struct HeatBound {
  HeatCells<T> grid;
  T* bound;
  std::int64_t first = 0;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t at = first + i;
    T sum = grid.reaction_of(at);
    SETKA_UNROLL
    for (int k = 0; k < 3; ++k) {
      if (!grid.axis[k].used) continue;
      const HeatFlows<T> flow = grid.flows(grid.axis[k], at);
      sum += T(2) * (flow.low + flow.high) + flow.out;
    }
    bound[i] = sum;
  }
};

}  // namespace kernel
}  // namespace setka::grid
