// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/fem/region.hpp"

/// One model in parts: who computes what, and what parts have to tell each other.
namespace setka::domains {

/// What is shared out, and how strongly it hangs together.
struct Graph {
  std::vector<std::int64_t> offset{0};      // [vertices + 1]
  std::vector<std::int32_t> neighbour;      // each edge from both of its ends, ascending
  std::vector<std::int32_t> edge_weight;    // what it costs to cut it
  std::vector<std::int32_t> vertex_weight;  // [vertices] what it costs to compute
  std::vector<double> place;                // [vertices, 3]

  std::int32_t size() const { return static_cast<std::int32_t>(vertex_weight.size()); }
  std::span<const std::int32_t> neighbours(std::int32_t vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return std::span(neighbour).subspan(static_cast<std::size_t>(offset[v]),
                                        static_cast<std::size_t>(offset[v + 1] - offset[v]));
  }
};

/// Elements, beside each other where they share a face (an edge of plane ones, a node of lines): an edge
/// weighs as many nodes as they share. An element weighs as its matrix, against the smallest one's.
Graph element_graph(const fem::Region& region, int threads);

/// Nodes, beside each other where they share an element. A node weighs as its row of the matrix: as many as
/// it has neighbours, itself among them.
Graph node_graph(const fem::Region& region, int threads);

/// The elements of each node, ascending.
struct ElementsOfNodes {
  std::vector<std::int64_t> offset;  // [nodes + 1]
  std::vector<std::int32_t> element;

  explicit ElementsOfNodes(const fem::Region& region);
  std::span<const std::int32_t> of(std::int32_t node) const {
    const auto n = static_cast<std::size_t>(node);
    return std::span(element).subspan(static_cast<std::size_t>(offset[n]),
                                      static_cast<std::size_t>(offset[n + 1] - offset[n]));
  }
};

}  // namespace setka::domains
