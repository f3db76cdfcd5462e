// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/domains/graph.hpp"

namespace setka::domains {

/// What a part would have of an assembled matrix, a block row a node: known before anything is assembled.
struct RowShare {
  std::int64_t rows = 0;      // of the nodes that it owns
  std::int64_t own = 0;       // blocks in columns of these
  std::int64_t boundary = 0;  // rows that have columns of others
  std::int64_t beside = 0;    // blocks there
  std::int64_t ghosts = 0;    // nodes of others in these columns
};

/// nodes: node_graph(); owner: [nodes] the part of each. Nodes beside no other have no row.
std::vector<RowShare> row_shares(const Graph& nodes, std::span<const std::int32_t> owner, int parts);

}  // namespace setka::domains
