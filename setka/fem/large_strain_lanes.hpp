// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/simd_roots.hpp"
#include "setka/fem/large_strain_kernel.hpp"

/// The forces of elements that fill a vector register, for the loops of the CPU.
namespace setka::fem {

template <class T>
struct LanesSource {
  const T* first;
  exec::Simd<T> load(int i) const {
    exec::Simd<T> value;
    value.load(mesh::row<block_lanes>(first, i));
    return value;
  }
};

/// values: [nodes, 3] of the lanes, from: [mesh nodes, 3]; node: of the first lane, each node 32 further on.
template <int nodes, class T>
[[gnu::always_inline]] inline void load_lanes(const std::int32_t* node, const T* from,
                                              exec::Simd<T>* values) {
  for (int i = 0; i < nodes; ++i) {
    const std::int32_t* const of = mesh::row<block_lanes>(node, i);
    for (int l = 0; l < exec::Simd<T>::count; ++l) {
      const T* const own = from + 3 * std::int64_t{of[l]};
      for (int c = 0; c < 3; ++c) values[3 * i + c].set(l, own[c]);
    }
  }
}

/// Constants of the lanes' materials, of which each has `width`.
template <class T, int width>
struct LaneConstants {
  const T* constants;
  const std::int32_t* material;

  [[gnu::always_inline]] inline exec::Simd<T> operator()(int i) const {
    exec::Simd<T> value;
    for (int l = 0; l < exec::Simd<T>::count; ++l)
      value.set(l, constants[std::int64_t{material[l]} * width + i]);
    return value;
  }
};

/// A block of 32 elements.
template <class T, Element type, bool stored, template <class> class Law>
void block_forces(const kernel::ElementForces<T, type, stored, Law>& on, std::int64_t block) {
  using Numbers = exec::Simd<T>;
  constexpr int nodes = kernel::Solid<type>::nodes;
  constexpr int width = Law<Numbers>::constants + 1;
  constexpr int remembered = kernel::Solid<type>::points * Law<Numbers>::history_size;
  for (int first = 0; first < block_lanes; first += Numbers::count) {
    const std::int32_t* const node = on.group.node + interleaved(block, nodes, 0, first);
    Numbers x[3 * nodes];
    Numbers u[3 * nodes];
    Numbers f[3 * nodes];
    Numbers before[remembered > 0 ? remembered : 1];
    Numbers after[remembered > 0 ? remembered : 1];
    if constexpr (kernel::reads_coordinates<type, stored>) load_lanes<nodes>(node, on.group.coordinates, x);
    load_lanes<nodes>(node, on.u, u);
    for (int i = 0; i < remembered; ++i)
      before[i].load(on.group.before + interleaved(block, remembered, i, first));
    const LaneConstants<T, width> constant{on.group.constants,
                                           on.group.material + interleaved(block, 1, 0, first)};
    const LanesSource<T> geometry{kernel::geometry_of<type, stored>(on.group, block, first)};
    const Numbers energy = kernel::element_forces<type, stored>(
        on.group, geometry, x, u, Law<Numbers>::of(constant), constant(width - 1),
        kernel::History<Numbers>{before, after}, on.energy != nullptr, f);
    for (int k = 0; k < 3 * nodes; ++k) f[k].store(on.f + interleaved(block, 3 * nodes, k, first));
    for (int i = 0; i < remembered; ++i)
      after[i].store(on.group.after + interleaved(block, remembered, i, first));
    if (on.energy == nullptr) continue;
    for (int l = 0; l < Numbers::count; ++l)
      on.energy[block * block_lanes + first + l] = static_cast<double>(energy[l]);
  }
}

}  // namespace setka::fem
