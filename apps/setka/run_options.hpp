// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/model/model.hpp"

namespace setka::app {

/// Throws Error(Fault::usage) where an option was given that no step of the deck takes: it names the option,
/// the steps that would take it, and what those of the deck take.
void refuse_options_of_other_steps(const RunOptions& options, const model::Model& model);

/// Error(Fault::usage) where several devices are named and a step, or how it is solved, is of one.
void require_steps_of_processes(const model::Model& model, const analysis::Computing& computing,
                                bool write_elements);
void require_steps_of_teams(const model::Model& model, const analysis::Computing& computing);

}  // namespace setka::app
