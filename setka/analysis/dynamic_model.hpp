// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "setka/analysis/dynamic.hpp"
#include "setka/analysis/dynamic_matrices.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/implicit_dynamics.hpp"
#include "setka/dynamics/newmark.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// How a base moves: by an amplitude, a multiple of its shape.
struct BaseState {
  double position = 0;
  double velocity = 0;
  double acceleration = 0;
};

/// Where everything is at a time: unknowns in blocks, and the bases.
struct MotionState {
  std::vector<double> u;
  std::vector<double> v;
  std::vector<BaseState> bases;
};

/// Between two states, at a part of the time h from one to the other: cubic by both positions and velocities.
MotionState between(const MotionState& a, const MotionState& b, double part, double h);

/// The model of a *DYNAMIC step as equations of motion, and what comes out of them as displacements. All that
/// is given has to outlive it.
class DynamicModel {
 public:
  DynamicModel(const Setup& setup, const LoadState& loads, const model::Step& step, double start_time,
               const Computing& computing, Monitor& monitor);

  const ElementState& element_state() const { return state_; }
  int preparations() const { return motion_->preparations(); }  // of the matrix of steps

  /// The state at the start, and the acceleration that loads give it.
  void begin(const dynamics::Newmark& scheme, const BodyMotion& motion);

  /// Tries an increment to a time.
  void advance(const dynamics::Newmark& scheme, double time);

  /// Of what was tried.
  dynamics::LocalError error() const { return motion_->local_error(); }

  void accept();

  MotionState state() const { return {motion_->displacements(), motion_->velocities(), base_motion_}; }

  std::int64_t iterations() const { return iterations_; }

  /// Of the solids' nodes, [3 nodes].
  std::vector<double> displacements(const MotionState& at) const;
  std::vector<double> velocities(const MotionState& at) const;

  BodyMotion body(const MotionState& at) const;

 private:
  using Vector = std::vector<double>;

  /// A base that moves by an amplitude, and the shape of what it takes with it.
  struct Base {
    dynamics::Curve curve;
    Vector shape;       // [3 solid nodes]
    Vector user_shape;  // [user dofs]
  };

  const fem::Constraints& constraints() const { return of_solids_ ? *of_solids_ : of_users_; }
  const fem::Space& space() const { return matrices_ ? matrices_->space : *of_team_; }
  std::size_t pattern_count() const { return curves_.size() + 3 * bases_.size(); }

  /// Throws where the solution at a time of the step was not found.
  void check(const dynamics::StepSolve& report, double time) const;

  dynamics::Curve curve_of(std::int32_t amplitude) const;
  void find_forces(std::vector<Vector>& patterns);
  Vector force_pattern(std::int32_t amplitude, std::span<const double> moved) const;
  /// Forces of masses that attract each other, where the state will be after a time.
  void follow_masses(double time);
  /// Three patterns a base: what K, C and M make of its shape.
  void find_bases(const model::Step& step, std::vector<Vector>& patterns);
  Vector factors(const std::vector<BaseState>& bases, double time, bool at_start) const;
  Vector expanded(const fem::Constraints& by, const Vector& blocked, const std::vector<BaseState>& bases,
                  double BaseState::*factor, Vector Base::*shape) const;

  const Setup& setup_;
  const LoadState& loads_;
  double start_time_;
  model::Line line_;  // of *DYNAMIC
  const Computing& computing_;
  Monitor& monitor_;
  ElementState state_;
  fem::Constraints of_users_;
  std::optional<fem::Constraints> of_solids_;
  std::optional<DynamicMatrices> matrices_;  // none: a team has them
  std::optional<fem::Space> of_team_;        // there
  std::unique_ptr<dynamics::StepSolver> solver_;
  std::vector<dynamics::Curve> curves_;   // of the first patterns
  std::vector<std::int32_t> amplitudes_;  // of the first of these
  std::vector<Base> bases_;
  std::unique_ptr<dynamics::SteppedMotion> motion_;
  std::vector<BaseState> base_motion_;
  std::vector<BaseState> next_base_motion_;
  std::int64_t iterations_ = 0;
};

}  // namespace setka::analysis
