// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "setka/mesh/cell.hpp"

namespace setka::io::detail {

/// An element type of Gmsh, by the number it has in its files.
struct MshShape {
  int number;
  std::string_view name;  // "27-node hexahedra"
  int dimension;
  int nodes;
  int corners;
  std::optional<mesh::Cell> cell;  // none: not one of ours
};

/// Null where the number is not known.
const MshShape* find_msh_shape(std::int64_t number);

/// Where Gmsh keeps the nodes of one of our shapes: our local node i is its local node order[i]. Empty where
/// both number alike.
std::span<const std::int8_t> msh_node_order(mesh::Cell cell);

}  // namespace setka::io::detail
