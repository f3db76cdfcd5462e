// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// What the stresses transmit through a surface of elements. As in CalculiX they are those at the nodes,
/// means over elements, which the shape functions of the face carry to its integration points; so the sums
/// are not in balance with loads and reactions to the last figure. stress: [solid nodes, 6].
model::SectionForces section_forces(const Setup& setup, const std::vector<double>& stress,
                                    std::int32_t surface);

}  // namespace setka::analysis
