// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/reduced_modes.hpp"
#include "setka/model/results.hpp"
#include "setka/modes/find.hpp"

namespace setka::analysis {

/// The modes of the reduced model, to begin an iteration with: those asked for and some for its guards.
/// Error(Fault::usage) where nothing is assembled, or the request has no number of modes.
domains::ReducedModes reduced_start(const modes::EigenSystem& system, const modes::Request& request,
                                    const Computing& computing, Monitor& monitor);

/// What the reduced model was worth, by the modes that came of it.
model::ReducedModel worth_of(const domains::ReducedModes& reduced, const modes::Modes& found);

}  // namespace setka::analysis
