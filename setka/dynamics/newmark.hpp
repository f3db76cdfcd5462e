// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka::dynamics {

/// Newmark's method in time with forces of two times,
/// M a1 + (1 + alpha) (C v1 + K u1 - f1) - alpha (C v0 + K u0 - f0) = 0.
struct Newmark {
  double alpha = 0;    // 0: forces of the end alone
  double beta = 0.25;  // of the accelerations in u1; the paper's alpha
  double gamma = 0.5;  // of the accelerations in v1; the paper's delta
  double step = 0;     // length

  /// The scheme of Hilber, Hughes and Taylor (1977). Of second order, stable for steps of any length; the
  /// lower alpha, -1/3 to 0, the more it damps what the steps are too long for.
  static Newmark hilber_hughes_taylor(double alpha, double step) {
    return {alpha, (1 - alpha) * (1 - alpha) / 4, 0.5 - alpha, step};
  }
  /// The trapezoidal rule: alpha 0 of the above. Linear bodies keep their energy.
  static Newmark average_acceleration(double step) { return {0, 0.25, 0.5, step}; }

  /// Whether linear motions stay bounded for steps of any length.
  bool stable() const {
    return alpha <= 0 && alpha >= -1.0 / 3 && gamma >= 0.5 - alpha - 1e-12 &&
           beta >= (0.5 + gamma) * (0.5 + gamma) / 4 - 1e-12;
  }

  // The matrix of the unknown accelerations is M + of_damping C + of_stiffness K.
  double of_damping() const { return (1 + alpha) * gamma * step; }
  double of_stiffness() const { return (1 + alpha) * beta * step * step; }

  // What the step would end with, but for the new acceleration.
  double predicted_position(double u, double v, double a) const {
    return u + step * v + step * step * (0.5 - beta) * a;
  }
  double predicted_velocity(double v, double a) const { return v + step * (1 - gamma) * a; }

  // With it.
  double position(double predicted, double a) const { return predicted + beta * step * step * a; }
  double velocity(double predicted, double a) const { return predicted + gamma * step * a; }
  /// The acceleration of what ends at a given place.
  double acceleration(double predicted, double position) const {
    return (position - predicted) / (beta * step * step);
  }

  /// How far u1 is from where a Taylor series would have ended, for a change of the acceleration: of third
  /// order in the step (Zienkiewicz and Xie 1991).
  double local_error(double change) const { return (beta - 1.0 / 6) * step * step * change; }
};

}  // namespace setka::dynamics
