// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/solver.hpp"

namespace setka::solve {

/// Preconditioned minimal residuals (Paige and Saunders 1975, as Elman, Silvester and Wathen write them) for
/// symmetric matrices, definite or not; the preconditioner is symmetric positive definite. It makes the
/// residual smallest in the norm of the preconditioner; what is compared with the tolerance is its plain
/// norm, by a recurrence of the residual itself.
///
/// A matrix that is singular but has an answer gets one. Where there is none the method stagnates or breaks
/// down at the smallest residual. Scalars stay on the device, as those of Cg.
///
/// Words moved a row and iteration beside the products: 19. Room: 7 vectors.
class Minres final : public Solver {
 public:
  explicit Minres(const SolverOptions& options = {});
  ~Minres() override;

  /// May be changed between two solutions.
  SolverOptions& options() { return options_; }

  Outcome solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                exec::View<const double> b, exec::View<double> x, Monitor& monitor) override;

 private:
  class Run;

  SolverOptions options_;
  std::unique_ptr<Run> run_;
};

}  // namespace setka::solve
