// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/corner_interpolation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace setka::fem {
namespace {

constexpr std::int32_t none = -1;

/// What nodes are to the elements.
struct NodeRoles {
  std::vector<std::int8_t> corner;                // [nodes]
  std::vector<std::array<std::int32_t, 2>> ends;  // [nodes] of the edge that it lies amid; none: of none

  /// Amid edges only.
  bool amid(std::size_t node) const { return corner[node] == 0 && ends[node][0] != none; }
};

NodeRoles roles_of(const Solids& solids) {
  const auto nodes = static_cast<std::size_t>(solids.node_count());
  NodeRoles roles{std::vector<std::int8_t>(nodes, 0),
                  std::vector<std::array<std::int32_t, 2>>(nodes, {none, none})};
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    const mesh::Cell cell = cell_of(solids.type[static_cast<std::size_t>(e)]);
    const auto own = solids.nodes(e);
    const auto edges = mesh::edges_with_nodes(cell);
    const std::size_t corners = own.size() - edges.size();
    for (std::size_t i = 0; i < corners; ++i) roles.corner[static_cast<std::size_t>(own[i])] = 1;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      auto& ends = roles.ends[static_cast<std::size_t>(own[corners + i])];
      if (ends[0] != none) continue;
      for (std::size_t k = 0; k < 2; ++k) ends[k] = own[static_cast<std::size_t>(edges[i][k])];
    }
  }
  return roles;
}

/// A 3 x 3 block of P on the way.
struct Block {
  std::int32_t column;
  std::array<double, 9> value;
};

/// The block of that column among those of a row, which are few.
Block& block_of(std::vector<Block>& row, std::int32_t column) {
  for (Block& block : row) {
    if (block.column == column) return block;
  }
  return row.emplace_back(Block{column, {}});
}

}  // namespace

solve::Interpolation corner_interpolation(const Solids& solids, const Constraints& constraints,
                                          const BlockNumbering& numbering) {
  const NodeRoles roles = roles_of(solids);
  const auto blocks = static_cast<std::size_t>(numbering.blocks);
  const auto place_of = [&](const Term& term) {
    return static_cast<std::size_t>(numbering.place[static_cast<std::size_t>(term.index)]);
  };

  // T restricted to the nodes amid edges, sorted by blocks: which degrees of freedom move with each.
  std::vector<std::int8_t> keeps(blocks, 0);
  std::vector<std::size_t> first(blocks + 1, 0);
  std::vector<double> weight(3 * blocks, 0.0);
  const auto each_term = [&](const auto& visit) {
    for (std::size_t node = 0; node < roles.corner.size(); ++node) {
      if (roles.corner[node] == 0 && !roles.amid(node)) continue;  // of no element
      for (std::int32_t i = 0; i < 3; ++i) {
        const std::int32_t dof = 3 * static_cast<std::int32_t>(node) + i;
        for (const Term& term : constraints.row(dof)) visit(node, dof, place_of(term), term.coefficient);
      }
    }
  };
  each_term([&](std::size_t node, std::int32_t, std::size_t place, double coefficient) {
    if (roles.amid(node)) {
      ++first[place / 3 + 1];
      weight[place] += coefficient * coefficient;
    } else {
      keeps[place / 3] = 1;
    }
  });
  solve::Interpolation made;
  std::vector<std::int32_t> coarse(blocks, none);
  for (std::size_t b = 0; b < blocks; ++b) {
    if (keeps[b] == 0 && first[b + 1] > 0) {
      first[b + 1] += first[b];
      continue;
    }
    first[b + 1] = first[b];
    coarse[b] = static_cast<std::int32_t>(made.kept.size());
    made.kept.push_back(static_cast<std::int32_t>(b));
  }
  if (made.kept.empty() || made.kept.size() == blocks) return {};
  struct Moved {
    std::int32_t dof;
    std::int32_t place;
    double coefficient;
  };
  std::vector<Moved> moved(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  each_term([&](std::size_t node, std::int32_t dof, std::size_t place, double coefficient) {
    if (roles.amid(node) && coarse[place / 3] == none)
      moved[next[place / 3]++] = {dof, static_cast<std::int32_t>(place), coefficient};
  });

  std::vector<std::int8_t> unknown(3 * blocks, 0);
  for (const std::int32_t place : numbering.place) unknown[static_cast<std::size_t>(place)] = 1;
  made.offset.push_back(0);
  std::vector<Block> row;
  for (std::size_t b = 0; b < blocks; ++b) {
    row.clear();
    if (coarse[b] != none) {
      Block& own = block_of(row, coarse[b]);
      for (std::size_t i = 0; i < 3; ++i) own.value[4 * i] = unknown[3 * b + i] != 0 ? 1.0 : 0.0;
    }
    for (std::size_t k = first[b]; k < first[b + 1]; ++k) {
      const Moved& at = moved[k];
      const auto place = static_cast<std::size_t>(at.place);
      const double share = at.coefficient / weight[place] / 2;
      for (const std::int32_t end : roles.ends[static_cast<std::size_t>(at.dof / 3)]) {
        for (const Term& term : constraints.row(3 * end + at.dof % 3)) {
          const std::size_t from = place_of(term);
          block_of(row, coarse[from / 3]).value[3 * (place % 3) + from % 3] += share * term.coefficient;
        }
      }
    }
    std::sort(row.begin(), row.end(), [](const Block& x, const Block& y) { return x.column < y.column; });
    for (const Block& block : row) made.column.push_back(block.column);
    for (std::size_t i = 0; i < 3; ++i) {
      for (const Block& block : row)
        made.value.insert(made.value.end(), block.value.begin() + static_cast<std::ptrdiff_t>(3 * i),
                          block.value.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
    }
    made.offset.push_back(static_cast<std::int32_t>(made.column.size()));
  }
  return made;
}

}  // namespace setka::fem
