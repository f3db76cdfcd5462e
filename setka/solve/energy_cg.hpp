// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/solver.hpp"

namespace setka::solve {

/// Conjugate gradients for a preconditioner M that is nearly the inverse of A, as a factorisation in single
/// precision is: they end by the energy of the error, e' A e ~ r' M r, as a part of that of the answer. Of a
/// thin plate a residual says little: of one that bends, forces that nearly balance are all there is.
///
/// The start in x is not looked at: it begins at zero.
/// options.tolerance: the root of that part. Outcome::history has it; Outcome::residual is |b - A x| / |b|.
class EnergyCg final : public Solver {
 public:
  explicit EnergyCg(const SolverOptions& options = {}) : options_(options) {}

  Outcome solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                exec::View<const double> b, exec::View<double> x, Monitor& monitor) override;

 private:
  SolverOptions options_;
};

}  // namespace setka::solve
