// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/solver.hpp"

namespace setka::solve {

/// Iterative refinement, x = x + M (b - A x): what a direct solver is, with a factorisation for the
/// preconditioner M, which leaves rounding alone to be taken out.
class Refinement final : public Solver {
 public:
  explicit Refinement(const SolverOptions& options = {}) : options_(options) {}

  Outcome solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                exec::View<const double> b, exec::View<double> x, Monitor& monitor) override;

 private:
  SolverOptions options_;
};

}  // namespace setka::solve
