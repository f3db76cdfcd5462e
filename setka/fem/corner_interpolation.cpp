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
  std::int32_t amid_edges = 0;
  std::int32_t of_tetrahedra = 0;  // among those amid edges

  /// Amid edges only.
  bool amid(std::size_t node) const { return corner[node] == 0 && ends[node][0] != none; }
};

NodeRoles roles_of(const Solids& solids) {
  const auto nodes = static_cast<std::size_t>(solids.node_count());
  NodeRoles roles{std::vector<std::int8_t>(nodes, 0),
                  std::vector<std::array<std::int32_t, 2>>(nodes, {none, none}), 0, 0};
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
      ++roles.amid_edges;
      if (cell == mesh::Cell::tet10) ++roles.of_tetrahedra;
    }
  }
  return roles;
}

/// A block of P and of the gaps on the way: [3, width] each.
struct Block {
  std::int32_t column;
  std::array<double, 18> value;
  std::array<double, 18> gap;
};

/// The block of that column among those of a row, which are few.
Block& block_of(std::vector<Block>& row, std::int32_t column) {
  for (Block& block : row) {
    if (block.column == column) return block;
  }
  return row.emplace_back(Block{column, {}, {}});
}

/// Component i of rotation x arm, over the components of the rotation.
std::array<double, 3> turn_about(const std::array<double, 3>& arm, std::size_t i) {
  std::array<double, 3> of_rotation{};
  of_rotation[(i + 1) % 3] = arm[(i + 2) % 3];
  of_rotation[(i + 2) % 3] = -arm[(i + 1) % 3];
  return of_rotation;
}

/// How an edge bends with the turns of its ends.
class Turns {
 public:
  Turns(const Solids& solids, const Constraints& constraints, const BlockNumbering& numbering)
      : solids_(solids),
        constraints_(constraints),
        numbering_(numbering),
        size_(size_of(solids)),
        clamped_(static_cast<std::size_t>(solids.node_count()), 0) {
    std::vector<std::int32_t> held;
    for (std::int32_t e = 0; e < solids.element_count(); ++e) {
      const auto edges = mesh::edges_with_nodes(cell_of(solids.type[static_cast<std::size_t>(e)]));
      const auto own = solids.nodes(e);
      held.clear();
      for (const std::int32_t node : own.first(own.size() - edges.size())) {
        if (is_held(node)) held.push_back(node);
      }
      // Three held corners of an element are not on one line: none of them turns.
      if (held.size() < 3) continue;
      for (const std::int32_t node : held) clamped_[static_cast<std::size_t>(node)] = 1;
    }
  }

  /// Whether the turn of a node is known: it has a block for it, or does not turn.
  bool knows(std::int32_t node) const {
    return clamped_[static_cast<std::size_t>(node)] != 0 || block_of(node) != none;
  }

  /// The one block that all unknowns of a node are in; none where there is no such block.
  std::int32_t block_of(std::int32_t node) const {
    std::int32_t block = none;
    for (std::int32_t i = 0; i < 3; ++i) {
      for (const Term& term : constraints_.row(3 * node + i)) {
        const std::int32_t own = numbering_.place[static_cast<std::size_t>(term.index)] / 3;
        if (block != none && own != block) return none;
        block = own;
      }
    }
    return block;
  }

  struct Arms {
    std::array<double, 3> bend;   // with half of what this adds, and of the end itself, the node amid moves
    std::array<double, 3> reach;  // from the end to the node amid
  };
  Arms arms(std::int32_t amid, std::int32_t end, std::int32_t other) const {
    Arms arms{};
    for (std::size_t x = 0; x < 3; ++x) {
      const auto at = [&](std::int32_t node) {
        return solids_.coordinates[3 * static_cast<std::size_t>(node) + x] / size_;
      };
      const double off_chord = at(amid) - (at(end) + at(other)) / 2;
      arms.bend[x] = (at(other) - at(end)) / 4 + off_chord;
      arms.reach[x] = at(amid) - at(end);
    }
    return arms;
  }

 private:
  bool is_held(std::int32_t node) const {
    for (std::int32_t i = 0; i < 3; ++i) {
      if (!constraints_.row(3 * node + i).empty()) return false;
    }
    return true;
  }

  const Solids& solids_;
  const Constraints& constraints_;
  const BlockNumbering& numbering_;
  double size_;
  std::vector<std::int8_t> clamped_;  // [nodes]
};

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

  // Twice the unknowns have to be worth it.
  const bool turns = 2 * roles.of_tetrahedra > roles.amid_edges && 4 * made.kept.size() <= blocks;
  const Turns turning(solids, constraints, numbering);
  const std::size_t width = turns ? 6 : 3;
  std::vector<std::int8_t> unknown(3 * blocks, 0);
  for (const std::int32_t place : numbering.place) unknown[static_cast<std::size_t>(place)] = 1;
  std::vector<std::int8_t> turned(made.kept.size(), 0);
  made.offset.push_back(0);
  std::vector<Block> row;
  for (std::size_t b = 0; b < blocks; ++b) {
    row.clear();
    if (coarse[b] != none) {
      Block& own = block_of(row, coarse[b]);
      for (std::size_t i = 0; i < 3; ++i) own.value[(width + 1) * i] = unknown[3 * b + i] != 0 ? 1.0 : 0.0;
    }
    for (std::size_t k = first[b]; k < first[b + 1]; ++k) {
      const Moved& at = moved[k];
      const auto place = static_cast<std::size_t>(at.place);
      const std::size_t r = width * (place % 3);
      const double share = at.coefficient / weight[place];
      const std::int32_t node = at.dof / 3;
      const auto& ends = roles.ends[static_cast<std::size_t>(node)];
      const bool bends = turns && turning.knows(ends[0]) && turning.knows(ends[1]);
      for (std::size_t e = 0; e < 2; ++e) {
        const double side = e == 0 ? share : -share;
        for (const Term& term : constraints.row(3 * ends[e] + at.dof % 3)) {
          const std::size_t from = place_of(term);
          Block& block = block_of(row, coarse[from / 3]);
          block.value[r + from % 3] += share / 2 * term.coefficient;
          if (bends) block.gap[r + from % 3] += side * term.coefficient;
        }
        const std::int32_t turner = bends ? turning.block_of(ends[e]) : none;
        if (turner == none) continue;
        const std::int32_t column = coarse[static_cast<std::size_t>(turner)];
        const Turns::Arms arms = turning.arms(node, ends[e], ends[1 - e]);
        const auto bend = turn_about(arms.bend, static_cast<std::size_t>(at.dof % 3));
        const auto reach = turn_about(arms.reach, static_cast<std::size_t>(at.dof % 3));
        Block& block = block_of(row, column);
        for (std::size_t c = 0; c < 3; ++c) {
          block.value[r + 3 + c] += share / 2 * bend[c];
          block.gap[r + 3 + c] += side * reach[c];
        }
        turned[static_cast<std::size_t>(column)] = 1;
      }
    }
    std::sort(row.begin(), row.end(), [](const Block& x, const Block& y) { return x.column < y.column; });
    for (const Block& block : row) made.column.push_back(block.column);
    for (std::size_t i = 0; i < 3; ++i) {
      for (const Block& block : row) {
        const auto part = [&](const std::array<double, 18>& from, std::vector<double>& to) {
          to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(width * i),
                    from.begin() + static_cast<std::ptrdiff_t>(width * (i + 1)));
        };
        part(block.value, made.value);
        if (turns) part(block.gap, made.gap);
      }
    }
    made.offset.push_back(static_cast<std::int32_t>(made.column.size()));
  }
  if (!turns) return made;
  made.more_modes.assign(18 * made.kept.size(), 0.0);
  for (std::size_t c = 0; c < turned.size(); ++c) {
    for (std::size_t i = 0; i < 3 && turned[c] != 0; ++i) made.more_modes[18 * c + 6 * i + 3 + i] = 1;
  }
  return made;
}

}  // namespace setka::fem
