// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/io/superelement.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// What *SUBSTRUCTURE GENERATE retains, as unknowns of the constraints, in its order. Error(Fault::input)
/// where nothing is retained, or something that is no unknown of its own along a global axis.
std::vector<std::int32_t> retained_unknowns(const Setup& setup, const model::SubstructureStep& procedure,
                                            const fem::Constraints& of_users);

/// *SUBSTRUCTURE GENERATE: K_bb - K_bi K_ii^-1 K_ib over the retained degrees of freedom, by a factorisation
/// on the host. Values that are prescribed are held at zero. A part that the retained ones do not hold is an
/// Error(Fault::input).
io::SuperelementMatrix solve_substructure(const Setup& setup, const LoadState& loads, const model::Step& step,
                                          double total_time, const Computing& computing, Monitor& monitor);

}  // namespace setka::analysis
