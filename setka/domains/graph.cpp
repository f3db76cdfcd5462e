// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "setka/domains/detail/edges.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/mesh/cell.hpp"

namespace setka::domains {
namespace {

/// Of each element; two have to share as many corners as the lesser says, one at least, to be beside each
/// other.
std::vector<std::int8_t> dimensions(const fem::Region& region) {
  std::vector<std::int8_t> made;
  made.reserve(region.type.size());
  for (const fem::Element type : region.type) {
    const int dimension = type == fem::Element::spring ? 1 : mesh::dimension(fem::cell_of(type));
    made.push_back(static_cast<std::int8_t>(std::max(1, dimension)));
  }
  return made;
}

std::span<const std::int32_t> corners(const fem::Region& region, std::int32_t element) {
  const fem::Element type = region.type[static_cast<std::size_t>(element)];
  const auto nodes = region.nodes(element);
  return type == fem::Element::spring
             ? nodes
             : nodes.first(static_cast<std::size_t>(mesh::corner_count(fem::cell_of(type))));
}

/// By the entries of their matrices.
std::vector<std::int32_t> weights_of_elements(const fem::Region& region) {
  const auto entries = [&](std::int32_t e) {
    const auto nodes = static_cast<double>(region.nodes(e).size());
    return nodes * nodes;
  };
  double least = 0;
  for (std::int32_t e = 0; e < region.element_count(); ++e)
    least = e == 0 ? entries(e) : std::min(least, entries(e));
  std::vector<std::int32_t> weight(static_cast<std::size_t>(region.element_count()));
  for (std::int32_t e = 0; e < region.element_count(); ++e)
    weight[static_cast<std::size_t>(e)] = static_cast<std::int32_t>(std::lround(entries(e) / least));
  return weight;
}

}  // namespace

ElementsOfNodes::ElementsOfNodes(const fem::Region& region)
    : offset(static_cast<std::size_t>(region.node_count()) + 1, 0), element(region.node.size()) {
  for (const std::int32_t node : region.node) ++offset[static_cast<std::size_t>(node) + 1];
  std::partial_sum(offset.begin(), offset.end(), offset.begin());
  std::vector<std::int64_t> next(offset.begin(), offset.end() - 1);
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    for (const std::int32_t node : region.nodes(e))
      element[static_cast<std::size_t>(next[static_cast<std::size_t>(node)]++)] = e;
  }
}

Graph element_graph(const fem::Region& region, int threads) {
  Graph graph;
  graph.vertex_weight = weights_of_elements(region);
  graph.place.assign(3 * graph.vertex_weight.size(), 0.0);
  const ElementsOfNodes elements(region);
  const std::vector<std::int8_t> dimension = dimensions(region);
  exec::host::for_each(threads, region.element_count(), detail::vertices_at_a_time, [&](std::int64_t index) {
    const auto e = static_cast<std::int32_t>(index);
    const auto nodes = region.nodes(e);
    double* const place = graph.place.data() + 3 * index;
    for (const std::int32_t node : nodes) {
      for (std::size_t k = 0; k < 3; ++k)
        place[k] += region.coordinates_of(node)[k] / static_cast<double>(nodes.size());
    }
  });
  detail::find_edges(
      graph, threads,
      [&](std::int32_t e, std::vector<std::int32_t>& neighbours, std::vector<std::int32_t>& weights) {
        thread_local std::vector<std::int8_t> shared;  // [elements] corners, of those about it
        thread_local std::vector<std::int32_t> about;  // each once
        if (shared.size() < graph.vertex_weight.size()) shared.resize(graph.vertex_weight.size(), 0);
        about.clear();
        for (const std::int32_t corner : corners(region, e)) {
          for (const std::int32_t other : elements.of(corner)) {
            if (shared[static_cast<std::size_t>(other)]++ == 0) about.push_back(other);
          }
        }
        const std::int8_t own = dimension[static_cast<std::size_t>(e)];
        std::erase_if(about, [&](std::int32_t other) {
          const auto at = static_cast<std::size_t>(other);
          return std::exchange(shared[at], 0) < std::min(own, dimension[at]) || other == e;
        });
        std::ranges::sort(about);
        for (const std::int32_t other : about) {
          const auto of_other = region.nodes(other);
          const auto common = std::ranges::count_if(region.nodes(e), [&](std::int32_t node) {
            return std::ranges::find(of_other, node) != of_other.end();
          });
          neighbours.push_back(other);
          weights.push_back(static_cast<std::int32_t>(common));
        }
      });
  return graph;
}

Graph node_graph(const fem::Region& region, int threads) {
  Graph graph;
  graph.vertex_weight.resize(static_cast<std::size_t>(region.node_count()));
  graph.place.assign(region.coordinates.begin(), region.coordinates.end());
  const ElementsOfNodes elements(region);
  detail::find_edges(
      graph, threads,
      [&](std::int32_t node, std::vector<std::int32_t>& neighbours, std::vector<std::int32_t>& weights) {
        for (const std::int32_t e : elements.of(node)) {
          const auto nodes = region.nodes(e);
          neighbours.insert(neighbours.end(), nodes.begin(), nodes.end());
        }
        std::ranges::sort(neighbours);
        neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
        std::erase(neighbours, node);
        weights.assign(neighbours.size(), 1);
      });
  for (std::size_t v = 0; v < graph.vertex_weight.size(); ++v)
    graph.vertex_weight[v] = static_cast<std::int32_t>(graph.offset[v + 1] - graph.offset[v] + 1);
  return graph;
}

}  // namespace setka::domains
