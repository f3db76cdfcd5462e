// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "setka/mesh/mesh.hpp"

namespace setka::mesh {

/// Blocks in a row along each of three axes, each divided into cells; blocks may be missing, so that frames
/// and stepped bodies are grids too. Blocks that touch share their nodes.
struct BlockGrid {
  std::array<std::vector<int>, 3> cells;  // [blocks along the axis] cells of each; third axis empty: plane
  std::vector<std::int8_t> part;  // [blocks x, y, z], last fastest: 0 and more; -1: no block; empty: all 0

  bool plane() const { return cells[2].empty(); }
};

/// Where a point of the grid lies. Its coordinates there count blocks: 1.5 is the middle of the second block.
using BlockPosition = std::function<std::array<double, 3>(double s, double t, double r)>;

struct BlockMesh {
  Mesh mesh;                      // labels from 1, without gaps
  std::vector<std::int8_t> part;  // [elements] of the block they lie in
};

/// Number of nodes and elements that block_mesh would make, without making them: cost of the blocks alone.
std::int64_t block_node_count(const BlockGrid& grid, Cell cell);
std::int64_t block_element_count(const BlockGrid& grid, Cell cell);

/// Divides the blocks: a cell is one hexahedron or quadrilateral, two wedges (triangles in the plane of the
/// first two axes) or triangles, or six tetrahedra about the diagonal from its first to its last corner.
/// Nodes between corners lie at their own positions, so that second-order elements follow curved blocks. The
/// grid is plane where the cell is. Beyond the mesh it needs 4 bytes a point of the whole grid, missing
/// blocks included (of twice as many a direction for second-order cells). Error(Fault::usage) where grid
/// and cell do not fit, or for more than 2^31 - 1 nodes or elements.
BlockMesh block_mesh(const BlockGrid& grid, Cell cell, const BlockPosition& position,
                     std::uint8_t attribute = 0);

struct MeshFace {
  std::int32_t element;
  std::int32_t face;  // from 0
};

/// The faces (edges of plane elements) whose nodes are all chosen, by element.
std::vector<MeshFace> faces_of_nodes(const Mesh& mesh, const std::vector<bool>& chosen);

}  // namespace setka::mesh
