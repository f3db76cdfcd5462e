// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace setka::mesh {

/// The geometry of an element: its nodes, in the order that CalculiX and Abaqus number them, and its faces.
/// Nothing of what is computed on it. The table that the functions below read is in cell.cpp.
enum class Cell : std::uint8_t {
  point1,
  line2,
  line3,  // both ends, then the node between them
  tri3,
  tri6,
  quad4,
  quad8,
  tet4,
  tet10,
  wedge6,
  wedge15,
  hex8,
  hex20,
};
inline constexpr int cell_count = static_cast<int>(Cell::hex20) + 1;

std::string_view name(Cell cell);  // "hex20"
int node_count(Cell cell);
int dimension(Cell cell);  // of the reference cell: 0, 1, 2 or 3
int face_count(Cell cell);

/// The two corners between which each node amid an edge lies: those of node corner_count, and so on. Corners
/// come first in the order of nodes; of a first-order cell all nodes are corners.
int corner_count(Cell cell);
std::span<const std::array<std::int8_t, 2>> edges_with_nodes(Cell cell);

/// A face of a solid cell (or an edge of a plane one): local node numbers from 0, corner nodes first, then
/// those amid the edges; numbered from 0 where CalculiX says S1 or P1. The corners of a solid's face turn so
/// that the normal points into the cell for the right hand.
std::span<const std::int8_t> face_nodes(Cell cell, int face);
Cell face_cell(Cell cell, int face);

}  // namespace setka::mesh
