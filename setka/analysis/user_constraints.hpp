// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/fem/constraints.hpp"

namespace setka::analysis {

/// Whether the angles of *MPC MEANROT have the values that the user prescribes, or none.
enum class Angles : std::uint8_t { as_given, free };

/// All that ties v, "what the user moves" (Solids), at a time: prescribed values, equations, mean
/// rotations, and what the kinds of elements need.
fem::Constraints user_constraints(const Setup& setup, const LoadState& loads, double step_time,
                                  double total_time, Angles angles = Angles::as_given);

/// The same with other values than those at a time; which unknowns are prescribed stays as it is.
using PrescribedNow = std::function<double(const model::PrescribedValue& value)>;
fem::Constraints user_constraints(const Setup& setup, const LoadState& loads, const PrescribedNow& value_of,
                                  Angles angles = Angles::as_given);

}  // namespace setka::analysis
