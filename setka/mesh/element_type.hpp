// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace setka::mesh {

/// The geometry of an element: its nodes, in the order that CalculiX and Abaqus number them.
enum class Shape : std::uint8_t {
  point1,
  line2,
  line3,  // both ends, then the node between them
  triangle3,
  triangle6,
  quad4,
  quad8,
  tetra4,
  tetra10,
  wedge6,
  wedge15,
  hexa8,
  hexa20,
};

int node_count(Shape shape);
int dimension(Shape shape);  // of the reference element: 0, 1, 2 or 3
int face_count(Shape shape);

/// The two corners between which each node amid an edge lies: those of node corner_count, and so on. Corners
/// come first in the order of nodes; of a first-order shape all nodes are corners.
int corner_count(Shape shape);
std::span<const std::array<std::int8_t, 2>> edges_with_nodes(Shape shape);

/// A face of a solid (or an edge of a plane shape): local node numbers from 0, corner nodes first, then those
/// amid the edges; numbered from 0 where CalculiX says S1 or P1. The corners of a solid's face turn so that
/// the normal points into the element for the right hand.
std::span<const std::int8_t> face_nodes(Shape shape, int face);
Shape face_shape(Shape shape, int face);

/// What an element computes with its shape.
enum class Family : std::uint8_t { solid, plane_stress, plane_strain, axisymmetric, truss, spring };

/// How an element is integrated, as CalculiX does it.
enum class Integration : std::uint8_t { full, reduced, incompatible };

/// Element types by their names in a deck.
enum class ElementType : std::uint8_t {
  c3d4,
  c3d6,
  c3d8,
  c3d8i,
  c3d8r,
  c3d10,
  c3d15,
  c3d20,
  c3d20r,
  cps3,
  cps4,
  cps4r,
  cps6,
  cps8,
  cps8r,
  cpe3,
  cpe4,
  cpe4r,
  cpe6,
  cpe8,
  cpe8r,
  cax3,
  cax4,
  cax4r,
  cax6,
  cax8,
  cax8r,
  t3d2,
  spring1,
  spring2,
  springa,
};
inline constexpr int element_type_count = static_cast<int>(ElementType::springa) + 1;

struct ElementTypeInfo {
  std::string_view name;  // "C3D20R"
  Shape shape;
  Family family;
  Integration integration;
};

const ElementTypeInfo& info(ElementType type);

/// By the name in a deck, in capitals; nothing where it is not one of ours.
std::optional<ElementType> element_type(std::string_view name);

}  // namespace setka::mesh
