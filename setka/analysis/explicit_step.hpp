// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/dynamic.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_dynamic.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/io/checkpoint.hpp"
#include "setka/io/superelement.hpp"

namespace setka::analysis {

/// A chosen step is this share of the stable one.
inline constexpr double explicit_safety = 0.9;
/// Where the balance of energies drifts by more than this share of the largest of them, the step ends.
inline constexpr double most_energy_drift = 0.05;

/// What the caller of a long step does for it; each may be left out.
struct StepServices {
  std::function<void(std::span<const double> row)> history;  // by history_columns()
  std::function<void(io::Checkpoint& checkpoint)> save;      // adds what is the caller's, and writes it
  double save_every = 0;                                     // seconds; 0: when the user stops the run
  std::string how_to_go_on;                                  // told then
  const io::Checkpoint* resumed = nullptr;                   // to go on from
  IncrementSink increment;                                   // of static and implicit dynamic steps
  std::function<void(const model::SubstructureStep& procedure, const io::SuperelementMatrix& matrix)>
      superelement;
  std::function<void(const model::BucklingTable& table)> factors;  // of *BUCKLE, before the frames of shapes
};

/// Of all explicit steps of a model: step, time, dt, energies, their drift, and U, V, RF of the nodes in sets
/// of at most twenty that *NODE PRINT names. Empty: the model has no explicit step.
std::vector<std::string> history_columns(const model::Model& model);

/// *DYNAMIC, EXPLICIT: large motions of the whole model on the device of the solver, in the precision that
/// computing says. motion: at the start and, when it returns, at the end. A drift of energies is reported as
/// not converged, with what was computed until then; an interruption is Error(Fault::interrupted) after a
/// checkpoint.
MotionReport solve_explicit(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                            double start_time, BodyMotion& motion, const Computing& computing,
                            const MotionSink& sink, const StepServices& services, Monitor& monitor);

}  // namespace setka::analysis
