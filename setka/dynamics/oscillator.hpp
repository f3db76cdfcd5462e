// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>

/// Motion of structures in time and under periodic loads, mode by mode.
namespace setka::dynamics {

/// One mode of unit mass: q'' + damping q' + stiffness q = f. The stiffness is the square of the angular
/// frequency; it may be zero (a rigid motion) or negative (beyond buckling).
struct Oscillator {
  double stiffness = 0;
  double damping = 0;  // 2 zeta omega
};

struct Motion {
  double position = 0;
  double velocity = 0;
};

/// The exact motion over a time step in which the load is linear in time: closed forms for light, critical
/// and heavy damping and for frequency zero, so that the length of the step causes no error.
class OscillatorStep {
 public:
  /// length: positive
  OscillatorStep(Oscillator oscillator, double length);

  /// From the beginning of the step to its end; loads at both.
  Motion advance(Motion from, double load_before, double load_after) const {
    const double slope = (load_after - load_before) / length_;
    return {by_position_ * from.position + by_velocity_ * from.velocity + by_load_ * load_before +
                by_slope_ * slope,
            -stiffness_ * by_velocity_ * from.position + velocity_by_velocity_ * from.velocity +
                by_velocity_ * load_before + by_load_ * slope};
  }

 private:
  double length_;
  double stiffness_;
  double by_position_;           // q at the end for q = 1, q' = 0 at the beginning
  double by_velocity_;           // q for q = 0, q' = 1: the answer s(t) to an impulse
  double velocity_by_velocity_;  // q' likewise
  double by_load_;               // q for f = 1: the integral of s
  double by_slope_;              // q for f = t: the integral of that
};

/// The complex q of q exp(i w t) under the load f exp(i w t), w: angular frequency. loss: of structural
/// damping, which resists by i loss stiffness q. Undamped in resonance it is infinite.
std::complex<double> harmonic_response(Oscillator oscillator, double loss, double angular_frequency,
                                       std::complex<double> load);

}  // namespace setka::dynamics
