// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/mesh/mesh.hpp"

namespace setka::model {

/// What an element models on its cell.
enum class Family : std::uint8_t {
  solid,
  plane_stress,
  plane_strain,
  axisymmetric,
  truss,
  spring,        // along given directions: of one node, or between two
  axial_spring,  // along the line between its nodes
  dashpot,       // likewise, resists their velocities
  mass,          // of one node
  shell,
  beam,
  membrane,
};

/// How the user wants it integrated.
enum class Integration : std::uint8_t { full, reduced, incompatible };

/// What the user said an element is.
struct ElementType {
  mesh::Cell cell = mesh::Cell::point1;
  Family family = Family::solid;
  Integration integration = Integration::full;

  bool operator==(const ElementType&) const = default;

  /// By which a mesh keeps family and integration.
  constexpr std::uint8_t attribute() const {
    return static_cast<std::uint8_t>(3 * static_cast<int>(family) + static_cast<int>(integration));
  }
};

/// Whether it is none of a continuum: it has a *SPRING, *DASHPOT or *MASS in the place of a section.
constexpr bool is_spring(Family family) {
  return family == Family::spring || family == Family::axial_spring || family == Family::dashpot ||
         family == Family::mass;
}

/// Whether it is computed as a layer of solids.
constexpr bool is_plane(Family family) {
  return family == Family::plane_stress || family == Family::plane_strain || family == Family::axisymmetric;
}

/// Whether it is a surface that becomes a solid over its thickness.
constexpr bool is_surface(Family family) {
  return family == Family::shell || family == Family::membrane;
}

/// Whether it has a Profile, and becomes a solid about its surface or line.
constexpr bool has_profile(Family family) {
  return is_surface(family) || family == Family::beam;
}

/// Whether its nodes have rotations.
constexpr bool has_rotations(Family family) {
  return family == Family::shell || family == Family::beam;
}

inline ElementType element_type(const mesh::Mesh& mesh, std::int32_t element) {
  const int attribute = mesh.attribute(element);
  return {mesh.cell(element), static_cast<Family>(attribute / 3), static_cast<Integration>(attribute % 3)};
}

inline Family family(const mesh::Mesh& mesh, std::int32_t element) {
  return static_cast<Family>(mesh.attribute(element) / 3);
}

/// As Mesh::add_element().
inline std::int32_t add_element(mesh::Mesh& mesh, std::int32_t label, const ElementType& type,
                                std::span<const std::int32_t> nodes) {
  return mesh.add_element(label, type.cell, nodes, type.attribute());
}

}  // namespace setka::model
