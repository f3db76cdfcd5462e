// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/analysis/dynamic.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_dynamic.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"

namespace setka::analysis {

struct HeatReport {
  MotionReport steps;  // increments, and how they went
  std::string method;
  std::int64_t unknowns = 0;
  int iterations = 0;   // of Newton's method, all increments together
  int inner = 0;        // of conjugate gradients
  double residual = 0;  // of the last increment
};

/// Total time when a heat step is at a time of its own.
double total_time_of(const model::HeatStep& procedure, double start_time, double step_time);

/// Error(Fault::input) for what decks say of heat and no step computes: radiation in cavities or to the
/// temperature of a node, modes of temperatures, and displacements at the temperatures of an earlier step.
void refuse_heat(const model::Model& model);

/// *HEAT TRANSFER. temperature: at the start, [mesh nodes] or [solid nodes]; whenever the sink is called, and
/// when it returns, those of then, [solid nodes].
HeatReport solve_heat(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                      double start_time, std::vector<double>& temperature, const Computing& computing,
                      const MotionSink& sink, Monitor& monitor, const IncrementSink& increments = {});

}  // namespace setka::analysis
