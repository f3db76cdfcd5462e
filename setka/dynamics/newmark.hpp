// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka::dynamics {

/// The scheme of Hilber, Hughes and Taylor (1977): Newmark's method with forces of two times,
/// M a1 + (1 + alpha) (C v1 + K u1 - f1) - alpha (C v0 + K u0 - f0) = 0. Of second order, stable for steps of
/// any length; the lower alpha, -1/3 to 0, the more it damps what the steps are too long for.
struct Newmark {
  double alpha = -0.05;
  double step = 0;  // length

  double beta() const { return (1 - alpha) * (1 - alpha) / 4; }
  double gamma() const { return 0.5 - alpha; }

  // The matrix of the unknown accelerations is M + of_damping C + of_stiffness K.
  double of_damping() const { return (1 + alpha) * gamma() * step; }
  double of_stiffness() const { return (1 + alpha) * beta() * step * step; }

  // What the step would end with, but for the new acceleration.
  double predicted_position(double u, double v, double a) const {
    return u + step * v + step * step * (0.5 - beta()) * a;
  }
  double predicted_velocity(double v, double a) const { return v + step * (1 - gamma()) * a; }

  // With it.
  double position(double predicted, double a) const { return predicted + beta() * step * step * a; }
  double velocity(double predicted, double a) const { return predicted + gamma() * step * a; }
  /// The acceleration of what ends at a given place.
  double acceleration(double predicted, double position) const {
    return (position - predicted) / (beta() * step * step);
  }
};

}  // namespace setka::dynamics
