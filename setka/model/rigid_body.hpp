// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "setka/model/equation_maker.hpp"
#include "setka/model/model.hpp"

namespace setka::model {

/// Nodes that move with a reference node as parts of one rigid body, under small rotations:
/// u = u_reference + theta x r, r from the reference node. theta is the "displacement" of another node.
struct RigidBody {
  std::vector<std::int32_t> nodes;
  std::int32_t reference = -1;
  std::int32_t rotation = -1;
  std::array<bool, 3> directions{true, true, true};  // along the nodes' own axes, that follow it
  Line line;
};

/// Adds the equations of a body. in_plane: [nodes] whether a node moves in the plane of its elements alone,
/// which hold its third direction. Returns the first conflict, at which it ends.
std::optional<Conflict> add_rigid_body(EquationMaker& equations, const mesh::Mesh& mesh,
                                       const RigidBody& body, const std::vector<bool>& in_plane);

}  // namespace setka::model
