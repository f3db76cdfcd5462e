// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/analysis/frequency.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// Whether a step asks for modes by nodal diameters; an Error where it does so without *CYCLIC SYMMETRY
/// MODEL.
bool asks_for_diameters(const model::Model& model, const model::Step& step);

/// The modes of a wheel from one of its sectors, one nodal diameter after the other: those of two copies of
/// the sector, the real and the imaginary part of the shape, whose sides are tied to each other by the angle
/// of a sector times the diameter. Each mode is there twice, a quarter of a wave apart. The sink is called
/// for every diameter; shapes are the real part. Returns all modes in one table.
/// basis: takes the shapes of diameters up to half the number of sectors, in pairs, unless null.
model::ModeTable solve_cyclic_frequency(const Setup& setup, const LoadState& loads, int number,
                                        double total_time, const Preload* preload, const Computing& computing,
                                        const ModeSink& sink, Monitor& monitor, ModalBasis* basis = nullptr);

}  // namespace setka::analysis
