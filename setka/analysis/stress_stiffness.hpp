// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::analysis {

/// T'ST in blocks of three unknowns, S the stiffness that stresses at the integration points, [points, 6],
/// make of themselves; axial springs have theirs by the displacements of the solids' nodes, [3 nodes]. On a
/// GPU where constraints only pick unknowns and nothing is a spring, else on the host.
sparse::BlockCsr<double> stress_stiffness(const Setup& setup, const ElementState& state,
                                          const fem::Space& space, std::span<const double> displacements,
                                          std::span<const double> stresses, const exec::Device& device,
                                          const exec::Device& cpu, Monitor& monitor);

}  // namespace setka::analysis
