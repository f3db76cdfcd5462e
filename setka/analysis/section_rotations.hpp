// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setka/analysis/solids.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// A rotation of a node of shells or beams that is prescribed; axis: 0, 1 or 2, one of the node's own.
struct PrescribedRotation {
  std::int32_t axis;
  double value;
  model::Line line;
};

/// Ties a node's sections to its rotations, at most one about each axis. In a knot they are v. Elsewhere the
/// mean rotation of the section about the axis has the value; about the normal of a shell there is none, so
/// that what is prescribed counts as far as it lies in the shell, and the sides of a beam's section stay
/// straight.
void prescribe_rotations(const Solids& solids, const ExpandedNode& node,
                         const std::vector<PrescribedRotation>& rotations, fem::ConstraintBuilder& builder);

/// Adds a moment about an axis of unit length as forces on the node's sections, [3 solid nodes]: couples
/// whose work is that on the mean rotation, or on that of a knot. False where the sections do not turn about
/// it.
bool add_moment(const Solids& solids, const ExpandedNode& node, const std::array<double, 3>& axis,
                double moment, std::vector<double>& forces);

/// Adds what a force on a shell's corner does to the copy amid its thickness beyond what follows from the
/// displacement of the node: CalculiX shares a force between below, amid and above as -1/2, 2, -1/2, although
/// the displacement is the mean of 1/6, 2/3, 1/6. Of a
/// membrane's half acts below and half above. axis: of unit length
void add_middle_force(const ExpandedNode& node, const std::array<double, 3>& axis, double force,
                      std::vector<double>& forces);

}  // namespace setka::analysis
