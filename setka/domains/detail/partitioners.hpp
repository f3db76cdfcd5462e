// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/domains/graph.hpp"

/// The ways to share a graph out: the part of each vertex, as many parts as there are shares, which add up to
/// 1. Some may leave parts empty.
namespace setka::domains::detail {

/// Cuts across the longest side of the box of all places, then each half in the same way: parts weigh their
/// shares to a vertex, and none is empty.
std::vector<std::int32_t> by_bisection(const Graph& graph, std::span<const double> shares);

#ifdef SETKA_WITH_METIS
std::vector<std::int32_t> by_metis(const Graph& graph, std::span<const double> shares, double imbalance);
#endif
#ifdef SETKA_WITH_SCOTCH
std::vector<std::int32_t> by_scotch(const Graph& graph, std::span<const double> shares, double imbalance);
#endif

}  // namespace setka::domains::detail
