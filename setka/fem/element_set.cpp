// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_set.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/solid_kernel.hpp"

namespace setka::fem {
namespace {

using exec::Array;
using exec::Device;

/// Gradients, values and weights one after the other.
template <Element type>
std::vector<double> reference_values() {
  using Own = kernel::Integrated<type>;
  using Functions = typename Own::Functions;
  constexpr int nodes = Own::nodes;
  constexpr int points = Own::points;
  constexpr int dimension = Functions::dimension;
  std::vector<double> all(static_cast<std::size_t>(points * (nodes * (dimension + 1) + 1)));
  double* const gradients = all.data();
  double* const values = mesh::row<points>(gradients, nodes * dimension);
  double* const weights = mesh::row<points>(values, nodes);
  for (int p = 0; p < points; ++p) {
    std::array<double, dimension> r{};
    weights[p] = Own::Points::at(p, r.data());
    Functions::gradients(r.data(), mesh::row<nodes * dimension>(gradients, p));
    Functions::values(r.data(), mesh::row<nodes>(values, p));
  }
  return all;
}

void check(const Region& region) {
  const std::size_t elements = region.type.size();
  require(region.first_node.size() == elements + 1, [&] {
    return fmt::format(
        "ElementSet: {} elements but {} starts of their nodes; one more than elements is right", elements,
        region.first_node.size());
  });
  require(static_cast<std::int64_t>(region.node.size()) == region.first_node.back(), [&] {
    return fmt::format("ElementSet: {} nodes of elements given, but the starts say {}", region.node.size(),
                       region.first_node.back());
  });
  const auto nodes = static_cast<std::int64_t>(region.coordinates.size() / 3);
  for (const std::int32_t node : region.node) {
    require(node >= 0 && node < nodes,
            [&] { return fmt::format("ElementSet: an element has node {} of {}", node, nodes); });
  }
  for (std::size_t e = 0; e < elements; ++e) {
    const int right = mesh::node_count(cell_of(region.type[e]));
    const std::int64_t found = region.first_node[e + 1] - region.first_node[e];
    require(found == right, [&] {
      return fmt::format("ElementSet: element {} has {} nodes, but {} has {}", e, found, name(region.type[e]),
                         right);
    });
  }
}

}  // namespace

ElementGroup::ElementGroup(const Device& device, Element type, std::vector<std::int32_t> elements,
                           const Region& region)
    : type_(type),
      nodes_(mesh::node_count(cell_of(type))),
      points_(with_element("ElementSet", type, []<Element t>() { return kernel::Integrated<t>::points; })),
      elements_(std::move(elements)),
      node_(device, in_lanes(nodes_,
                             [&](std::size_t element, int i) {
                               return region.node[static_cast<std::size_t>(region.first_node[element] + i)];
                             })),
      reference_(device,
                 with_element("ElementSet", type, []<Element t>() { return reference_values<t>(); })) {}

ElementGroupView ElementGroup::view(const double* coordinates) const {
  const int dimension = this->dimension();
  const double* const gradients = reference_.data();
  const double* const values = gradients + std::ptrdiff_t{points_} * nodes_ * dimension;
  return {
      blocks(), node_.data(), coordinates, {gradients, values, values + std::ptrdiff_t{points_} * nodes_}};
}

ElementSet::ElementSet(const Device& device, const Region& region, std::span<const std::int32_t> family_of)
    : coordinates_(device, region.coordinates),
      elements_(static_cast<std::int64_t>(region.type.size())),
      first_of_node_(device),
      slot_(device) {
  check(region);
  require(family_of.empty() || family_of.size() == region.type.size(), [&] {
    return fmt::format("ElementSet: {} elements but families of {}", region.type.size(), family_of.size());
  });
  std::map<std::pair<Element, std::int32_t>, std::vector<std::int32_t>> of_kind;
  for (std::size_t e = 0; e < region.type.size(); ++e)
    of_kind[{region.type[e], family_of.empty() ? 0 : family_of[e]}].push_back(static_cast<std::int32_t>(e));
  require(of_kind.size() <= max_groups, [&] {
    return fmt::format("ElementSet: {} kinds of elements; at most {} fit one set", of_kind.size(),
                       max_groups);
  });
  for (auto& [kind, elements] : of_kind) {
    groups_.emplace_back(device, kind.first, std::move(elements), region);
    const ElementGroup& group = groups_.back();
    first_slot_.push_back(first_slot_.back() + group.blocks() * group.nodes() * block_lanes);
    require(group.dimension() == dimension(), "ElementSet: solids and plane elements are not of one set");
  }
  require(first_slot_.back() <= std::numeric_limits<std::int32_t>::max(), [&] {
    return fmt::format("ElementSet: the elements have {} nodes together; at most {} fit one set",
                       first_slot_.back(), std::numeric_limits<std::int32_t>::max());
  });
  list_slots(region);
}

void ElementSet::list_slots(const Region& region) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(node_count()) + 1, 0);
  for (const std::int32_t node : region.node) ++first[static_cast<std::size_t>(node) + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  std::vector<std::int32_t> slot(region.node.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const ElementGroup& group = groups_[g];
    for (std::int64_t e = 0; e < group.size(); ++e) {
      const auto nodes = region.nodes(group.elements()[static_cast<std::size_t>(e)]);
      for (int i = 0; i < group.nodes(); ++i) {
        const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(i)]);
        slot[static_cast<std::size_t>(next[node]++)] =
            static_cast<std::int32_t>(first_slot_[g] + interleaved(e / block_lanes, group.nodes(), i,
                                                                   static_cast<int>(e % block_lanes)));
      }
    }
  }
  first_of_node_ = Array<std::int64_t>(device(), first);
  slot_ = Array<std::int32_t>(device(), slot);
}

}  // namespace setka::fem
