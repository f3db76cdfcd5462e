// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::analysis {

/// Solves with symmetric matrices of one pattern that follow each other, as those of increments and of
/// Newton's iterations do: by a factor where the model is small, else by conjugate gradients, with a
/// hierarchy that serves for as long as it is good enough. Over a team by conjugate gradients alone, whose
/// members do everything together.
class HeatSolver {
 public:
  HeatSolver(const fem::Space& space, const Computing& computing);

  /// What a member of a team has of it. The parts outlive it.
  HeatSolver(const exec::Member& member, const domains::SpaceParts& parts, const Computing& computing);

  /// The matrix from now on, on the device of the computing; of a part its rows with columns of ghosts.
  void set(sparse::BlockCsr<double> a, Monitor& monitor);

  /// x = A^-1 b. Error(Fault::input) where the matrix is singular.
  dynamics::StepSolve solve(const exec::Stream& stream, exec::View<const double> b, exec::View<double> x,
                            Monitor& monitor);

  /// "CG with multigrid"
  const std::string& method() const { return method_; }
  int hierarchies() const { return hierarchies_; }  // that were made or made anew

 private:
  void factorise(Monitor& monitor);
  void precondition(Monitor& monitor);
  void make_hierarchy(Monitor& monitor);
  std::shared_ptr<const solve::Operator> made_by(const solve::PreconditionerKind& kind, Monitor& monitor);

  fem::Space space_;
  std::optional<exec::Member> member_;
  const domains::SpaceParts* parts_ = nullptr;  // over a team
  const Computing& computing_;
  std::string method_;
  bool factorises_;
  std::shared_ptr<const solve::BlockCsrOperator> matrix_;   // one of the two
  std::shared_ptr<const domains::TeamMatrix> team_matrix_;  // over a team
  std::optional<solve::Cholesky> factor_;
  solve::Cg cg_;
  std::future<solve::AmgGeometry> geometry_;  // for the first hierarchy, while elements are integrated
  std::shared_ptr<solve::Amg> multigrid_;     // of one device
  std::shared_ptr<const domains::TeamMatrix> hierarchy_matrix_;  // the engine of processes reads it
  std::shared_ptr<const solve::Operator> preconditioner_;
  int hierarchies_ = 0;
  int fresh_iterations_ = 0;  // with a hierarchy of the matrix itself
  bool fresh_ = false;
  bool outworn_ = true;  // also where there is none
};

}  // namespace setka::analysis
