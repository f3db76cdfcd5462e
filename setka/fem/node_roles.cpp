// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <limits>

#include "setka/exec/parallel.hpp"
#include "setka/fem/detail/node_roles.hpp"

namespace setka::fem::detail {
namespace {

constexpr std::int32_t no_element = std::numeric_limits<std::int32_t>::max();

/// The first element that has each node amid an edge; no_element where there is none.
std::vector<std::int32_t> owners_of(const Region& region, const exec::Device& cpu,
                                    std::vector<std::int8_t>& corner) {
  std::vector<std::int32_t> owner(corner.size(), no_element);
  exec::host::for_each(cpu.threads(), region.element_count(), exec::host::serial_below, [&](std::int64_t i) {
    const auto e = static_cast<std::int32_t>(i);
    const auto own = region.nodes(e);
    const std::size_t amid = mesh::edges_with_nodes(cell_of(region.type[static_cast<std::size_t>(e)])).size();
    for (const std::int32_t node : own.first(own.size() - amid))
      std::atomic_ref(corner[static_cast<std::size_t>(node)]).store(1, std::memory_order_relaxed);
    for (const std::int32_t node : own.last(amid)) {
      std::atomic_ref first(owner[static_cast<std::size_t>(node)]);
      std::int32_t known = first.load(std::memory_order_relaxed);
      while (e < known && !first.compare_exchange_weak(known, e, std::memory_order_relaxed)) {
      }
    }
  });
  return owner;
}

}  // namespace

NodeRoles roles_of(const Region& region, const exec::Device& cpu) {
  const bool straight = std::ranges::none_of(
      region.type, [](Element type) { return !mesh::edges_with_nodes(cell_of(type)).empty(); });
  if (straight) return {};
  const auto nodes = static_cast<std::size_t>(region.node_count());
  NodeRoles roles{std::vector<std::int8_t>(nodes, 0),
                  std::vector<std::array<std::int32_t, 2>>(nodes, {none, none}), 0, 0};
  const std::vector<std::int32_t> owner = owners_of(region, cpu, roles.corner);
  const auto is_owned = [&](std::size_t node) { return owner[node] != no_element; };
  exec::host::for_each(cpu.threads(), region.node_count(), exec::host::serial_below, [&](std::int64_t node) {
    const auto n = static_cast<std::size_t>(node);
    if (!is_owned(n)) return;
    const auto own = region.nodes(owner[n]);
    const auto edges = mesh::edges_with_nodes(cell_of(region.type[static_cast<std::size_t>(owner[n])]));
    const std::size_t corners = own.size() - edges.size();
    std::size_t i = corners;
    while (own[i] != node) ++i;
    for (std::size_t k = 0; k < 2; ++k)
      roles.ends[n][k] = own[static_cast<std::size_t>(edges[i - corners][k])];
  });
  for (std::size_t n = 0; n < nodes; ++n) {
    if (!is_owned(n)) continue;
    ++roles.amid_edges;
    if (cell_of(region.type[static_cast<std::size_t>(owner[n])]) == mesh::Cell::tet10) ++roles.of_tetrahedra;
  }
  return roles;
}

}  // namespace setka::fem::detail
