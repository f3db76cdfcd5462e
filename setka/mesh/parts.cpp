// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/parts.hpp"

#include <cstddef>
#include <numeric>

namespace setka::mesh {
namespace {

/// The node that stands for all that hang together with this one; shortens the way for the next call.
std::int32_t leader(std::vector<std::int32_t>& above, std::int32_t node) {
  const auto of = [&](std::int32_t n) -> std::int32_t& { return above[static_cast<std::size_t>(n)]; };
  while (of(node) != node) {
    of(node) = of(of(node));
    node = of(node);
  }
  return node;
}

}  // namespace

Parts connected_parts(const Mesh& mesh) {
  std::vector<std::int32_t> above(static_cast<std::size_t>(mesh.node_count()));
  std::iota(above.begin(), above.end(), 0);
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const auto nodes = mesh.nodes(e);
    for (const std::int32_t node : nodes)
      above[static_cast<std::size_t>(leader(above, node))] = leader(above, nodes[0]);
  }
  Parts parts;
  std::vector<std::int32_t> part_of_leader(above.size(), -1);
  parts.of_node.assign(above.size(), -1);
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    std::int32_t& part = part_of_leader[static_cast<std::size_t>(leader(above, mesh.nodes(e)[0]))];
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
