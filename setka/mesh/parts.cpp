// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/parts.hpp"

#include <cstddef>

#include "setka/mesh/disjoint_sets.hpp"

namespace setka::mesh {

Parts connected_parts(const Mesh& mesh) {
  DisjointSets together(mesh.node_count());
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const auto nodes = mesh.nodes(e);
    for (const std::int32_t node : nodes) together.join(node, nodes[0]);
  }
  Parts parts;
  std::vector<std::int32_t> part_of_leader(static_cast<std::size_t>(mesh.node_count()), -1);
  parts.of_node.assign(part_of_leader.size(), -1);
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    std::int32_t& part = part_of_leader[static_cast<std::size_t>(together.leader(mesh.nodes(e)[0]))];
    if (part < 0) {
      part = parts.count();
      parts.first_element.push_back(e);
      parts.element_count.push_back(0);
    }
    parts.of_element.push_back(part);
    ++parts.element_count[static_cast<std::size_t>(part)];
    for (const std::int32_t node : mesh.nodes(e)) parts.of_node[static_cast<std::size_t>(node)] = part;
  }
  return parts;
}

}  // namespace setka::mesh
