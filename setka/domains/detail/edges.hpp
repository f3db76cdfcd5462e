// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "setka/domains/graph.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::domains::detail {

inline constexpr std::int64_t vertices_at_a_time = 1024;

/// Fills the edges of a graph. find(vertex, neighbours, weights) appends those of one, ascending; it is
/// called twice for each, by many threads.
template <class Find>
void find_edges(Graph& graph, int threads, const Find& find) {
  const auto vertices = static_cast<std::int64_t>(graph.vertex_weight.size());
  graph.offset.assign(static_cast<std::size_t>(vertices) + 1, 0);
  const auto each = [&](const auto& visit) {
    exec::host::for_each(threads, vertices, vertices_at_a_time, [&](std::int64_t v) {
      thread_local std::vector<std::int32_t> neighbours;
      thread_local std::vector<std::int32_t> weights;
      neighbours.clear();
      weights.clear();
      find(static_cast<std::int32_t>(v), neighbours, weights);
      visit(static_cast<std::size_t>(v), neighbours, weights);
    });
  };
  each([&](std::size_t v, const std::vector<std::int32_t>& neighbours, const std::vector<std::int32_t>&) {
    graph.offset[v + 1] = static_cast<std::int64_t>(neighbours.size());
  });
  std::partial_sum(graph.offset.begin(), graph.offset.end(), graph.offset.begin());
  graph.neighbour.resize(static_cast<std::size_t>(graph.offset.back()));
  graph.edge_weight.resize(graph.neighbour.size());
  each([&](std::size_t v, const std::vector<std::int32_t>& neighbours,
           const std::vector<std::int32_t>& weights) {
    std::ranges::copy(neighbours, graph.neighbour.begin() + graph.offset[v]);
    std::ranges::copy(weights, graph.edge_weight.begin() + graph.offset[v]);
  });
}

}  // namespace setka::domains::detail
