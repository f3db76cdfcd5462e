// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/domains/graph.hpp"

/// The ways to share a graph out: the part of each vertex. Some may leave parts empty.
namespace setka::domains::detail {

/// Cuts across the longest side of the box of all places, then each half in the same way: parts weigh the
/// same to a vertex, and none is empty.
std::vector<std::int32_t> by_bisection(const Graph& graph, int parts);

#ifdef SETKA_WITH_METIS
std::vector<std::int32_t> by_metis(const Graph& graph, int parts, double imbalance);
#endif
#ifdef SETKA_WITH_SCOTCH
std::vector<std::int32_t> by_scotch(const Graph& graph, int parts, double imbalance);
#endif

}  // namespace setka::domains::detail
