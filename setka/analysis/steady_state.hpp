// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/analysis/frequency.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_dynamic.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"

namespace setka::analysis {

/// *STEADY STATE DYNAMICS: the answer to harmonic loads at each frequency, a frame with its imaginary part;
/// or to periodic ones, frames over a period of each frequency. Frames are handed over one at a time.
MotionReport solve_steady_state(const Setup& setup, const LoadState& loads, const model::Step& step,
                                int number, const ModalBasis& basis, const Computing& computing,
                                const MotionSink& sink, Monitor& monitor);

}  // namespace setka::analysis
