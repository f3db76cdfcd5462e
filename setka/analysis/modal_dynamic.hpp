// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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

/// What an explicit step says of itself beyond that.
struct ExplicitReport {
  double step = 0;
  double stable_step = 0;
  std::int32_t element = 0;  // whose step that is, by its number
  double safety = 0;
  bool single_precision = false;
  double kinetic = 0;  // energies at the end
  double internal = 0;
  double external = 0;
  double damping = 0;
  double hourglass = 0;  // part of the internal one
  double drift = 0;      // of their balance, the largest share of the largest of them
};

struct MotionReport {
  std::int64_t increments = 0;
  int frames = 0;       // that were written
  double duration = 0;  // of the step
  bool converged = true;
  std::string trouble;  // why not
  std::optional<ExplicitReport> of_explicit;
};

/// *MODAL DYNAMIC: each mode is integrated exactly, frames that output is due for are computed and handed
/// over one at a time. motion: [modes] mode' M u and its rate at the start and, when it returns, at the end;
/// empty at the start: at rest.
MotionReport solve_modal_dynamic(const Setup& setup, const LoadState& loads, const model::Step& step,
                                 int number, double start_time, const ModalBasis& basis,
                                 std::vector<dynamics::Motion>& motion, const Computing& computing,
                                 const MotionSink& sink, Monitor& monitor);

}  // namespace setka::analysis
