// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::grid {

/// What is beyond the first and the last node of an axis.
enum class Ends {
  periodic,   // the other end
  fixed,      // zero, one spacing away
  insulated,  // the same value as at the end: no heat flows
};

namespace kernel {

/// One explicit step for node `at` of a grid [n0, n1, n2], last index fastest: reads its neighbours, writes
/// one value; 16 bytes a node and 15 additions and multiplications in double precision.
template <class T>
struct ExplicitHeat {
  struct Axis {
    std::int64_t nodes;
    std::int64_t stride;
    T ratio;  // diffusivity * step / spacing^2
    Ends ends;
  };
  Axis axis[3];
  const T* u;
  T* next;

  SETKA_HD T beyond(const Axis& a, std::int64_t at, std::int64_t other_end, T value) const {
    return a.ends == Ends::periodic ? u[at + other_end * a.stride] : a.ends == Ends::fixed ? T(0) : value;
  }

  SETKA_HD void operator()(std::int64_t at) const {
    const T value = u[at];
    T sum = value;
    SETKA_UNROLL
    for (const Axis& a : axis) {
      if (a.nodes == 1 && a.ratio == T(0)) continue;
      const std::int64_t i = at / a.stride % a.nodes;
      const T low = i > 0 ? u[at - a.stride] : beyond(a, at, a.nodes - 1, value);
      const T high = i < a.nodes - 1 ? u[at + a.stride] : beyond(a, at, 1 - a.nodes, value);
      sum += a.ratio * ((low - value) + (high - value));
    }
    next[at] = sum;
  }
};

}  // namespace kernel
}  // namespace setka::grid
