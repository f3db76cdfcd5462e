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

struct GmresOptions : SolverOptions {
  int restart = 30;  // directions after which a round ends, and the next begins from x
};

/// Flexible generalised minimal residuals (Saad 1993), restarted: for any matrix, and a preconditioner, on
/// the right, that may be another one in each iteration.
///
/// A basis is made orthogonal by two passes of Gram and Schmidt's method for all of its vectors at once,
/// which keeps it so to rounding. Inner products, rotations and the residual stay on the device, as those of
/// Cg: the host only looks whether it has ended.
///
/// Words moved a row and iteration k of a round beside the products: about 4 k + 9. Room: 2 restart + 4
/// vectors.
class Gmres final : public Solver {
 public:
  explicit Gmres(const GmresOptions& options = {});
  ~Gmres() override;

  /// May be changed between two solutions.
  GmresOptions& options() { return options_; }

  Outcome solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                exec::View<const double> b, exec::View<double> x, Monitor& monitor) override;

 private:
  class Run;

  GmresOptions options_;
  std::unique_ptr<Run> run_;
};

}  // namespace setka::solve
