// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/corner_interpolation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "setka/exec/parallel.hpp"
#include "setka/fem/detail/node_roles.hpp"

namespace setka::fem {
namespace {

using detail::NodeRoles;
using detail::none;

/// Twice the unknowns have to be worth it.
bool turns_pay(const Space& space, const NodeRoles& roles, std::size_t kept) {
  return space.components() == 3 && 2 * roles.of_tetrahedra > roles.amid_edges &&
         4 * kept <= static_cast<std::size_t>(space.blocks());
}

/// Where constraints pick unknowns a block is a node, and the blocks of P are multiples of the identity.
class PickedNodes {
 public:
  PickedNodes(const Space& space, const NodeRoles& roles, const exec::Device& cpu)
      : space_(space), roles_(roles), cpu_(cpu), coarse_(static_cast<std::size_t>(space.blocks()), none) {
    for (std::int32_t b = 0; b < space.blocks(); ++b) {
      if (roles.amid(node_of(b))) continue;
      coarse_[static_cast<std::size_t>(b)] = static_cast<std::int32_t>(kept_.size());
      kept_.push_back(b);
    }
  }

  std::size_t kept() const { return kept_.size(); }

  solve::Interpolation interpolation() {
    solve::Interpolation made;
    const std::int32_t blocks = space_.blocks();
    made.offset.assign(static_cast<std::size_t>(blocks) + 1, 0);
    each_block([&](std::int32_t b) { made.offset[static_cast<std::size_t>(b) + 1] = row_of(b).count; });
    for (std::size_t b = 1; b < made.offset.size(); ++b) made.offset[b] += made.offset[b - 1];
    made.column.resize(static_cast<std::size_t>(made.offset.back()));
    made.weight.resize(made.column.size());
    made.unknown.resize(static_cast<std::size_t>(space_.size()));
    each_block([&](std::int32_t b) {
      const Row row = row_of(b);
      const auto first = static_cast<std::size_t>(made.offset[static_cast<std::size_t>(b)]);
      for (std::size_t k = 0; k < static_cast<std::size_t>(row.count); ++k) {
        made.column[first + k] = row.column[k];
        made.weight[first + k] = row.weight;
      }
      for (std::int32_t place = space_.components() * b; place < space_.components() * (b + 1); ++place) {
        const auto at = static_cast<std::size_t>(place);
        made.unknown[at] = space_.dof_of_place()[at] >= 0 ? 1 : 0;
      }
    });
    made.kept = std::move(kept_);
    return made;
  }

 private:
  struct Row {
    std::int32_t count = 0;
    std::array<std::int32_t, 2> column{};
    double weight = 0;
  };

  template <class Body>
  void each_block(const Body& body) const {
    exec::host::for_each(cpu_.threads(), space_.blocks(), exec::host::serial_below,
                         [&](std::int64_t b) { body(static_cast<std::int32_t>(b)); });
  }

  std::size_t node_of(std::int32_t block) const {
    auto place = static_cast<std::size_t>(space_.components()) * static_cast<std::size_t>(block);
    while (space_.dof_of_place()[place] < 0) ++place;
    return static_cast<std::size_t>(space_.dof_of_place()[place] / space_.components());
  }

  Row row_of(std::int32_t block) const {
    const std::int32_t own = coarse_[static_cast<std::size_t>(block)];
    if (own != none) return {1, {own}, 1.0};
    const std::size_t node = node_of(block);
    const auto& ends = roles_.ends[node];
    const bool one = ends[0] == ends[1];
    Row row{0, {}, one ? 1.0 : 0.5};
    for (std::size_t k = 0; k < (one ? 1 : 2); ++k) {
      const std::int32_t column = coarse_of(node, ends[k]);
      if (column != none) row.column[static_cast<std::size_t>(row.count++)] = column;
    }
    if (row.count == 2 && row.column[0] > row.column[1]) std::swap(row.column[0], row.column[1]);
    return row;
  }

  /// The coarse block of an end that moves in a direction of the node's; none where there is no such.
  std::int32_t coarse_of(std::size_t node, std::int32_t end) const {
    const std::span<const std::int32_t> place = space_.place_of_dof();
    const auto components = static_cast<std::size_t>(space_.components());
    for (std::size_t c = 0; c < components; ++c) {
      const std::int32_t of_end = place[components * static_cast<std::size_t>(end) + c];
      if (of_end >= 0 && place[components * node + c] >= 0)
        return coarse_[static_cast<std::size_t>(of_end / space_.components())];
    }
    return none;
  }

  const Space& space_;
  const NodeRoles& roles_;
  const exec::Device& cpu_;
  std::vector<std::int32_t> kept_;
  std::vector<std::int32_t> coarse_;  // [blocks] position in kept
};

/// A block of P and of the gaps on the way: [components, width] each.
struct Block {
  std::int32_t column;
  std::array<double, 36> value;
  std::array<double, 36> gap;
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

/// How an edge bends with the turns of its ends; for three displacements.
class Turns {
 public:
  explicit Turns(const Space& space)
      : space_(space),
        length_(space.length()),
        clamped_(static_cast<std::size_t>(space.region().node_count()), 0) {
    const Region& region = space.region();
    std::vector<std::int32_t> held;
    for (std::int32_t e = 0; e < region.element_count(); ++e) {
      const auto edges = mesh::edges_with_nodes(cell_of(region.type[static_cast<std::size_t>(e)]));
      const auto own = region.nodes(e);
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
      for (const Term& term : space_.constraints().row(3 * node + i)) {
        const std::int32_t own = space_.place(term) / 3;
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
        return space_.region().coordinates[3 * static_cast<std::size_t>(node) + x] / length_;
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
      if (!space_.constraints().row(3 * node + i).empty()) return false;
    }
    return true;
  }

  const Space& space_;
  double length_;
  std::vector<std::int8_t> clamped_;  // [nodes]
};

/// A degree of freedom amid an edge that moves with an unknown.
struct Moved {
  std::int32_t dof;
  std::int32_t place;
  double coefficient;
};

/// Blocks that are kept, and T restricted to the nodes amid edges, sorted by the others: which degrees of
/// freedom move with each.
struct Split {
  std::vector<std::int32_t> kept;
  std::vector<std::int32_t> coarse;  // [blocks] position in kept; none: not kept
  std::vector<std::size_t> first;    // [blocks + 1] into moved
  std::vector<Moved> moved;
  std::vector<double> weight;  // [places] sum of squares of what moves with an unknown
};

Split split_blocks(const Space& space, const NodeRoles& roles) {
  const auto blocks = static_cast<std::size_t>(space.blocks());
  const auto components = static_cast<std::size_t>(space.components());
  Split split;
  split.coarse.assign(blocks, none);
  split.first.assign(blocks + 1, 0);
  split.weight.assign(components * blocks, 0.0);
  std::vector<std::int8_t> keeps(blocks, 0);
  const auto each_term = [&](const auto& visit) {
    for (std::size_t node = 0; node < roles.corner.size(); ++node) {
      if (roles.corner[node] == 0 && !roles.amid(node)) continue;  // of no element
      for (std::size_t i = 0; i < components; ++i) {
        const auto dof = static_cast<std::int32_t>(components * node + i);
        for (const Term& term : space.constraints().row(dof))
          visit(node, dof, static_cast<std::size_t>(space.place(term)), term.coefficient);
      }
    }
  };
  each_term([&](std::size_t node, std::int32_t, std::size_t place, double coefficient) {
    if (roles.amid(node)) {
      ++split.first[place / components + 1];
      split.weight[place] += coefficient * coefficient;
    } else {
      keeps[place / components] = 1;
    }
  });
  for (std::size_t b = 0; b < blocks; ++b) {
    if (keeps[b] == 0 && split.first[b + 1] > 0) {
      split.first[b + 1] += split.first[b];
      continue;
    }
    split.first[b + 1] = split.first[b];
    split.coarse[b] = static_cast<std::int32_t>(split.kept.size());
    split.kept.push_back(static_cast<std::int32_t>(b));
  }
  split.moved.resize(split.first.back());
  std::vector<std::size_t> next(split.first.begin(), split.first.end() - 1);
  each_term([&](std::size_t node, std::int32_t dof, std::size_t place, double coefficient) {
    if (roles.amid(node) && split.coarse[place / components] == none)
      split.moved[next[place / components]++] = {dof, static_cast<std::int32_t>(place), coefficient};
  });
  return split;
}

/// Makes the rows of P and of the gaps, block by block.
class Rows {
 public:
  Rows(const Space& space, const NodeRoles& roles, const Split& split, const Turns* turns)
      : space_(space),
        roles_(roles),
        split_(split),
        turns_(turns),
        components_(static_cast<std::size_t>(space.components())),
        width_(turns == nullptr ? components_ : 2 * components_),
        unknown_(split.weight.size(), 0) {
    for (const std::int32_t place : space.places()) unknown_[static_cast<std::size_t>(place)] = 1;
  }

  std::size_t width() const { return width_; }

  void make(std::size_t b, std::vector<Block>& row) const {
    row.clear();
    if (split_.coarse[b] != none) {
      Block& own = block_of(row, split_.coarse[b]);
      for (std::size_t i = 0; i < components_; ++i)
        own.value[(width_ + 1) * i] = unknown_[components_ * b + i] != 0 ? 1.0 : 0.0;
    }
    for (std::size_t k = split_.first[b]; k < split_.first[b + 1]; ++k) add(split_.moved[k], row);
    std::sort(row.begin(), row.end(), [](const Block& x, const Block& y) { return x.column < y.column; });
  }

  /// The coarse blocks whose turns bend an edge.
  template <class Visit>
  void each_turner(const Visit& visit) const {
    for (const Moved& at : split_.moved) {
      const auto& ends = ends_of(at);
      if (!bends(ends)) continue;
      for (const std::int32_t end : ends) {
        const std::int32_t turner = turns_->block_of(end);
        if (turner != none) visit(static_cast<std::size_t>(split_.coarse[static_cast<std::size_t>(turner)]));
      }
    }
  }

 private:
  const std::array<std::int32_t, 2>& ends_of(const Moved& at) const {
    return roles_.ends[static_cast<std::size_t>(at.dof / space_.components())];
  }
  bool bends(const std::array<std::int32_t, 2>& ends) const {
    return turns_ != nullptr && turns_->knows(ends[0]) && turns_->knows(ends[1]);
  }

  void add(const Moved& at, std::vector<Block>& row) const {
    const auto place = static_cast<std::size_t>(at.place);
    const auto component = static_cast<std::size_t>(at.dof) % components_;
    const std::size_t r = width_ * (place % components_);
    const double share = at.coefficient / split_.weight[place];
    const auto& ends = ends_of(at);
    const bool bent = bends(ends);
    for (std::size_t e = 0; e < 2; ++e) {
      const double side = e == 0 ? share : -share;
      const std::int32_t of_end = space_.components() * ends[e] + static_cast<std::int32_t>(component);
      for (const Term& term : space_.constraints().row(of_end)) {
        const auto from = static_cast<std::size_t>(space_.place(term));
        Block& block = block_of(row, split_.coarse[from / components_]);
        block.value[r + from % components_] += share / 2 * term.coefficient;
        if (bent) block.gap[r + from % components_] += side * term.coefficient;
      }
      const std::int32_t turner = bent ? turns_->block_of(ends[e]) : none;
      if (turner == none) continue;
      const Turns::Arms arms = turns_->arms(at.dof / space_.components(), ends[e], ends[1 - e]);
      const auto bend = turn_about(arms.bend, component);
      const auto reach = turn_about(arms.reach, component);
      Block& block = block_of(row, split_.coarse[static_cast<std::size_t>(turner)]);
      for (std::size_t c = 0; c < 3; ++c) {
        block.value[r + 3 + c] += share / 2 * bend[c];
        block.gap[r + 3 + c] += side * reach[c];
      }
    }
  }

  const Space& space_;
  const NodeRoles& roles_;
  const Split& split_;
  const Turns* turns_;
  std::size_t components_;
  std::size_t width_;
  std::vector<std::int8_t> unknown_;  // [places]
};

/// What one thread made of its run of rows.
struct Part {
  std::vector<std::int32_t> column;
  std::vector<double> value;
  std::vector<double> gap;
};

constexpr std::int64_t rows_of_a_thread = 1024;

}  // namespace

solve::Interpolation corner_interpolation(const Space& space, const exec::Device& cpu) {
  const NodeRoles roles = detail::roles_of(space.region(), cpu);
  if (roles.amid_edges == 0) return {};
  const auto blocks = static_cast<std::size_t>(space.blocks());
  if (space.picks()) {
    PickedNodes nodes(space, roles, cpu);
    if (nodes.kept() == 0 || nodes.kept() == blocks) return {};
    if (!turns_pay(space, roles, nodes.kept())) return nodes.interpolation();
  }
  Split split = split_blocks(space, roles);
  if (split.kept.empty() || split.kept.size() == blocks) return {};

  const bool turning = turns_pay(space, roles, split.kept.size());
  std::optional<Turns> turns;
  if (turning) turns.emplace(space);
  const Rows rows(space, roles, split, turning ? &*turns : nullptr);

  solve::Interpolation made;
  made.offset.assign(blocks + 1, 0);
  const std::int64_t runs = std::clamp<std::int64_t>(space.blocks() / rows_of_a_thread, 1, cpu.threads());
  std::vector<Part> parts(static_cast<std::size_t>(runs));
  const std::size_t width = rows.width();
  exec::host::for_each(cpu.threads(), runs, 1, [&](std::int64_t run) {
    Part& own = parts[static_cast<std::size_t>(run)];
    std::vector<Block> row;
    for (std::int64_t b = space.blocks() * run / runs; b < space.blocks() * (run + 1) / runs; ++b) {
      rows.make(static_cast<std::size_t>(b), row);
      made.offset[static_cast<std::size_t>(b) + 1] = static_cast<std::int32_t>(row.size());
      for (const Block& block : row) own.column.push_back(block.column);
      for (std::size_t i = 0; i < static_cast<std::size_t>(space.components()); ++i) {
        for (const Block& block : row) {
          const auto add = [&](const std::array<double, 36>& from, std::vector<double>& to) {
            to.insert(to.end(), from.data() + width * i, from.data() + width * (i + 1));
          };
          add(block.value, own.value);
          if (turning) add(block.gap, own.gap);
        }
      }
    }
  });
  for (std::size_t b = 0; b < blocks; ++b) made.offset[b + 1] += made.offset[b];
  for (Part& part : parts) {
    const auto append = [](auto& from, auto& to) {
      if (to.empty()) {
        to = std::move(from);
      } else {
        to.insert(to.end(), from.begin(), from.end());
      }
    };
    append(part.column, made.column);
    append(part.value, made.value);
    append(part.gap, made.gap);
  }
  if (turning) {
    made.more_modes.assign(18 * split.kept.size(), 0.0);
    rows.each_turner([&](std::size_t column) {
      for (std::size_t i = 0; i < 3; ++i) made.more_modes[18 * column + 6 * i + 3 + i] = 1;
    });
  }
  made.kept = std::move(split.kept);
  return made;
}

}  // namespace setka::fem
