// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/space_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"
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

/// The block of each node, -1: none; empty where blocks are not those of nodes.
std::vector<std::int32_t> blocks_of_nodes(const fem::Space& space) {
  const int components = space.components();
  std::vector<std::int32_t> block(at(space.region().node_count()), -1);
  std::vector<std::int32_t> node(at(space.blocks()), -1);
  for (std::int32_t place = 0; place < space.size(); ++place) {
    const std::int32_t dof = space.dof_of_place()[at(place)];
    if (dof < 0) continue;
    const std::int32_t of_place = place / components;
    const std::int32_t of_dof = dof / components;
    if (dof % components != place % components || (block[at(of_dof)] >= 0 && block[at(of_dof)] != of_place) ||
        (node[at(of_place)] >= 0 && node[at(of_place)] != of_dof))
      return {};
    block[at(of_dof)] = of_place;
    node[at(of_place)] = of_dof;
  }
  return block;
}

/// The constraints of some nodes.
fem::Constraints constraints_of(const fem::Space& space, std::span<const std::int32_t> nodes) {
  const int components = space.components();
  std::vector<std::int32_t> fixed;
  std::vector<double> values;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (int c = 0; c < components; ++c) {
      const std::int32_t dof = components * nodes[i] + c;
      if (space.place_of_dof()[at(dof)] >= 0) continue;
      fixed.push_back(components * static_cast<std::int32_t>(i) + c);
      values.push_back(space.constraints().shift(dof));
    }
  }
  return fem::Constraints::fixed(components * static_cast<std::int32_t>(nodes.size()), fixed, values);
}

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

bool SpaceParts::possible(const fem::Space& space) {
  if (!space.picks() || (space.blocks() > 0 && blocks_of_nodes(space).empty())) return false;
  for (std::int32_t place = 0; place < space.size(); ++place) {
    const std::int32_t dof = space.dof_of_place()[at(place)];
    if (dof >= 0 && space.constraints().shift(dof) != 0) return false;
  }
  return true;
}

SpaceParts::SpaceParts(const fem::Space& space, const Decomposition& decomposition, const exec::Device& cpu,
                       int only)
    : SpaceParts(space, decomposition, make(space, decomposition, cpu, only), cpu) {}

SpaceParts::SpaceParts(const fem::Space& space, const Decomposition& decomposition, Locals locals,
                       const exec::Device& cpu)
    : RowParts(space.components(), rows_of(space, decomposition, cpu)), locals_(std::move(locals)) {}

SpaceParts::Locals SpaceParts::make(const fem::Space& space, const Decomposition& decomposition,
                                    const exec::Device& cpu, int only) {
  require(possible(space), "SpaceParts: constraints do more than to pick unknowns");
  const std::array<double, 6> box = space.region().box();
  Locals locals(at(decomposition.count()));
  exec::host::for_each(cpu.threads(), decomposition.count(), 1, [&](std::int64_t p) {
    if (only >= 0 && p != only) return;
    locals[static_cast<std::size_t>(p)] = local(space, decomposition, static_cast<int>(p), box);
  });
  return locals;
}

std::unique_ptr<const SpaceParts::Local> SpaceParts::local(const fem::Space& space,
                                                           const Decomposition& decomposition, int p,
                                                           std::span<const double> box) {
  const fem::Region& region = space.region();
  const Part& part = decomposition.part(p);
  auto made = std::make_unique<Local>();
  made->whole.assign(box.begin(), box.end());
  made->elements = part.elements;
  made->nodes = part.nodes;
  made->owned_nodes = part.owned_nodes;
  std::vector<std::int32_t> place(at(region.node_count()), -1);  // in the part
  made->coordinates.reserve(3 * part.nodes.size());
  for (std::size_t i = 0; i < part.nodes.size(); ++i) {
    place[at(part.nodes[i])] = static_cast<std::int32_t>(i);
    const auto x = region.coordinates_of(part.nodes[i]);
    made->coordinates.insert(made->coordinates.end(), x.begin(), x.end());
  }
  made->type.reserve(part.elements.size());
  made->first_node.reserve(part.elements.size() + 1);
  for (const std::int32_t e : part.elements) {
    made->type.push_back(region.type[at(e)]);
    made->counted.push_back(static_cast<std::int8_t>(part_that_counts(region, decomposition, e) == p));
    for (const std::int32_t node : region.nodes(e)) made->node.push_back(place[at(node)]);
    made->first_node.push_back(static_cast<std::int64_t>(made->node.size()));
  }
  made->space = std::make_unique<const fem::Space>(
      fem::Region{made->coordinates, made->type, made->first_node, made->node, made->whole},
      space.components(), constraints_of(space, part.nodes));
  return made;
}

std::vector<RowsOfPart> SpaceParts::rows_of(const fem::Space& space, const Decomposition& decomposition,
                                            const exec::Device& cpu) {
  const std::vector<std::int32_t> of_node = blocks_of_nodes(space);
  std::vector<RowsOfPart> made(at(decomposition.count()));
  exec::host::for_each(cpu.threads(), decomposition.count(), 1, [&](std::int64_t p) {
    const Part& part = decomposition.part(static_cast<int>(p));
    RowsOfPart& rows = made[static_cast<std::size_t>(p)];
    std::vector<std::int32_t> own;  // [nodes of the part] its block there: nodes are numbered as they stand
    own.reserve(part.nodes.size());
    std::int32_t blocks = 0;
    for (std::size_t i = 0; i < part.nodes.size(); ++i) {
      const std::int32_t block = of_node[at(part.nodes[i])];
      own.push_back(block < 0 ? -1 : blocks++);
      if (block < 0) continue;
      (std::cmp_less(i, part.owned_nodes) ? rows.rows : rows.ghosts).push_back(block);
      if (std::cmp_less(i, part.inner_nodes)) ++rows.inner;
    }
    for (const Exchange& exchange : part.neighbours) {
      exec::Link link{exchange.with, {}, 0};
      for (const std::int32_t node : exchange.send) {
        if (own[at(node)] >= 0) link.send.push_back(own[at(node)]);
      }
      for (const std::int32_t node : exchange.receive) link.receive += own[at(node)] >= 0 ? 1 : 0;
      rows.links.push_back(std::move(link));
    }
  });
  return made;
}

solve::AmgGeometry SpaceParts::geometry(int p, const exec::Device& cpu) const {
  solve::AmgGeometry made = space(p).amg_geometry(cpu);
  const auto blocks = static_cast<std::int64_t>(part(p).rows.size());
  if (!made.first.empty())
    made.first = solve::first_rows(made.first, static_cast<std::int32_t>(blocks), block(), made.modes);
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
