// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_group_kernel.hpp"

/// One step of central differences at a node.
namespace setka::dynamics::kernel {

/// Of a node or of the body: energy of motion, work done by loads and by what moves supports, work lost to
/// damping.
struct NodeEnergies {
  double kinetic;
  double external;
  double damping;
};

/// From time n to n + 1, v- and v+ the velocities half a step before and after n, q = damping dt / 2:
///
///   v+ = ((1 - q) v- + dt (R - G) / m) / (1 + q),   u += dt v+.
///
/// Energy of motion at n is m v- v+ / 2, with which the sum with the energy of a linear body is constant to
/// the last bit but rounding; work is summed in the same way, half of it with v- and half with v+.
///
/// Bytes a node in double, C3D8: 192 forces, 32 + 8 places, 24 + 48 + 48 mass, u and v; 32 for each of work
/// and loss, where there are any.
template <class T>
struct ExplicitStep {
  const std::int64_t* first_of_node;  // [nodes + 1]
  const std::int32_t* slot;
  const T* forces;           // element vector
  const T* mass;             // [nodes]
  const std::uint8_t* held;  // [nodes], bit c: direction c follows the motion; null: none does
  const T* load;             // [nodes, 3] or null
  const T* motion;           // [nodes, 3] or null: held directions rest
  T load_factor;             // at n
  T motion_factor;           // at n + 1
  T dt;
  T damping;
  bool start;              // v is that at n, not v-
  T* u;                    // [nodes, 3]
  T* v;                    // [nodes, 3]
  double* work;            // [nodes] or null: nothing does any
  double* loss;            // [nodes] or null
  NodeEnergies* energies;  // [nodes], those at n; or null

  SETKA_HD void operator()(std::int64_t node) const { act<true>(node, nullptr, nullptr); }

  /// moves: to n + 1. Else nothing changes, and the velocity and the forces of the elements at n are given.
  template <bool moves>
  SETKA_HD void act(std::int64_t node, T* velocity, T* inner) const {
    T f[3] = {0, 0, 0};
    for (std::int64_t p = first_of_node[node]; p < first_of_node[node + 1]; ++p) {
      const T* const from = forces + fem::slot_row(slot[p], 3, 0);
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) f[c] += *mesh::row<fem::block_lanes>(from, c);
    }
    const T m = mass[node];
    const int fixed = m > 0 ? (held != nullptr ? held[node] : 0) : 7;
    const T q = damping * dt / 2;
    const T to_velocity = m > 0 ? dt / m : T(0);
    double kinetic = 0;
    double work_before = 0;
    double work_after = 0;
    double loss_before = 0;
    double loss_after = 0;
    SETKA_UNROLL
    for (int c = 0; c < 3; ++c) {
      const std::int64_t at = 3 * node + c;
      T before = v[at];
      T after;
      T external = load != nullptr ? load[at] * load_factor : T(0);
      if ((fixed >> c & 1) != 0) {
        after = motion != nullptr ? (motion[at] * motion_factor - u[at]) / dt : T(0);
        if (motion == nullptr) before = after;
        external = m * (after - before) / dt + f[c] + damping * m * (before + after) / 2;
      } else {
        const T push = to_velocity * (external - f[c]);
        if (start) before = before * (1 + q) - push / 2;
        after = ((1 - q) * before + push) / (1 + q);
      }
      if constexpr (moves) {
        v[at] = after;
        u[at] += dt * after;
      } else {
        velocity[at] = start ? v[at] : (before + after) / 2;
        inner[at] = f[c];
      }
      if (energies != nullptr) kinetic += static_cast<double>(m) * before * after;
      if (work != nullptr) {
        work_before += static_cast<double>(external) * before;
        work_after += static_cast<double>(external) * after;
      }
      if (loss != nullptr) {
        const double lost = static_cast<double>(damping * m) * (before + after) / 2;
        loss_before += lost * before;
        loss_after += lost * after;
      }
    }
    const double half = static_cast<double>(dt) / 2;
    const double done = work != nullptr ? work[node] + (start ? 0 : half * work_before) : 0;
    const double lost = loss != nullptr ? loss[node] + (start ? 0 : half * loss_before) : 0;
    if constexpr (moves) {
      if (work != nullptr) work[node] = done + half * work_after;
      if (loss != nullptr) loss[node] = lost + half * loss_after;
    }
    if (energies != nullptr) energies[node] = {kinetic / 2, done, lost};
  }
};

/// What is to be seen at n, without a step.
template <class T>
struct ExplicitLook {
  ExplicitStep<T> step;
  T* velocity;  // [nodes, 3]
  T* forces;    // [nodes, 3], of the elements

  SETKA_HD void operator()(std::int64_t node) const { step.template act<false>(node, velocity, forces); }
};

/// Displacement, velocity and force of some nodes, [chosen, 9].
template <class T>
struct PickNodes {
  const std::int32_t* node;  // [chosen]
  const T* u;
  const T* velocity;
  const T* forces;
  double* to;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t from = 3 * std::int64_t{node[i]};
    for (int c = 0; c < 3; ++c) {
      to[9 * i + c] = static_cast<double>(u[from + c]);
      to[9 * i + 3 + c] = static_cast<double>(velocity[from + c]);
      to[9 * i + 6 + c] = static_cast<double>(forces[from + c]);
    }
  }
};

struct NodeEnergySum {
  using Value = NodeEnergies;
  const NodeEnergies* energies;
  SETKA_HD NodeEnergies operator()(std::int64_t node) const { return energies[node]; }
  SETKA_HD static NodeEnergies combine(const NodeEnergies& a, const NodeEnergies& b) {
    return {a.kinetic + b.kinetic, a.external + b.external, a.damping + b.damping};
  }
  SETKA_HD static NodeEnergies identity() { return {0, 0, 0}; }
};

}  // namespace setka::dynamics::kernel
