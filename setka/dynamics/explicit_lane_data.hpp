// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/dynamics/explicit_elements_kernel.hpp"
#include "setka/exec/simd_roots.hpp"
#include "setka/fem/elements.hpp"

/// The forces of elements that fill a vector register, for the loops of the CPU.
namespace setka::dynamics {

template <class T>
struct LanesSource {
  const T* first;
  exec::Simd<T> load(int i) const {
    exec::Simd<T> value;
    value.load(mesh::row<fem::block_lanes>(first, i));
    return value;
  }
};

/// values: [nodes, 3] of the lanes, from: [mesh nodes, 3]; node: of the first lane, each node 32 further on.
template <int nodes, class T>
[[gnu::always_inline]] inline void load_lanes(const std::int32_t* node, const T* from,
                                              exec::Simd<T>* values) {
  for (int i = 0; i < nodes; ++i) {
    const std::int32_t* const of = mesh::row<fem::block_lanes>(node, i);
    for (int l = 0; l < exec::Simd<T>::count; ++l) {
      const T* const own = from + 3 * std::int64_t{of[l]};
      for (int c = 0; c < 3; ++c) values[3 * i + c].set(l, own[c]);
    }
  }
}

/// Constant i of the lanes' materials.
template <class T>
[[gnu::always_inline]] inline exec::Simd<T> constant_lanes(const T* constants, const std::int32_t* material,
                                                           int i) {
  exec::Simd<T> value;
  for (int l = 0; l < exec::Simd<T>::count; ++l)
    value.set(l, constants[std::int64_t{material[l]} * kernel::law_constants + i]);
  return value;
}

/// A block of 32 elements.
template <class T, fem::Element type, bool stored, template <class> class Law>
void block_forces(const kernel::ElementForces<T, type, stored, Law>& on, std::int64_t block) {
  using Lanes = exec::Simd<T>;
  constexpr int nodes = fem::kernel::Solid<type>::nodes;
  for (int first = 0; first < fem::block_lanes; first += Lanes::count) {
    const std::int32_t* const node = on.group.node + fem::interleaved(block, nodes, 0, first);
    const std::int32_t* const material = on.group.material + fem::interleaved(block, 1, 0, first);
    Lanes x[3 * nodes];
    Lanes u[3 * nodes];
    Lanes f[3 * nodes];
    if constexpr (kernel::reads_coordinates<type, stored>) load_lanes<nodes>(node, on.group.coordinates, x);
    load_lanes<nodes>(node, on.u, u);
    const auto constant = [&](int i) { return constant_lanes(on.group.constants, material, i); };
    const LanesSource<T> geometry{kernel::geometry_of<type, stored>(on.group, block, first)};
    const Lanes energy = kernel::element_forces<type, stored>(
        on.group, geometry, x, u, Law<Lanes>::of(constant), constant(5), on.energy != nullptr, f);
    for (int k = 0; k < 3 * nodes; ++k) f[k].store(on.f + fem::interleaved(block, 3 * nodes, k, first));
    if (on.energy == nullptr) continue;
    for (int l = 0; l < Lanes::count; ++l)
      on.energy[block * fem::block_lanes + first + l] = static_cast<double>(energy[l]);
  }
}

/// A block of 32 elements.
template <fem::Element type>
void block_frequencies(const kernel::ElementFrequency<type>& on, std::int64_t block) {
  using Lanes = exec::Simd<double>;
  using Data = kernel::FrequencyData<type, double>;
  const std::int64_t begin = block * fem::block_lanes;
  for (std::int64_t first = begin; first < begin + fem::block_lanes; first += Lanes::count) {
    kernel::FrequencyData<type, Lanes> all;
    for (int l = 0; l < Lanes::count; ++l) {
      Data one;
      on.load(first + l, one);
      for (int i = 0; i < 3 * Data::nodes; ++i) {
        all.x[i].set(l, one.x[i]);
        all.u[i].set(l, one.u[i]);
      }
      for (int i = 0; i < Data::nodes; ++i) all.mass[i].set(l, one.mass[i]);
      all.small.set(l, one.small);
      if constexpr (type == fem::Element::hex8_uniform) {
        for (int i = 0; i < kernel::uniform_size; ++i) all.uniform[i].set(l, one.uniform[i]);
      }
    }
    const auto constant = [&](int i) {
      return constant_lanes(on.group.constants, on.group.material + first, i);
    };
    const Lanes found =
        kernel::highest_frequency(on.group, all, kernel::Hyperelastic<Lanes>::of(constant), constant(5));
    found.store(on.frequency + first);
  }
}

}  // namespace setka::dynamics
