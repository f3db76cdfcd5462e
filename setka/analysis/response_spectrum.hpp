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

/// *RESPONSE SPECTRUM: one frame of the largest values that the modes' answers to the spectra add up to, by
/// the step's rules; each component of each field is combined by itself. All modes' fields are in memory
/// together.
MotionReport solve_response_spectrum(const Setup& setup, const LoadState& loads, const model::Step& step,
                                     int number, double start_time, const ModalBasis& basis,
                                     const Computing& computing, const MotionSink& sink, Monitor& monitor);

}  // namespace setka::analysis
