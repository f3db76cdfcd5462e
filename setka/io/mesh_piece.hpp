// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/mesh/mesh.hpp"

namespace setka::io {

/// Some elements of a mesh with their nodes, under the numbers of the user, for a file of their own.
struct MeshPiece {
  mesh::Mesh mesh;
  std::vector<std::int32_t> nodes;  // [nodes of the piece] which they are in the whole
};

MeshPiece piece_of(const mesh::Mesh& whole, std::span<const std::int32_t> elements);

/// The elements of one of several pieces: runs in the order of the mesh, as long as each other but for one.
std::vector<std::int32_t> elements_of_piece(const mesh::Mesh& whole, int piece, int pieces);

}  // namespace setka::io
