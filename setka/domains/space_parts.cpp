// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/space_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

#include "setka/domains/detail/keep_unique.hpp"
#include "setka/domains/graph.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/solve/interpolation.hpp"

namespace setka::domains {
namespace {

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// The nodes that move with each block, ascending.
struct NodesOfBlocks {
  std::vector<std::int64_t> offset;  // [blocks + 1]
  std::vector<std::int32_t> node;

  explicit NodesOfBlocks(const fem::Space& space) : offset(at(space.blocks()) + 1, 0) {
    each(space, [&](std::int32_t block, std::int32_t) { ++offset[at(block) + 1]; });
    std::partial_sum(offset.begin(), offset.end(), offset.begin());
    node.resize(static_cast<std::size_t>(offset.back()));
    std::vector<std::int64_t> next(offset.begin(), offset.end() - 1);
    each(space, [&](std::int32_t block, std::int32_t own) {
      node[static_cast<std::size_t>(next[at(block)]++)] = own;
    });
  }

  std::span<const std::int32_t> of(std::int32_t block) const {
    return std::span(node).subspan(static_cast<std::size_t>(offset[at(block)]),
                                   static_cast<std::size_t>(offset[at(block) + 1] - offset[at(block)]));
  }

  /// visit(block, node), node by node, each pair once.
  template <class Visit>
  static void each(const fem::Space& space, const Visit& visit) {
    std::vector<std::int32_t> blocks;
    for (std::int32_t node = 0; node < space.region().node_count(); ++node) {
      blocks_of_node(space, node, blocks);
      for (const std::int32_t block : blocks) visit(block, node);
    }
  }

  static void blocks_of_node(const fem::Space& space, std::int32_t node, std::vector<std::int32_t>& blocks) {
    const int components = space.components();
    blocks.clear();
    for (std::int32_t dof = components * node; dof < components * (node + 1); ++dof) {
      for (const fem::Term& term : space.constraints().row(dof)) {
        const std::int32_t block = space.place(term) / components;
        if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
      }
    }
  }
};

/// That which the partition gave the element, if it owns a node of it and so has it; else the first that
/// does.
std::int32_t part_that_counts(const fem::Region& region, const Decomposition& decomposition,
                              std::int32_t element) {
  const std::int32_t given = decomposition.part_of_element()[at(element)];
  std::int32_t first = decomposition.count();
  for (const std::int32_t node : region.nodes(element)) {
    const std::int32_t owner = decomposition.owner_of_node()[at(node)];
    if (owner == given) return given;
    first = std::min(first, owner);
  }
  return first;
}

}  // namespace

/// What is computed in parts: who owns which block, and what each part computes besides what its own nodes
/// want of it.
class SpaceParts::Maker {
 public:
  Maker(const fem::Space& space, const Decomposition& decomposition, const exec::Device& cpu)
      : space_(space),
        decomposition_(decomposition),
        cpu_(cpu),
        owner_(at(space.blocks()), 0),
        beyond_(at(decomposition.count())) {
    share_blocks_out();
  }

  Made make(int only) const;

 private:
  /// What moves with blocks of a part, beyond the elements of its nodes.
  struct Beyond {
    std::vector<std::int32_t> elements;
    std::vector<std::int32_t> nodes;  // that the part has for no other reason
  };

  void share_blocks_out();
  std::int32_t owner_among(std::span<const std::int32_t> nodes) const;
  Beyond beyond(int p, const std::vector<std::int32_t>& moved, const ElementsOfNodes& of_nodes) const;
  template <class Visit>
  void each_node(int p, const Visit& visit) const;
  std::vector<RowsOfPart> rows() const;
  std::unique_ptr<const Local> local(int p, const RowsOfPart& rows, std::span<const double> box,
                                     std::span<const std::int32_t> unknown_at) const;
  fem::Constraints constraints_of(const Local& local, const RowsOfPart& rows,
                                  std::span<const std::int32_t> unknown_at) const;

  const fem::Space& space_;
  const Decomposition& decomposition_;
  const exec::Device& cpu_;
  std::vector<std::int32_t> owner_;  // [blocks]
  std::vector<Beyond> beyond_;       // [parts]
};

/// The part that owns most of some nodes, of several the first.
std::int32_t SpaceParts::Maker::owner_among(std::span<const std::int32_t> nodes) const {
  const auto owners = decomposition_.owner_of_node();
  if (nodes.size() == 1) return owners[at(nodes[0])];
  std::vector<std::int32_t> of;
  of.reserve(nodes.size());
  for (const std::int32_t node : nodes) of.push_back(owners[at(node)]);
  std::ranges::sort(of);
  std::int32_t found = 0;
  std::ptrdiff_t most = 0;
  for (auto first = of.begin(); first != of.end();) {
    const auto last = std::upper_bound(first, of.end(), *first);
    if (last - first > most) found = *first;
    most = std::max(most, last - first);
    first = last;
  }
  return found;
}

void SpaceParts::Maker::share_blocks_out() {
  const NodesOfBlocks nodes(space_);
  const auto owner_of_node = decomposition_.owner_of_node();
  std::vector<std::vector<std::int32_t>> moved(beyond_.size());  // by blocks of a part, and not of it
  bool any = false;
  for (std::int32_t block = 0; block < space_.blocks(); ++block) {
    const std::int32_t p = owner_[at(block)] = owner_among(nodes.of(block));
    for (const std::int32_t node : nodes.of(block)) {
      if (owner_of_node[at(node)] == p) continue;
      moved[at(p)].push_back(node);
      any = true;
    }
  }
  if (!any) return;
  const ElementsOfNodes of_nodes(space_.region());
  exec::host::for_each(cpu_.threads(), decomposition_.count(), 1, [&](std::int64_t p) {
    const auto k = static_cast<std::size_t>(p);
    beyond_[k] = beyond(static_cast<int>(p), moved[k], of_nodes);
  });
}

SpaceParts::Maker::Beyond SpaceParts::Maker::beyond(int p, const std::vector<std::int32_t>& moved,
                                                    const ElementsOfNodes& of_nodes) const {
  const fem::Region& region = space_.region();
  const auto owner = decomposition_.owner_of_node();
  Beyond found;
  for (const std::int32_t node : moved) {
    for (const std::int32_t e : of_nodes.of(node)) {
      const bool has =
          std::ranges::any_of(region.nodes(e), [&](std::int32_t i) { return owner[at(i)] == p; });
      if (!has) found.elements.push_back(e);
    }
  }
  detail::keep_unique(found.elements);
  std::vector<std::int32_t> nodes = moved;
  for (const std::int32_t e : found.elements) {
    const auto own = region.nodes(e);
    nodes.insert(nodes.end(), own.begin(), own.end());
  }
  detail::keep_unique(nodes);
  std::vector<std::int32_t> there = decomposition_.part(p).nodes;
  std::ranges::sort(there);
  std::ranges::set_difference(nodes, there, std::back_inserter(found.nodes));
  return found;
}

template <class Visit>
void SpaceParts::Maker::each_node(int p, const Visit& visit) const {
  for (const std::int32_t node : decomposition_.part(p).nodes) visit(node);
  for (const std::int32_t node : beyond_[at(p)].nodes) visit(node);
}

std::vector<RowsOfPart> SpaceParts::Maker::rows() const {
  std::vector<std::vector<std::int32_t>> needed(beyond_.size());
  exec::host::for_each(cpu_.threads(), decomposition_.count(), 1, [&](std::int64_t p) {
    std::vector<std::int32_t>& own = needed[static_cast<std::size_t>(p)];
    std::vector<std::int32_t> blocks;
    each_node(static_cast<int>(p), [&](std::int32_t node) {
      NodesOfBlocks::blocks_of_node(space_, node, blocks);
      for (const std::int32_t block : blocks) {
        if (owner_[at(block)] != p) own.push_back(block);
      }
    });
    detail::keep_unique(own);
  });
  // A row with columns of others is a column of theirs.
  std::vector<std::int8_t> inner(owner_.size(), 1);
  for (const std::vector<std::int32_t>& blocks : needed) {
    for (const std::int32_t block : blocks) inner[at(block)] = 0;
  }
  return rows_of_parts(owner_, inner, std::move(needed));
}

fem::Constraints SpaceParts::Maker::constraints_of(const Local& local, const RowsOfPart& rows,
                                                   std::span<const std::int32_t> unknown_at) const {
  const int components = space_.components();
  std::vector<std::int32_t> number(at(space_.unknown_count()), -1);
  std::vector<std::int32_t> unknown_dofs;
  std::int32_t first = 0;
  for (const auto* blocks : {&rows.rows, &rows.ghosts}) {
    for (const std::int32_t block : *blocks) {
      for (int c = 0; c < components; ++c) {
        const std::int32_t unknown = unknown_at[at(components * block + c)];
        if (unknown < 0) continue;
        number[at(unknown)] = static_cast<std::int32_t>(unknown_dofs.size());
        unknown_dofs.push_back(first + c);
      }
      first += components;
    }
  }
  std::vector<std::int32_t> dofs;
  dofs.reserve(static_cast<std::size_t>(components) * local.nodes.size());
  for (const std::int32_t node : local.nodes) {
    for (int c = 0; c < components; ++c) dofs.push_back(components * node + c);
  }
  return space_.constraints().part(dofs, number, std::move(unknown_dofs));
}

std::unique_ptr<const SpaceParts::Local> SpaceParts::Maker::local(
    int p, const RowsOfPart& rows, std::span<const double> box,
    std::span<const std::int32_t> unknown_at) const {
  const fem::Region& region = space_.region();
  const Part& part = decomposition_.part(p);
  const Beyond& beyond = beyond_[at(p)];
  auto made = std::make_unique<Local>();
  made->whole.assign(box.begin(), box.end());
  made->elements = part.elements;
  made->elements.insert(made->elements.end(), beyond.elements.begin(), beyond.elements.end());
  made->nodes = part.nodes;
  made->nodes.insert(made->nodes.end(), beyond.nodes.begin(), beyond.nodes.end());
  made->owned_nodes = part.owned_nodes;
  std::vector<std::int32_t> place(at(region.node_count()), -1);  // in the part
  made->coordinates.reserve(3 * made->nodes.size());
  for (std::size_t i = 0; i < made->nodes.size(); ++i) {
    place[at(made->nodes[i])] = static_cast<std::int32_t>(i);
    const auto x = region.coordinates_of(made->nodes[i]);
    made->coordinates.insert(made->coordinates.end(), x.begin(), x.end());
  }
  made->type.reserve(made->elements.size());
  made->first_node.reserve(made->elements.size() + 1);
  for (const std::int32_t e : made->elements) {
    made->type.push_back(region.type[at(e)]);
    made->counted.push_back(static_cast<std::int8_t>(part_that_counts(region, decomposition_, e) == p));
    for (const std::int32_t node : region.nodes(e)) made->node.push_back(place[at(node)]);
    made->first_node.push_back(static_cast<std::int64_t>(made->node.size()));
  }
  made->space = std::make_unique<const fem::Space>(
      fem::Region{made->coordinates, made->type, made->first_node, made->node, made->whole},
      space_.components(), constraints_of(*made, rows, unknown_at));
  return made;
}

SpaceParts::Made SpaceParts::Maker::make(int only) const {
  Made made{rows(), Locals(beyond_.size())};
  const std::array<double, 6> box = space_.region().box();
  std::vector<std::int32_t> unknown_at(static_cast<std::size_t>(space_.size()), -1);  // [places]
  for (std::size_t q = 0; q < space_.places().size(); ++q)
    unknown_at[at(space_.places()[q])] = static_cast<std::int32_t>(q);
  exec::host::for_each(cpu_.threads(), decomposition_.count(), 1, [&](std::int64_t p) {
    if (only >= 0 && p != only) return;
    const auto k = static_cast<std::size_t>(p);
    made.locals[k] = local(static_cast<int>(p), made.rows[k], box, unknown_at);
  });
  return made;
}

SpaceParts::SpaceParts(const fem::Space& space, const Decomposition& decomposition, const exec::Device& cpu,
                       int only)
    : SpaceParts(space, Maker(space, decomposition, cpu).make(only)) {}

SpaceParts::SpaceParts(const fem::Space& space, Made made)
    : RowParts(space.components(), std::move(made.rows)),
      locals_(std::move(made.locals)),
      picks_(space.picks()) {}

solve::AmgGeometry SpaceParts::geometry(int p, const exec::Device& cpu) const {
  solve::AmgGeometry made = space(p).amg_geometry(cpu);
  const auto blocks = static_cast<std::int64_t>(part(p).rows.size());
  if (!made.first.empty()) {
    made.first = solve::first_rows(made.first, static_cast<std::int32_t>(blocks), block(), made.modes);
    if (!picks_ && !made.first.weight.empty()) {  // where some parts pick, all have it in the same form
      made.first.value = solve::values_of(made.first, block(), cpu).to_vector();
      made.first.weight.clear();
      made.first.unknown.clear();
    }
  }
  made.coordinates.resize(static_cast<std::size_t>(3 * blocks));
  const std::int64_t values = block() * blocks * made.modes;
  made.mode = {values, [all = made.mode, values](const exec::Device& device) {
                 const exec::Array<double> with_ghosts = all.on(device);
                 exec::Array<double> owned(device, values);
                 exec::copy_async<double>(device, with_ghosts.view().part(0, values), owned);
                 device.synchronize();
                 return owned;
               }};
  return made;
}

}  // namespace setka::domains
