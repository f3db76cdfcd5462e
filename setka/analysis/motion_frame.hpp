// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// Fills a frame of a body in motion with what is wanted, and no more: where only displacements are, nothing
/// is integrated. u, v: displacements and velocities of the solids' nodes, [3 nodes]; v may be empty where
/// there are none. RF are the forces of the stresses, as in CalculiX.
void fill_motion_frame(const Setup& setup, const ElementState& state, const Wanted& wanted,
                       const std::vector<double>& u, const std::vector<double>& v, int threads,
                       model::Frame& frame);

/// v' M v / 2 of each element with its consistent mass; v: velocities of the solids' nodes.
std::vector<double> kinetic_energy(const Setup& setup, const ElementState& state,
                                   const std::vector<double>& v, int threads);

}  // namespace setka::analysis
