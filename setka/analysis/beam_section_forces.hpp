// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/analysis/setup.hpp"

namespace setka::analysis {

/// *EL FILE, SECTION FORCES: at the nodes of beams, instead of a mean stress, what acts through the section
/// in the beam's axes 1 and 2 and along it: shear forces along 1 and 2 and the normal force (xx, yy, zz),
/// torque (xy), bending moments about 2 and 1 (xz, yz). From the stresses at nodes, as CalculiX has it; means
/// over the elements at a node, and between the ends their mean. stress: [solids' nodes, 6]; values: [mesh
/// nodes, 6]
void put_section_forces(const Setup& setup, const std::vector<double>& stress, std::vector<double>& values);

}  // namespace setka::analysis
