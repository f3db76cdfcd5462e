// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/solid_kernel.hpp"

namespace setka::fem::kernel {

/// Points that integrate the lumped mass of a type.
template <Element type>
struct MassPoints {
  using Points = typename Solid<type>::Points;
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
  using Functions = typename Solid<type>::Functions;
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
    const double w = density * weight * determinant_at<Functions>(x, r);
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
  ElementGroupView group;
  double* to;  // [blocks, 3 nodes, 32]

  SETKA_HD void operator()(std::int64_t e) const {
    constexpr int nodes = Solid<type>::nodes;
    const std::int64_t block = e / block_lanes;
    const int lane = static_cast<int>(e % block_lanes);
    const NodeCoordinates at{group.node + interleaved(block, nodes, 0, lane), group.coordinates};
    double x[3 * nodes];
    double m[nodes];
    for (int i = 0; i < 3 * nodes; ++i) x[i] = at[i];
    lumped_mass<type>(x, group.density[group.material[e]], m);
    for (int i = 0; i < nodes; ++i) to[interleaved(block, nodes, i, lane)] = m[i];
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

}  // namespace setka::fem::kernel
