// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_dynamic.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/increment.hpp"

namespace setka::analysis {

/// Where a body is and how it moves, [user dofs]; empty: at rest where it was drawn.
struct BodyMotion {
  std::vector<double> position;
  std::vector<double> velocity;
};

/// Takes each increment as soon as it is solved.
using IncrementSink = std::function<void(const model::Increment& increment)>;

/// *DYNAMIC: small motions of the whole model, step by step in time. motion: at the start and, when it
/// returns, at the end.
MotionReport solve_dynamic(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                           double start_time, BodyMotion& motion, const Computing& computing,
                           const MotionSink& sink, Monitor& monitor, const IncrementSink& increments = {});

}  // namespace setka::analysis
