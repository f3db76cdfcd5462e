// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <metis.h>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/domains/detail/partitioners.hpp"

namespace setka::domains::detail {
namespace {

/// Weights whose sum METIS can hold: smaller ones where it could not.
std::vector<idx_t> weights_to_sum(const std::vector<std::int32_t>& weight) {
  const auto sum = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
  const std::int64_t divisor = 1 + sum / (std::numeric_limits<idx_t>::max() / 2);
  std::vector<idx_t> made;
  made.reserve(weight.size());
  for (const std::int32_t w : weight)
    made.push_back(static_cast<idx_t>(std::max<std::int64_t>(1, w / divisor)));
  return made;
}

}  // namespace

std::vector<std::int32_t> by_metis(const Graph& graph, std::span<const double> shares, double imbalance) {
  const int parts = static_cast<int>(shares.size());
  if (graph.neighbour.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw Error(Fault::resource, fmt::format("METIS cannot number {} edges", graph.neighbour.size()),
                "use --partitioner bisection");
  // Its own copies: it takes no constants, and has integers of a width of its own.
  std::vector<idx_t> offset(graph.offset.begin(), graph.offset.end());
  std::vector<idx_t> neighbour(graph.neighbour.begin(), graph.neighbour.end());
  std::vector<idx_t> edge_weight(graph.edge_weight.begin(), graph.edge_weight.end());
  std::vector<idx_t> vertex_weight = weights_to_sum(graph.vertex_weight);
  std::vector<idx_t> part(static_cast<std::size_t>(graph.size()));
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = static_cast<idx_t>(std::lround(1000 * imbalance));
  idx_t vertices = graph.size();
  idx_t constraints = 1;
  idx_t wanted = parts;
  std::vector<real_t> weight_of_part(shares.begin(), shares.end());
  idx_t cut = 0;
  // Few parts are balanced better by bisection, many are made faster all at once.
  constexpr int few = 8;
  const auto method = parts <= few ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int status =
      method(&vertices, &constraints, offset.data(), neighbour.data(), vertex_weight.data(), nullptr,
             edge_weight.data(), &wanted, weight_of_part.data(), nullptr, options.data(), &cut, part.data());
  if (status != METIS_OK)
    throw Error(Fault::resource,
                status == METIS_ERROR_MEMORY ? "METIS has run out of memory"
                                             : fmt::format("METIS has failed with code {}", status),
                "use --partitioner bisection");
  return {part.begin(), part.end()};
}

}  // namespace setka::domains::detail
