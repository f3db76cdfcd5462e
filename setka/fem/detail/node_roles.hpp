// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/fem/region.hpp"

namespace setka::fem::detail {

inline constexpr std::int32_t none = -1;

/// What nodes are to the elements.
struct NodeRoles {
  std::vector<std::int8_t> corner;                // [nodes]
  std::vector<std::array<std::int32_t, 2>> ends;  // [nodes] of the edge that it lies amid; none: of none
  std::int32_t amid_edges = 0;
  std::int32_t of_tetrahedra = 0;  // among those amid edges

  /// Amid edges only.
  bool amid(std::size_t node) const { return corner[node] == 0 && ends[node][0] != none; }
};

/// Of elements that are all straight: nothing.
NodeRoles roles_of(const Region& region, const exec::Device& cpu);

}  // namespace setka::fem::detail
