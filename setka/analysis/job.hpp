// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/explicit_step.hpp"
#include "setka/analysis/modal_dynamic.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/static.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// A largest value and where it is, by the user's numbers.
struct Extreme {
  double value = 0;
  std::int32_t label = 0;  // of a node or an element
};

/// What a user wants to read after a step.
struct StepSummary {
  int step = 1;
  double time = 1;
  solve::SolveReport solved;                     // of a static step
  std::optional<MotionReport> motion;            // of a step in time or of periodic loads
  std::optional<model::ModeTable> modes;         // of a frequency step
  std::optional<model::BucklingTable> buckling;  // of a *BUCKLE step
  std::int64_t retained = 0;                     // degrees of freedom of a superelement that was made
  Extreme displacement;                          // length, at a node
  std::optional<Extreme> hottest;                // of a heat step: temperatures, at nodes
  std::optional<Extreme> coldest;
  std::optional<Extreme> mises;  // at an integration point of an element, where output asks for S
};

/// Takes each frame as soon as it is there.
using FrameSink = std::function<void(const model::Step& step, const model::Frame& frame)>;

/// Takes the modes of a frequency step before their frames.
using ModeTableSink = std::function<void(const model::ModeTable& table)>;

/// Runs every step of a model in order, those before the one of a checkpoint left out. Stops after a step
/// that has not converged, whose summary says so.
std::vector<StepSummary> run_steps(const Setup& setup, const Computing& computing, const FrameSink& sink,
                                   Monitor& monitor, const ModeTableSink& mode_sink = {},
                                   const StepServices& services = {});

}  // namespace setka::analysis
