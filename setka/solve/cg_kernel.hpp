// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/krylov_kernel.hpp"

namespace setka::solve::kernel {

/// The scalars of conjugate gradients, in device memory. The sums of an iteration land here.
struct CgState : KrylovState {
  double rho;            // (r, z) of this iteration
  double next_rho;       // of the next one
  double next_residual;  // (r, r) of it; behind next_rho, for both are summed together
  double curvature;      // (p, A p)
};

/// x = x + a p, r = r - a q, with (r, r) as the sum; a = rho / curvature, or 0 once the method has ended.
struct CgStep {
  using Value = double;
  const CgState* state;
  exec::View<const double> p;
  exec::View<const double> q;
  exec::View<double> x;
  exec::View<double> r;

  SETKA_HD static double identity() { return 0; }
  SETKA_HD static double combine(double a, double b) { return a + b; }
  SETKA_HD double operator()(std::int64_t i) const {
    const bool runs = state->ending == CgState::under_way && state->curvature > 0;
    const double a = runs ? state->rho / state->curvature : 0.0;
    x[i] = x[i] + a * p[i];
    const double left = r[i] - a * q[i];
    r[i] = left;
    return left * left;
  }
};

/// p = z + b p with b = next rho / rho; on the first round p = z.
struct CgDirection {
  CgState* state;
  bool first;
  exec::View<const double> z;
  exec::View<double> p;

  SETKA_HD void operator()(std::int64_t i) const {
    if (first) {
      p[i] = z[i];
      return;
    }
    const double b = state->rho > 0 ? state->next_rho / state->rho : 0.0;
    p[i] = z[i] + b * p[i];
  }
};

/// After an iteration: has it ended? What is of the next one becomes that of this one.
struct CgAdvance {
  CgState* state;
  double* history;  // null: before the first iteration

  SETKA_HD void operator()(std::int64_t) const {
    CgState& s = *state;
    if (s.ending == CgState::under_way && history != nullptr) judge(s);
    if (s.ending == CgState::under_way && !(s.next_rho > 0))
      s.ending = s.residual > 0 ? CgState::not_positive_definite : CgState::converged;
    s.rho = s.next_rho;
  }

  SETKA_HD void judge(CgState& s) const {
    s.residual = s.next_residual;
    if (!(s.curvature > 0)) {
      s.ending = s.curvature - s.curvature == 0 ? CgState::not_positive_definite : CgState::not_a_number;
      return;
    }
    s.iterations += 1;
    history[static_cast<std::int64_t>(s.iterations)] = s.residual;
    if (!(s.residual - s.residual == 0)) {
      s.ending = CgState::not_a_number;
    } else if (s.residual <= s.target) {
      s.ending = CgState::converged;
    }
  }
};

}  // namespace setka::solve::kernel
