// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "setka/fem/elements.hpp"

namespace setka::fem {

/// What a field lives on: nodes and elements, in host arrays that somebody else owns. Element e has
/// node[first_node[e] .. first_node[e + 1]).
struct Region {
  std::span<const double> coordinates;       // [nodes, 3]
  std::span<const Element> type;             // [elements]
  std::span<const std::int64_t> first_node;  // [elements + 1]
  std::span<const std::int32_t> node;
  /// [2, 3] Opposite corners of the box about the region that this one is a part of; empty: of none.
  std::span<const double> whole = {};

  std::int32_t node_count() const { return static_cast<std::int32_t>(coordinates.size() / 3); }
  std::int32_t element_count() const { return static_cast<std::int32_t>(type.size()); }
  std::span<const std::int32_t> nodes(std::int32_t element) const {
    const auto e = static_cast<std::size_t>(element);
    return node.subspan(static_cast<std::size_t>(first_node[e]),
                        static_cast<std::size_t>(first_node[e + 1] - first_node[e]));
  }
  /// [2, 3] Opposite corners of the box about its nodes, or about the whole that it is a part of.
  std::array<double, 6> box() const {
    const std::span<const double> about = whole.empty() ? coordinates : whole;
    std::array<double, 6> found{};
    for (std::size_t i = 0; i < about.size(); ++i) {
      double& low = found[i % 3];
      double& high = found[3 + i % 3];
      low = i < 3 ? about[i] : std::min(low, about[i]);
      high = i < 3 ? about[i] : std::max(high, about[i]);
    }
    return found;
  }
  std::span<const double, 3> coordinates_of(std::int32_t at) const {
    return coordinates.subspan(3 * static_cast<std::size_t>(at)).first<3>();
  }
};

}  // namespace setka::fem
