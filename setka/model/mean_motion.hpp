// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "setka/model/equation_maker.hpp"
#include "setka/model/model.hpp"

namespace setka::model {

/// A node and how much it counts.
struct NodeShare {
  std::int32_t node;
  double weight;
};

/// Nodes whose weighted mean displacement is that of a reference node, which may be prescribed.
struct MeanDisplacement {
  std::vector<NodeShare> shares;
  std::int32_t reference = -1;
  Line line;
};

/// Adds its three equations. What is eliminated is the reference node, or, where it is spoken for, the node
/// with the largest weight that is not. Returns a conflict where all are.
std::optional<Conflict> add_mean_displacement(EquationMaker& equations, const MeanDisplacement& mean);

/// Nodes whose mean motion, displacement and rotation, is that of a reference node:
/// theta = I^-1 sum w r x u, u_reference = sum w u + theta x (x_reference - x_mean), r from the weighted mean
/// place and I = sum w (r.r - r r'), weights of the sum one. A force and a moment on the reference node so
/// act on the nodes as w (F + (I^-1 M) x r), and hold them from nothing.
struct MeanMotion {
  std::vector<NodeShare> shares;
  std::int32_t reference = -1;
  std::int32_t rotation = -1;  // the node whose displacement is theta
  Line line;
};

enum class MeanMotionFault : std::uint8_t { none, taken, in_line };

/// Adds its six equations, which eliminate the reference node and that of the rotation. Nothing is added
/// where one of them is prescribed or tied already (taken), or where the nodes lie in one line.
MeanMotionFault add_mean_motion(EquationMaker& equations, const mesh::Mesh& mesh, const MeanMotion& mean);

}  // namespace setka::model
