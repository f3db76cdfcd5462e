// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/fem/assembly.hpp"

namespace setka::analysis {

/// Consistent masses of elements; springs have none. State and setup must outlive it.
fem::ElementMatrix modal_mass(const Setup& setup, const ElementState& state);

/// Stiffness of elements about the preload, if any, which must outlive it as well. A preload of elements
/// whose stiffness under it is not known (SPRINGA) is an Error that names the step.
fem::ElementMatrix modal_stiffness(const Setup& setup, const ElementState& state, const model::Step& step,
                                   const Preload* preload);

}  // namespace setka::analysis
