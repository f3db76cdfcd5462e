// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"

namespace setka::analysis {

/// Whether masses attract each other (*DLOAD, NEWTON).
bool has_attraction(const LoadState& loads);

/// Adds to the forces on the solids' nodes, [3 nodes], what the masses of all elements with *DLOAD, NEWTON
/// pull each other with: each as if its mass were in its centre, as in CalculiX. u: [3 solid
/// nodes] how far they have moved; empty: not at all.
void add_attraction(const Setup& setup, const LoadState& loads, const ElementState& state,
                    const LoadFactor& factor, std::span<const double> u, std::vector<double>& applied);

}  // namespace setka::analysis
