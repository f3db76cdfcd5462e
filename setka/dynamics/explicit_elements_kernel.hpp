// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/dynamics/total_lagrangian_kernel.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/elements.hpp"

/// Bodies of loops over the elements of explicit dynamics.
namespace setka::dynamics::kernel {

using fem::Element;

/// A group of elements of one type in the precision of the computation.
template <class T>
struct ExplicitGroup {
  std::int64_t blocks;
  const std::int32_t* node;      // [blocks, nodes, 32]
  const std::int32_t* material;  // [blocks, 32]
  const T* coordinates;          // [mesh nodes, 3]
  const T* constants;            // [materials, law_constants]
  const T* gradients;            // [points, nodes, 3]
  const T* weights;              // [points]
  const T* geometry;             // [blocks, points x 10 or uniform_size, 32]; null where it is computed
};

/// Entries 32 apart.
template <class T>
struct LaneSource {
  const T* first;
  SETKA_HD T load(int i) const { return first[std::int64_t{i} * fem::block_lanes]; }
};

template <class T>
struct ConstantsOf {
  const T* own;
  SETKA_HD T operator()(int i) const { return own[i]; }
};

/// The forces and, where it is asked for, the energy of one element from what it has loaded.
template <Element type, bool stored, class T, class Real, class Law, class Source>
SETKA_HD inline Real element_forces(const ExplicitGroup<T>& group, const Source& geometry, const Real* x,
                                    const Real* u, const Law& law, const Real& resistance, bool energy,
                                    Real* f) {
  using Solid = fem::kernel::Solid<type>;
  if constexpr (type == Element::hex8_uniform) {
    return uniform_forces(geometry, u, law, resistance, energy, f);
  } else if constexpr (type == Element::hex8 && stored) {
    return hexa_forces<T>(StoredMap<Source>{geometry}, u, law, energy, f);
  } else if constexpr (type == Element::hex8) {
    return hexa_forces<T>(ComputedMap<Real>{x}, u, law, energy, f);
  } else {
    return solid_forces<Solid::nodes, Solid::points>(x, u, group.gradients, group.weights, law, energy, f);
  }
}

template <Element type, bool stored>
inline constexpr bool reads_coordinates = type != Element::hex8_uniform && !stored;
template <Element type, bool stored>
inline constexpr int geometry_size = type == Element::hex8_uniform ? uniform_size
                                                                   : (stored ? 8 * map_size : 0);

/// Where the geometry of a lane begins; null for elements that have none.
template <Element type, bool stored, class T>
SETKA_HD inline const T* geometry_of(const ExplicitGroup<T>& group, std::int64_t block, int lane) {
  constexpr int size = geometry_size<type, stored>;
  if constexpr (size == 0) {
    return nullptr;
  } else {
    return group.geometry + fem::interleaved(block, size, 0, lane);
  }
}

/// A thread an element: GPUs.
template <class T, Element type, bool stored, template <class> class Law>
struct ElementForces {
  ExplicitGroup<T> group;
  const T* u;      // [mesh nodes, 3]
  T* f;            // [blocks, 3 nodes, 32]
  double* energy;  // [blocks, 32] or null

  SETKA_HD void operator()(std::int64_t e) const {
    constexpr int nodes = fem::kernel::Solid<type>::nodes;
    const std::int64_t block = e / fem::block_lanes;
    const int lane = static_cast<int>(e % fem::block_lanes);
    T x[3 * nodes];
    T own[3 * nodes];
    T force[3 * nodes];
    SETKA_UNROLL
    for (int i = 0; i < nodes; ++i) {
      const std::int64_t at = 3 * std::int64_t{group.node[fem::interleaved(block, nodes, i, lane)]};
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) {
        if constexpr (reads_coordinates<type, stored>) x[3 * i + c] = group.coordinates[at + c];
        own[3 * i + c] = u[at + c];
      }
    }
    const ConstantsOf<T> constant{group.constants + std::int64_t{group.material[e]} * law_constants};
    const LaneSource<T> geometry{geometry_of<type, stored>(group, block, lane)};
    const T w = element_forces<type, stored>(group, geometry, x, own, Law<T>::of(constant), constant(5),
                                             energy != nullptr, force);
    SETKA_UNROLL
    for (int k = 0; k < 3 * nodes; ++k) f[fem::interleaved(block, 3 * nodes, k, lane)] = force[k];
    if (energy != nullptr) energy[e] = static_cast<double>(w);
  }
};

/// What is computed once and kept: for hex8_uniform, and for hex8 with stored derivatives.
template <class T, Element type>
struct ElementGeometry {
  fem::ElementGroupView group;
  T* to;

  SETKA_HD void operator()(std::int64_t e) const {
    static_assert(type == Element::hex8 || type == Element::hex8_uniform);
    const std::int64_t block = e / fem::block_lanes;
    const int lane = static_cast<int>(e % fem::block_lanes);
    constexpr int size = geometry_size<type, true>;
    const fem::kernel::NodeCoordinates at{group.node + fem::interleaved(block, 8, 0, lane),
                                          group.coordinates};
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
        own[9] = 1 / fem::kernel::adjugate3(j, own);
      }
    }
    for (int i = 0; i < size; ++i) to[fem::interleaved(block, size, i, lane)] = static_cast<T>(values[i]);
  }
};

/// Points that integrate the lumped mass of a type.
template <Element type>
struct MassPoints {
  using Points = typename fem::kernel::Solid<type>::Points;
};
template <>
struct MassPoints<Element::hex8_uniform> {
  using Points = mesh::GaussHex<2>;
};
template <>
struct MassPoints<Element::tet10> {
  using Points = mesh::GaussTet<15>;
};
template <>
struct MassPoints<Element::hex20_reduced> {
  using Points = mesh::GaussHex<3>;
};

/// m: [nodes]. First order: the sum of each row of the consistent mass, the integral of N. Second order,
/// where corners would get a negative one: its diagonal, scaled to the mass of the element (Hinton, Rock and
/// Zienkiewicz 1976).
template <Element type>
SETKA_HD inline void lumped_mass(const double* x, double density, double* m) {
  using Functions = typename fem::kernel::Solid<type>::Functions;
  using Points = typename MassPoints<type>::Points;
  constexpr int nodes = Functions::nodes;
  constexpr bool diagonal = nodes > 8;
  for (int i = 0; i < nodes; ++i) m[i] = 0;
  double mass = 0;
  double sum = 0;
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double values[nodes];
    const double weight = Points::at(p, r);
    const double w = density * weight * fem::kernel::determinant_at<Functions>(x, r);
    Functions::values(r, values);
    mass += w;
    for (int i = 0; i < nodes; ++i) {
      const double part = diagonal ? w * values[i] * values[i] : w * values[i];
      m[i] += part;
      sum += part;
    }
  }
  for (int i = 0; i < nodes; ++i) m[i] *= mass / sum;
}

/// Mass of an element's nodes in the rows of their first directions.
template <Element type>
struct ElementMass {
  fem::ElementGroupView group;
  double* to;  // [blocks, 3 nodes, 32]

  SETKA_HD void operator()(std::int64_t e) const {
    constexpr int nodes = fem::kernel::Solid<type>::nodes;
    const std::int64_t block = e / fem::block_lanes;
    const int lane = static_cast<int>(e % fem::block_lanes);
    const fem::kernel::NodeCoordinates at{group.node + fem::interleaved(block, nodes, 0, lane),
                                          group.coordinates};
    double x[3 * nodes];
    double m[nodes];
    for (int i = 0; i < 3 * nodes; ++i) x[i] = at[i];
    lumped_mass<type>(x, group.density[group.material[e]], m);
    for (int i = 0; i < nodes; ++i) to[fem::interleaved(block, nodes, i, lane)] = m[i];
  }
};

/// Sums over slots, in the order of groups and elements.
struct NodeMass {
  const std::int64_t* first_of_node;
  const std::int32_t* slot;
  const double* values;
  double* mass;  // [nodes]
  SETKA_HD void operator()(std::int64_t node) const {
    double sum = 0;
    for (std::int64_t p = first_of_node[node]; p < first_of_node[node + 1]; ++p) sum += values[slot[p]];
    mass[node] = sum;
  }
};

SETKA_HD inline double square_root(double x) {
  return std::sqrt(x);
}

/// Entries one after the other.
template <class Real>
struct OwnSource {
  const Real* first;
  SETKA_HD Real load(int i) const { return first[i]; }
};

/// What the highest frequency of an element is found from.
template <Element type, class Real>
struct FrequencyData {
  static constexpr int nodes = fem::kernel::Solid<type>::nodes;
  Real x[3 * nodes];
  Real u[3 * nodes];
  Real mass[nodes];
  Real small;  // a displacement by which it changes little
  Real uniform[type == Element::hex8_uniform ? uniform_size : 1];
};

/// The highest angular frequency of an element with its own lumped mass, linearised about u: by Irons and
/// Treharne (1971) none of the whole body is above the highest of them. Power iteration from a rough field,
/// with differences of the forces for the stiffness.
template <Element type, class Real, class Law>
SETKA_HD inline Real highest_frequency(const ExplicitGroup<double>& group,
                                       const FrequencyData<type, Real>& on, const Law& law,
                                       const Real& resistance) {
  constexpr int rows = 3 * FrequencyData<type, Real>::nodes;
  constexpr int iterations = 40;
  const OwnSource<Real> uniform{on.uniform};
  Real total = Real(0);
  Real size = Real(0);
  Real v[rows];
  for (int i = 0; i < rows; ++i) {
    const int rough = (i * 37 + 11 * (i % 7) * (i % 5)) % 23;  // no pattern that a mode could be free of
    v[i] = Real(rough / 11.5 - 1);
    size += on.mass[i / 3] * v[i] * v[i];
    total += on.mass[i / 3];
  }
  Real f0[rows];
  element_forces<type, false>(group, uniform, on.x, on.u, law, resistance, false, f0);
  Real square = Real(0);
  for (int k = 0; k < iterations; ++k) {
    const Real scale = square_root(total / size);
    Real moved[rows];
    Real f[rows];
    for (int i = 0; i < rows; ++i) moved[i] = on.u[i] + on.small * scale * v[i];
    element_forces<type, false>(group, uniform, on.x, moved, law, resistance, false, f);
    size = Real(0);
    for (int i = 0; i < rows; ++i) {
      v[i] = (f[i] - f0[i]) / (on.small * on.mass[i / 3]);
      size += on.mass[i / 3] * v[i] * v[i];
    }
    square = square_root(size / total);
  }
  return square_root(square);
}

/// A thread an element: GPUs.
template <Element type>
struct ElementFrequency {
  ExplicitGroup<double> group;
  const double* density;  // [materials]
  const double* u;        // [mesh nodes, 3]
  double* frequency;      // [blocks, 32]

  SETKA_HD void load(std::int64_t e, FrequencyData<type, double>& on) const {
    constexpr int nodes = fem::kernel::Solid<type>::nodes;
    const std::int64_t block = e / fem::block_lanes;
    const int lane = static_cast<int>(e % fem::block_lanes);
    for (int i = 0; i < nodes; ++i) {
      const std::int64_t at = 3 * std::int64_t{group.node[fem::interleaved(block, nodes, i, lane)]};
      for (int c = 0; c < 3; ++c) {
        on.x[3 * i + c] = group.coordinates[at + c];
        on.u[3 * i + c] = u[at + c];
      }
    }
    const double rho = density[group.material[e]];
    lumped_mass<type>(on.x, rho, on.mass);
    double mass = 0;
    for (int i = 0; i < nodes; ++i) mass += on.mass[i];
    on.small = 1e-6 * std::cbrt(mass / rho);
    if constexpr (type == Element::hex8_uniform) uniform_geometry(on.x, on.uniform);
  }

  SETKA_HD void operator()(std::int64_t e) const {
    FrequencyData<type, double> on;
    load(e, on);
    const ConstantsOf<double> constant{group.constants + std::int64_t{group.material[e]} * law_constants};
    frequency[e] = highest_frequency(group, on, Hyperelastic<double>::of(constant), constant(5));
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

struct Widen {
  const float* from;
  double* to;
  SETKA_HD void operator()(std::int64_t i) const { to[i] = static_cast<double>(from[i]); }
};

}  // namespace setka::dynamics::kernel
