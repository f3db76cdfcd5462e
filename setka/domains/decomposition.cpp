// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/decomposition.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/detail/keep_unique.hpp"
#include "setka/domains/graph.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/mesh/disjoint_sets.hpp"

namespace setka::domains {
namespace {

/// Of few values: most nodes and elements are of one part.
void add_different(std::int32_t value, std::vector<std::int32_t>& values) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

void check_length(const Partition& partition, std::int32_t wanted, const char* what) {
  require(static_cast<std::int64_t>(partition.of.size()) == wanted, [&] {
    return fmt::format("Decomposition: a partition of {}, but the region has {} {}", partition.of.size(),
                       wanted, what);
  });
}

/// Of nodes between the same parts the same one; of parts in a row each has one of its borders.
std::int32_t owner_among(const std::vector<std::int32_t>& parts) {
  if (parts.empty()) return 0;
  const auto sum = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
  return parts[static_cast<std::size_t>(sum % static_cast<std::int64_t>(parts.size()))];
}

/// The elements of owned nodes; inner ones first.
void take_elements(const fem::Region& region, std::span<const std::int32_t> owner, int p,
                   const std::vector<std::int32_t>& mine, Part& part) {
  std::vector<std::int32_t> outer;
  for (const std::int32_t e : mine) {
    const bool inner = std::ranges::all_of(
        region.nodes(e), [&](std::int32_t node) { return owner[static_cast<std::size_t>(node)] == p; });
    (inner ? part.elements : outer).push_back(e);
  }
  part.inner_elements = static_cast<std::int32_t>(part.elements.size());
  part.elements.insert(part.elements.end(), outer.begin(), outer.end());
}

/// Nodes of a part in its own order; owned ones ascend in `owned`.
void take_nodes(const fem::Region& region, std::span<const std::int32_t> owner, int p,
                const std::vector<std::int32_t>& owned, Part& part) {
  std::vector<std::int32_t> boundary;
  std::vector<std::int32_t> ghosts;
  for (auto k = static_cast<std::size_t>(part.inner_elements); k < part.elements.size(); ++k) {
    for (const std::int32_t node : region.nodes(part.elements[k]))
      (owner[static_cast<std::size_t>(node)] == p ? boundary : ghosts).push_back(node);
  }
  detail::keep_unique(boundary);
  std::ranges::sort(ghosts, [&](std::int32_t a, std::int32_t b) {
    const std::int32_t of_a = owner[static_cast<std::size_t>(a)];
    const std::int32_t of_b = owner[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a < of_b : a < b;
  });
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  std::ranges::set_difference(owned, boundary, std::back_inserter(part.nodes));
  part.inner_nodes = static_cast<std::int32_t>(part.nodes.size());
  part.nodes.insert(part.nodes.end(), boundary.begin(), boundary.end());
  part.owned_nodes = static_cast<std::int32_t>(part.nodes.size());
  part.nodes.insert(part.nodes.end(), ghosts.begin(), ghosts.end());
}

/// Who receives what, from the ghosts of all; then who sends it.
void take_exchanges(std::span<const std::int32_t> owner, std::vector<Part>& parts) {
  const auto exchange_of = [&](int p, int with) -> Exchange& {
    auto& all = parts[static_cast<std::size_t>(p)].neighbours;
    const auto at = std::ranges::lower_bound(all, with, {}, &Exchange::with);
    if (at != all.end() && at->with == with) return *at;
    return *all.insert(at, Exchange{with, {}, {}});
  };
  for (int p = 0; p < static_cast<int>(parts.size()); ++p) {
    const Part& part = parts[static_cast<std::size_t>(p)];
    for (auto k = static_cast<std::size_t>(part.owned_nodes); k < part.nodes.size(); ++k) {
      const std::int32_t node = part.nodes[k];
      const std::int32_t from = owner[static_cast<std::size_t>(node)];
      exchange_of(p, from).receive.push_back(static_cast<std::int32_t>(k));
      const Part& sender = parts[static_cast<std::size_t>(from)];
      const auto boundary = std::span(sender.nodes)
                                .subspan(static_cast<std::size_t>(sender.inner_nodes),
                                         static_cast<std::size_t>(sender.boundary_nodes()));
      const auto at = std::ranges::lower_bound(boundary, node);
      SETKA_ASSERT(at != boundary.end() && *at == node);
      exchange_of(from, p).send.push_back(sender.inner_nodes +
                                          static_cast<std::int32_t>(at - boundary.begin()));
    }
  }
}

}  // namespace

Decomposition::Decomposition(const fem::Region& region, int parts, std::vector<std::int32_t> owner,
                             std::vector<std::int32_t> of_element, int threads)
    : owner_(std::move(owner)), of_element_(std::move(of_element)), parts_(static_cast<std::size_t>(parts)) {
  std::vector<std::vector<std::int32_t>> owned(parts_.size());
  for (std::size_t node = 0; node < owner_.size(); ++node)
    owned[static_cast<std::size_t>(owner_[node])].push_back(static_cast<std::int32_t>(node));
  std::vector<std::vector<std::int32_t>> mine(parts_.size());  // elements of owned nodes
  std::vector<std::int32_t> owners;
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    owners.clear();
    for (const std::int32_t node : region.nodes(e))
      add_different(owner_[static_cast<std::size_t>(node)], owners);
    for (const std::int32_t p : owners) mine[static_cast<std::size_t>(p)].push_back(e);
    ++parts_[static_cast<std::size_t>(of_element_[static_cast<std::size_t>(e)])].own_elements;
  }
  exec::host::for_each(threads, parts, 1, [&](std::int64_t p) {
    const auto k = static_cast<std::size_t>(p);
    take_elements(region, owner_, static_cast<int>(p), mine[k], parts_[k]);
    take_nodes(region, owner_, static_cast<int>(p), owned[k], parts_[k]);
  });
  take_exchanges(owner_, parts_);
}

Decomposition Decomposition::by_elements(const fem::Region& region, const Partition& elements, int threads) {
  check_length(elements, region.element_count(), "elements");
  const ElementsOfNodes of_nodes(region);
  std::vector<std::int32_t> owner(static_cast<std::size_t>(region.node_count()));
  constexpr std::int64_t at_a_time = 1024;
  const std::int64_t chunks = (region.node_count() + at_a_time - 1) / at_a_time;
  exec::host::for_each(threads, chunks, 1, [&](std::int64_t chunk) {
    std::vector<std::int32_t> among;
    const auto end = std::min<std::int64_t>(region.node_count(), (chunk + 1) * at_a_time);
    for (auto node = static_cast<std::int32_t>(chunk * at_a_time); node < end; ++node) {
      among.clear();
      for (const std::int32_t e : of_nodes.of(node))
        add_different(elements.of[static_cast<std::size_t>(e)], among);
      std::ranges::sort(among);
      owner[static_cast<std::size_t>(node)] = owner_among(among);
    }
  });
  return {region, elements.parts, std::move(owner), elements.of, threads};
}

Decomposition Decomposition::for_team(const fem::Region& region, const exec::Team& team, int threads) {
  // Of many processes the first one decides, and no other needs the graph.
  const Partition elements =
      partition(team.transport() == nullptr || team.here(0) ? element_graph(region, threads) : Graph{}, team);
  log::debug("elements are shared out by {}", elements.method);
  return by_elements(region, elements, threads);
}

Decomposition Decomposition::by_nodes(const fem::Region& region, const Partition& nodes) {
  check_length(nodes, region.node_count(), "nodes");
  std::vector<std::int32_t> of_element(static_cast<std::size_t>(region.element_count()));
  std::vector<std::int32_t> owners;
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    owners.clear();
    for (const std::int32_t node : region.nodes(e))
      owners.push_back(nodes.of[static_cast<std::size_t>(node)]);
    std::ranges::sort(owners);
    std::ptrdiff_t most = 0;
    for (auto first = owners.begin(); first != owners.end();) {
      const auto last = std::upper_bound(first, owners.end(), *first);
      if (last - first > most) {
        most = last - first;
        of_element[static_cast<std::size_t>(e)] = *first;
      }
      first = last;
    }
  }
  return {region, nodes.parts, nodes.of, std::move(of_element), 1};
}

std::int64_t Decomposition::shared_nodes() const {
  std::int64_t sum = 0;
  for (const Part& part : parts_) sum += part.boundary_nodes();
  return sum;
}

std::vector<std::int32_t> pieces_of_parts(const fem::Region& region, const Decomposition& decomposition) {
  std::vector<std::vector<std::int32_t>> given(static_cast<std::size_t>(decomposition.count()));
  const auto part_of = decomposition.part_of_element();
  for (std::int32_t e = 0; e < region.element_count(); ++e)
    given[static_cast<std::size_t>(part_of[static_cast<std::size_t>(e)])].push_back(e);
  mesh::DisjointSets nodes(region.node_count());
  std::vector<std::int32_t> pieces;
  std::vector<std::int32_t> leaders;
  for (const std::vector<std::int32_t>& elements : given) {
    for (const std::int32_t e : elements) {
      for (const std::int32_t node : region.nodes(e)) nodes.join(node, region.nodes(e)[0]);
    }
    leaders.clear();
    for (const std::int32_t e : elements) leaders.push_back(nodes.leader(region.nodes(e)[0]));
    detail::keep_unique(leaders);
    pieces.push_back(static_cast<std::int32_t>(leaders.size()));
    for (const std::int32_t e : elements) {  // for the next part
      for (const std::int32_t node : region.nodes(e)) nodes.separate(node);
    }
  }
  return pieces;
}

}  // namespace setka::domains
