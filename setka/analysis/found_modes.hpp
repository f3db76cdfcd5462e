// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"
#include "setka/modes/modes.hpp"

/// What steps of modes have in common, whatever it is that oscillates.
namespace setka::analysis {

/// What a step asks of the search.
modes::Request requested_modes(const model::FrequencyStep& procedure, const Computing& computing);

/// An Error where more modes are asked for than there are unknowns.
void require_unknowns(const Setup& setup, const model::FrequencyStep& procedure, std::int32_t unknowns);

/// An Error where no modes, or not as many as were asked for, exist.
void refuse_fewer_modes(const Setup& setup, const model::FrequencyStep& procedure, const modes::Modes& found);

/// The table of what was found, without participation factors and frequencies' ranges.
model::ModeTable table_of_modes(const modes::Modes& found, int step);

/// A mode has no sign of its own; ours has its largest value positive.
void fix_sign(std::vector<double>& shape, std::array<double, 6>& participation);

/// Whether CalculiX would show it; below a lower frequency it leaves out also what has none.
bool in_range(const model::FrequencyStep& procedure, const model::Mode& mode);

}  // namespace setka::analysis
