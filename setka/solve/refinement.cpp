// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "setka/base/iterations.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/detail/krylov.hpp"
#include "setka/solve/stagnation.hpp"

namespace setka::solve {

Outcome Refinement::solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                          exec::View<const double> b, exec::View<double> x, Monitor& monitor) {
  detail::refuse_team("Refinement", a);
  detail::check_system("Refinement", {stream, a, preconditioner, b, x});
  Outcome outcome;
  const double own_size = exec::norm(stream, b);
  if (own_size == 0) {
    exec::fill(stream, x, 0.0);
    outcome.history = {0.0};
    return outcome;
  }
  const double size = std::max(own_size, options_.min_rhs_norm);
  const exec::Scratch<double> r(stream, x.size);
  const exec::Scratch<double> z(stream, x.size);
  Iterations progress(monitor, "refinement");
  Stagnation stagnation(options_.stagnation_window);
  for (;;) {
    a.apply(stream, x, z);
    exec::combine(stream, 1.0, b, -1.0, z, r);
    outcome.residual = exec::norm(stream, r) / size;
    outcome.history.push_back(outcome.residual);
    if (outcome.iterations > 0) progress.advance("residual", outcome.residual, options_.tolerance);
    if (outcome.residual <= options_.tolerance) return outcome;
    if (!std::isfinite(outcome.residual)) {
      outcome.status = Status::not_a_number;
    } else if (outcome.iterations == options_.max_iterations) {
      outcome.status = Status::max_iterations;
    } else if (stagnation.reached(outcome.iterations, outcome.residual * outcome.residual)) {
      outcome.status = Status::stagnated;
    }
    if (!outcome.converged()) return outcome;
    preconditioner.apply(stream, r, z);
    exec::axpy(stream, 1.0, z, x);
    ++outcome.iterations;
  }
}

}  // namespace setka::solve
