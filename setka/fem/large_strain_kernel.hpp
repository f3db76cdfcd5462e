// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/laws.hpp"
#include "setka/fem/total_lagrangian_kernel.hpp"

/// Bodies of loops over elements under large strains.
namespace setka::fem {

/// Error(Fault::input): internal modes have no formulation for large strains.
[[noreturn]] void refuse_incompatible_modes();

/// Calls body.operator()<element, Law>() with the element and the struct of the law.
template <class Body>
void with_large_strains(Element element, Law law, const Body& body) {
  with_solid("LargeStrainForm", element, [&]<Element type>() {
    if constexpr (type == Element::hex8_incompatible) {
      refuse_incompatible_modes();
    } else {
      with_law(law, [&]<template <class> class Own>() { body.template operator()<type, Own>(); });
    }
  });
}

namespace kernel {

/// A group of elements of one type and one law in the precision of the computation.
template <class T>
struct LargeStrainGroup {
  std::int64_t blocks;
  const std::int32_t* node;      // [blocks, nodes, 32]
  const std::int32_t* material;  // [blocks, 32]
  const T* coordinates;          // [mesh nodes, 3]
  const T* constants;            // [materials, constants of the law and the resistance to hourglasses]
  const T* gradients;            // [points, nodes, 3]
  const T* weights;              // [points]
  const T* geometry;             // [blocks, points x 10 or uniform_size, 32]; null where it is computed
  const T* before;               // [blocks, points x history of the law, 32]; null where it has none
  T* after;                      // likewise
};

/// Entries 32 apart.
template <class T>
struct LaneSource {
  const T* first;
  SETKA_HD T load(int i) const { return first[std::int64_t{i} * block_lanes]; }
};

template <class T>
struct ConstantsOf {
  const T* own;
  SETKA_HD T operator()(int i) const { return own[i]; }
};

/// The forces and, where it is asked for, the energy of one element from what it has loaded.
template <Element type, bool stored, class T, class Real, class Law, class Source>
SETKA_HD inline Real element_forces(const LargeStrainGroup<T>& group, const Source& geometry, const Real* x,
                                    const Real* u, const Law& law, const Real& resistance,
                                    const History<Real>& history, bool energy, Real* f) {
  using Own = Solid<type>;
  if constexpr (type == Element::hex8_uniform) {
    return uniform_forces(geometry, u, law, resistance, history, energy, f);
  } else if constexpr (type == Element::hex8 && stored) {
    return hexa_forces<T>(StoredMap<Source>{geometry}, u, law, history, energy, f);
  } else if constexpr (type == Element::hex8) {
    return hexa_forces<T>(ComputedMap<Real>{x}, u, law, history, energy, f);
  } else {
    return solid_forces<Own::nodes, Own::points>(x, u, group.gradients, group.weights, law, history, energy,
                                                 f);
  }
}

template <Element type, bool stored>
inline constexpr bool reads_coordinates = type != Element::hex8_uniform && !stored;
template <Element type, bool stored>
inline constexpr int geometry_size = type == Element::hex8_uniform ? uniform_size
                                                                   : (stored ? 8 * map_size : 0);

/// Where the geometry of a lane begins; null for elements that have none.
template <Element type, bool stored, class T>
SETKA_HD inline const T* geometry_of(const LargeStrainGroup<T>& group, std::int64_t block, int lane) {
  constexpr int size = geometry_size<type, stored>;
  if constexpr (size == 0) {
    return nullptr;
  } else {
    return group.geometry + interleaved(block, size, 0, lane);
  }
}

/// A thread an element: GPUs.
template <class T, Element type, bool stored, template <class> class Law>
struct ElementForces {
  LargeStrainGroup<T> group;
  const T* u;      // [mesh nodes, 3]
  T* f;            // [blocks, 3 nodes, 32]
  double* energy;  // [blocks, 32] or null

  SETKA_HD void operator()(std::int64_t e) const {
    constexpr int nodes = Solid<type>::nodes;
    constexpr int width = Law<T>::constants + 1;
    constexpr int remembered = Solid<type>::points * Law<T>::history_size;
    const std::int64_t block = e / block_lanes;
    const int lane = static_cast<int>(e % block_lanes);
    T x[3 * nodes];
    T own[3 * nodes];
    T force[3 * nodes];
    SETKA_UNROLL
    for (int i = 0; i < nodes; ++i) {
      const std::int64_t at = 3 * std::int64_t{group.node[interleaved(block, nodes, i, lane)]};
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) {
        if constexpr (reads_coordinates<type, stored>) x[3 * i + c] = group.coordinates[at + c];
        own[3 * i + c] = u[at + c];
      }
    }
    T before[remembered > 0 ? remembered : 1];
    T after[remembered > 0 ? remembered : 1];
    for (int i = 0; i < remembered; ++i) before[i] = group.before[interleaved(block, remembered, i, lane)];
    const ConstantsOf<T> constant{group.constants + std::int64_t{group.material[e]} * width};
    const LaneSource<T> geometry{geometry_of<type, stored>(group, block, lane)};
    const T w =
        element_forces<type, stored>(group, geometry, x, own, Law<T>::of(constant), constant(width - 1),
                                     History<T>{before, after}, energy != nullptr, force);
    SETKA_UNROLL
    for (int k = 0; k < 3 * nodes; ++k) f[interleaved(block, 3 * nodes, k, lane)] = force[k];
    for (int i = 0; i < remembered; ++i) group.after[interleaved(block, remembered, i, lane)] = after[i];
    if (energy != nullptr) energy[e] = static_cast<double>(w);
  }
};

/// What is computed once and kept: for hex8_uniform, and for hex8 with stored derivatives.
template <class T, Element type>
struct ElementGeometry {
  ElementGroupView group;
  T* to;

  SETKA_HD void operator()(std::int64_t e) const {
    static_assert(type == Element::hex8 || type == Element::hex8_uniform);
    const std::int64_t block = e / block_lanes;
    const int lane = static_cast<int>(e % block_lanes);
    constexpr int size = geometry_size<type, true>;
    const NodeCoordinates at{group.node + interleaved(block, 8, 0, lane), group.coordinates};
    double x[24];
    double values[size];
    for (int i = 0; i < 24; ++i) x[i] = at[i];
    if constexpr (type == Element::hex8_uniform) {
      uniform_geometry(x, values);
    } else {
      for (int p = 0; p < 8; ++p) {
        double j[9];
        slopes<8>(x, row<24>(group.reference.gradients, p), j);
        double* const own = row<map_size>(values, p);
        own[9] = 1 / adjugate3(j, own);
      }
    }
    for (int i = 0; i < size; ++i) to[interleaved(block, size, i, lane)] = static_cast<T>(values[i]);
  }
};

/// Sum of the elements' energies, those that fill up the last block left out.
struct EnergySum {
  using Value = double;
  const double* energy;
  SETKA_HD double operator()(std::int64_t e) const { return energy[e]; }
  SETKA_HD static double combine(double a, double b) { return a + b; }
  SETKA_HD static double identity() { return 0; }
};

}  // namespace kernel

namespace cuda {

/// Defined in large_strain_forces_double.cu and large_strain_forces_float.cu.
template <class T>
void large_strain_forces(const exec::Stream& stream, Element element, Law law, bool stored,
                         const kernel::LargeStrainGroup<T>& group, const T* u, T* f, double* energy);

}  // namespace cuda
}  // namespace setka::fem
