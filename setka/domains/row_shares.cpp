// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/row_shares.hpp"

#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::domains {

std::vector<RowShare> row_shares(const Graph& nodes, std::span<const std::int32_t> owner, int parts) {
  require(static_cast<std::int64_t>(owner.size()) == nodes.size(), [&] {
    return fmt::format("row_shares: {} nodes have owners, but the graph has {}", owner.size(), nodes.size());
  });
  std::vector<std::vector<std::int32_t>> owned(static_cast<std::size_t>(parts));
  for (std::int32_t node = 0; node < nodes.size(); ++node) {
    if (!nodes.neighbours(node).empty())
      owned[static_cast<std::size_t>(owner[static_cast<std::size_t>(node)])].push_back(node);
  }
  std::vector<RowShare> shares(owned.size());
  std::vector<std::int32_t> counted_by(owner.size(), -1);  // the last part that a node is a ghost of
  for (std::int32_t p = 0; p < parts; ++p) {
    RowShare& share = shares[static_cast<std::size_t>(p)];
    for (const std::int32_t node : owned[static_cast<std::size_t>(p)]) {
      std::int64_t beside = 0;
      for (const std::int32_t other : nodes.neighbours(node)) {
        if (owner[static_cast<std::size_t>(other)] == p) continue;
        ++beside;
        if (counted_by[static_cast<std::size_t>(other)] == p) continue;
        counted_by[static_cast<std::size_t>(other)] = p;
        ++share.ghosts;
      }
      ++share.rows;
      share.own += 1 + static_cast<std::int64_t>(nodes.neighbours(node).size()) - beside;
      share.beside += beside;
      share.boundary += beside > 0 ? 1 : 0;
    }
  }
  return shares;
}

}  // namespace setka::domains
