// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/krylov_kernel.hpp"

namespace setka::solve::kernel {

/// The scalars of MINRES, in device memory.
struct MinresState : KrylovState {
  double gamma;           // the square root of (z, v) of this iteration
  double previous_gamma;  // of the one before
  double next_product;    // (z, v) of the next one
  double curvature;       // (z, A z)
  double eta;             // what is left to do, signed: the residual in the norm of the preconditioner
  double c;               // the last rotation
  double s;
  double previous_c;
  double previous_s;

  // What the vectors of this iteration are made with.
  double of_z;
  double of_w;
  double of_previous_w;
  double of_x;
  double of_r;
  double of_v;
};

/// After (z, v) of the first round.
struct MinresBegin {
  MinresState* state;

  SETKA_HD void operator()(std::int64_t) const {
    MinresState& s = *state;
    if (!(s.next_product > 0)) {
      s.ending = s.next_product - s.next_product == 0 ? MinresState::not_positive_definite
                                                      : MinresState::not_a_number;
      return;
    }
    s.gamma = sqrt(s.next_product);
    s.previous_gamma = 1;
    s.eta = s.gamma;
    s.c = s.previous_c = 1;
    s.s = s.previous_s = 0;
  }
};

/// The next vector of Lanczos in the place of the one before: v- = A z / gamma - delta / gamma v - gamma /
/// gamma- v-, where z is not of unit length.
struct MinresLanczos {
  const MinresState* state;
  exec::View<const double> q;  // A z
  exec::View<const double> v;
  exec::View<double> previous_v;

  SETKA_HD void operator()(std::int64_t i) const {
    const double gamma = state->gamma;
    const double delta = state->curvature / (gamma * gamma);
    previous_v[i] = q[i] / gamma - delta / gamma * v[i] - gamma / state->previous_gamma * previous_v[i];
  }
};

/// The rotation that makes the next column of the tridiagonal matrix triangular.
struct MinresRotate {
  MinresState* state;

  SETKA_HD void operator()(std::int64_t) const {
    // A pivot that is so small a part of its column is rounding, and nothing beyond the directions so far.
    constexpr double rounding = 1e-14;
    MinresState& s = *state;
    if (s.ending != MinresState::under_way) return;
    const double product = s.next_product;
    const double delta = s.curvature / (s.gamma * s.gamma);
    if (!(product - product == 0) || !(delta - delta == 0)) {
      s.ending = MinresState::not_a_number;
      return;
    }
    if (product < -rounding * s.gamma * s.gamma) {
      s.ending = MinresState::not_positive_definite;
      return;
    }
    const double next_gamma = product > 0 ? sqrt(product) : 0.0;
    const double above = s.c * delta - s.previous_c * s.s * s.gamma;
    const double pivot = sqrt(above * above + next_gamma * next_gamma);
    if (!(pivot > rounding * (fabs(delta) + s.gamma))) {
      s.ending = MinresState::breakdown;
      return;
    }
    s.of_z = 1 / (s.gamma * pivot);
    s.of_w = (s.s * delta + s.previous_c * s.c * s.gamma) / pivot;
    s.of_previous_w = s.previous_s * s.gamma / pivot;
    s.previous_c = s.c;
    s.previous_s = s.s;
    s.c = above / pivot;
    s.s = next_gamma / pivot;
    s.of_x = s.c * s.eta;
    s.eta = -s.s * s.eta;
    s.of_r = s.s * s.s;
    s.of_v = next_gamma > 0 ? s.eta * s.c / next_gamma : 0.0;
    s.previous_gamma = s.gamma;
    s.gamma = next_gamma;
  }
};

/// w- = (z - alpha3 w- - alpha2 w) / alpha1, x and r with it, and (r, r) as the sum. The recurrence of r
/// costs a vector, and tells its norm whatever the preconditioner is.
struct MinresStep {
  using Value = double;
  const MinresState* state;
  exec::View<const double> z;
  exec::View<const double> w;
  exec::View<double> previous_w;
  exec::View<const double> next_v;
  exec::View<double> x;
  exec::View<double> r;

  SETKA_HD static double identity() { return 0; }
  SETKA_HD static double combine(double a, double b) { return a + b; }
  SETKA_HD double operator()(std::int64_t i) const {
    double left = r[i];
    if (state->ending == MinresState::under_way) {
      const double direction = state->of_z * z[i] - state->of_w * w[i] - state->of_previous_w * previous_w[i];
      previous_w[i] = direction;
      x[i] = x[i] + state->of_x * direction;
      left = state->of_r * left + state->of_v * next_v[i];
      r[i] = left;
    }
    return left * left;
  }
};

struct MinresJudge {
  MinresState* state;
  double* history;

  SETKA_HD void operator()(std::int64_t) const {
    MinresState& s = *state;
    if (s.ending != MinresState::under_way) return;
    s.iterations += 1;
    history[static_cast<std::int64_t>(s.iterations)] = s.residual;
    if (!(s.residual - s.residual == 0)) {
      s.ending = MinresState::not_a_number;
    } else if (s.residual <= s.target) {
      s.ending = MinresState::converged;
    } else if (!(s.gamma > 0)) {
      s.ending = MinresState::breakdown;
    }
  }
};

}  // namespace setka::solve::kernel
