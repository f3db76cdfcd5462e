// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "setka/analysis/frequency.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/dynamics/oscillator.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// Takes a frame as soon as it is computed.
using MotionSink = std::function<void(const model::Frame& frame)>;

struct MotionReport {
  int increments = 0;
  int frames = 0;       // that were written
  double duration = 0;  // of the step
  bool converged = true;
  std::string trouble;  // why not
};

/// *MODAL DYNAMIC: each mode is integrated exactly, frames that output is due for are computed and handed
/// over one at a time. motion: [modes] mode' M u and its rate at the start and, when it returns, at the end;
/// empty at the start: at rest.
MotionReport solve_modal_dynamic(const Setup& setup, const LoadState& loads, const model::Step& step,
                                 int number, double start_time, const ModalBasis& basis,
                                 std::vector<dynamics::Motion>& motion, const Computing& computing,
                                 const MotionSink& sink, Monitor& monitor);

}  // namespace setka::analysis
