// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/results.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::analysis {

struct StaticResult {
  model::Frame frame;
  solve::SolveReport report;
  std::vector<double> user_displacements;   // [3 mesh nodes] in the users' axes
  std::vector<double> solid_displacements;  // [3 solid nodes] in global axes
  std::vector<double> temperature;          // [mesh nodes] or [solid nodes]; empty: zero
};

/// [mesh nodes], at a time of a step; empty: zero everywhere.
std::vector<double> temperatures_at(const Setup& setup, const LoadState& loads, double step_time,
                                    double total_time);

/// One linear static solution: the loads at the end of the step, on the undeformed body. is_preload: a later
/// step needs the stresses at integration points, whatever the output asks for.
StaticResult solve_static(const Setup& setup, const LoadState& loads, const model::Step& step,
                          double step_time, double total_time, bool is_preload, const Computing& computing,
                          Monitor& monitor);

}  // namespace setka::analysis
