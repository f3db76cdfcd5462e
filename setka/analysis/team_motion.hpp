// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "setka/analysis/dynamic_matrices.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/analysis/team_assembly.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/dynamics/implicit_dynamics.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/space.hpp"

namespace setka::analysis {

/// The equations of motion of a model over a team: each member assembles, keeps and moves its part, and steps
/// are solved by conjugate gradients over all of them.
class TeamMotion final : public dynamics::SteppedMotion {
 public:
  /// patterns: of forces, [count][rows of the space]. Error(Fault::usage) where the space cannot be in parts.
  TeamMotion(const Setup& setup, const ElementState& state, const fem::Space& space,
             const std::vector<std::vector<double>>& patterns, const Computing& computing, Monitor& monitor);

  void set_state(std::span<const double> u, std::span<const double> v) override;
  dynamics::StepSolve begin(std::span<const double> factors, double of_stiffness, Monitor& monitor) override;
  dynamics::StepSolve advance(const dynamics::Newmark& scheme, std::span<const double> factors,
                              std::span<const double> inertial, Monitor& monitor) override;
  void replace_pattern(std::size_t k, std::span<const double> pattern) override;
  dynamics::LocalError local_error() const override;
  void accept() override;
  std::vector<double> displacements() const override;
  std::vector<double> velocities() const override;
  int preparations() const override;

 private:
  using Matrix = std::shared_ptr<const domains::DistributedMatrix>;

  /// What a member has.
  struct Own {
    Monitor silent;
    std::unique_ptr<dynamics::StepSolver> solver;
    std::unique_ptr<dynamics::ImplicitDynamics> motion;
  };

  dynamics::CgStepSolver::System system_of(const exec::Member& member, double of_damping, double of_stiffness,
                                           Monitor& monitor) const;
  /// Lets all members do something with their motions; what the first gave.
  template <class Do>
  auto together(Monitor* monitor, const Do& work) const;
  std::vector<double> collected(std::vector<double> (dynamics::ImplicitDynamics::*values)() const) const;

  const Computing& computing_;
  exec::Team team_;
  std::shared_ptr<const domains::SpaceParts> parts_;
  Matrix stiffness_;
  Matrix mass_;
  Matrix damping_;          // where it differs among elements
  RayleighDamping common_;  // where it does not
  std::vector<std::unique_ptr<Own>> members_;
};

}  // namespace setka::analysis
