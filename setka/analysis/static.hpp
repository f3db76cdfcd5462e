// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// How a system was solved.
struct SolveReport {
  std::int32_t unknowns = 0;
  std::int64_t matrix_entries = 0;
  std::string method;  // "Cholesky", "conjugate gradients"
  int iterations = 0;
  double residual = 0;  // |b - A x| / |b|
  bool converged = true;
};

struct StaticResult {
  model::Frame frame;
  SolveReport report;
  std::vector<double> user_displacements;  // [3 mesh nodes] in the users' axes
};

/// One linear static solution: the loads at the end of the step, on the undeformed body.
StaticResult solve_static(const Setup& setup, const LoadState& loads, const model::Step& step,
                          double step_time, double total_time, int threads, Monitor& monitor);

}  // namespace setka::analysis
