// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/mesh_piece.hpp"

#include <cstddef>
#include <numeric>

namespace setka::io {

MeshPiece piece_of(const mesh::Mesh& whole, std::span<const std::int32_t> elements) {
  MeshPiece piece;
  std::vector<std::int32_t> nodes;
  for (const std::int32_t element : elements) {
    nodes.clear();
    for (const std::int32_t node : whole.nodes(element)) {
      const auto x = whole.coordinates(node);
      nodes.push_back(piece.mesh.add_node(whole.node_label(node), x[0], x[1], x[2]));
      if (nodes.back() == static_cast<std::int32_t>(piece.nodes.size())) piece.nodes.push_back(node);
    }
    piece.mesh.add_element(whole.element_label(element), whole.cell(element), nodes,
                           whole.attribute(element));
  }
  return piece;
}

std::vector<std::int32_t> elements_of_piece(const mesh::Mesh& whole, int piece, int pieces) {
  const auto begin = [&](int p) {
    return static_cast<std::int32_t>(std::int64_t{whole.element_count()} * p / pieces);
  };
  std::vector<std::int32_t> elements(static_cast<std::size_t>(begin(piece + 1) - begin(piece)));
  std::iota(elements.begin(), elements.end(), begin(piece));
  return elements;
}

}  // namespace setka::io
