// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "setka/analysis/frequency.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_field.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"

namespace setka::analysis {

/// *HEAT TRANSFER, FREQUENCY: C T'' + K T = 0, the wave equation that acoustics has for its pressures, with
/// the matrices of heat. Shapes are scaled to T' C T = 1. temperature: [mesh nodes] that materials are at.
model::ModeTable solve_heat_modes(const Setup& setup, const LoadState& loads, const model::Step& step,
                                  int number, double total_time, std::span<const double> temperature,
                                  const Computing& computing, const ModeSink& sink, Monitor& monitor,
                                  ModalBasis* basis);

/// Sums of such modes in a step.
std::unique_ptr<const ModalField> temperatures_of_modes(const Setup& setup, const LoadState& loads,
                                                        const model::Step& step, const ModalBasis& basis,
                                                        const Computing& computing, Monitor& monitor);

}  // namespace setka::analysis
