// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/energy_cg.hpp"

#include <algorithm>
#include <cmath>

#include "setka/base/iterations.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/detail/krylov.hpp"

namespace setka::solve {

Outcome EnergyCg::solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                        exec::View<const double> b, exec::View<double> x, Monitor& monitor) {
  detail::refuse_team("EnergyCg", a);
  detail::check_system("EnergyCg", {stream, a, preconditioner, b, x});
  Outcome outcome;
  const double size = std::max(exec::norm(stream, b), options_.min_rhs_norm);
  if (size == 0) {
    exec::fill(stream, x, 0.0);
    outcome.history = {0.0};
    return outcome;
  }
  const exec::Scratch<double> r(stream, x.size);
  const exec::Scratch<double> z(stream, x.size);
  const exec::Scratch<double> p(stream, x.size);
  const exec::Scratch<double> q(stream, x.size);
  Iterations progress(monitor, "conjugate gradients");
  exec::fill(stream, x, 0.0);
  exec::combine(stream, 1.0, b, 0.0, b, r);
  preconditioner.apply(stream, r, z);
  exec::combine(stream, 1.0, z, 0.0, z, p);
  double rho = exec::dot(stream, r, z);
  while (rho != 0) {
    a.apply(stream, p, q);
    const double curvature = exec::dot(stream, p, q);
    if (!std::isfinite(rho) || !std::isfinite(curvature)) {
      outcome.status = Status::not_a_number;
    } else if (!(rho > 0) || !(curvature > 0)) {
      outcome.status = Status::not_positive_definite;
    } else if (outcome.iterations == options_.max_iterations) {
      outcome.status = Status::max_iterations;
    }
    if (!outcome.converged()) break;
    const double alpha = rho / curvature;
    exec::axpy(stream, alpha, p, x);
    exec::axpy(stream, -alpha, q, r);
    ++outcome.iterations;
    preconditioner.apply(stream, r, z);
    const double next = exec::dot(stream, r, z);
    const double energy = exec::dot(stream, x, b) - exec::dot(stream, x, r);  // x' A x
    const double share = std::sqrt(next / energy);  // no number where M is not definite: not below
    outcome.history.push_back(share);
    progress.advance("error", share, options_.tolerance);
    if (share <= options_.tolerance) break;
    exec::combine(stream, 1.0, z, next / rho, p, p);
    rho = next;
  }
  a.apply(stream, x, q);
  exec::combine(stream, 1.0, b, -1.0, q, r);
  outcome.residual = exec::norm(stream, r) / size;
  return outcome;
}

}  // namespace setka::solve
