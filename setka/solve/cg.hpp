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

/// Preconditioned conjugate gradients; A and the preconditioner are symmetric positive definite.
///
/// Scalars stay on the device and the host runs ahead of a GPU by a few iterations: what it gives in vain
/// after the end changes nothing, so the answer does not depend on how far ahead it was. When the true
/// residual does not confirm the recurrence, the method starts again from x, until the two agree or nothing
/// is gained.
///
/// Words moved a row and iteration beside the products: 13. Room: 4 vectors.
class Cg final : public Solver {
 public:
  explicit Cg(const SolverOptions& options = {});
  ~Cg() override;

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
