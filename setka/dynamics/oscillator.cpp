// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/oscillator.hpp"

#include <cmath>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {
namespace {

/// (exp(r h) - 1) / r and ((exp(r h) - 1) / r - h) / r, without loss of digits where r h is small.
struct Integrals {
  double once;
  double twice;
};

Integrals integrals_of_exponential(double r, double h) {
  const double x = r * h;
  if (std::abs(x) > 0.5) {
    const double once = std::expm1(x) / r;
    return {once, (once - h) / r};
  }
  double once = 0;
  double twice = 0;
  double term = h;  // h x^k / (k + 1)!
  for (int k = 0; k < 20; ++k) {
    once += term;
    twice += term * h / (k + 2);
    term *= x / (k + 2);
  }
  return {once, twice};
}

constexpr double short_step = 0.5;  // in units of the oscillator's own times: a power series is exact below
constexpr int series_terms = 24;    // 0.5^24 / 24! is far below rounding

}  // namespace

OscillatorStep::OscillatorStep(Oscillator oscillator, double length)
    : length_(length), stiffness_(oscillator.stiffness) {
  require(length > 0, [&] { return fmt::format("a time step of {} is not positive", length); });
  const double h = length;
  const double lambda = oscillator.stiffness;
  const double c = oscillator.damping;
  const double delta = c / 2;
  const double discriminant = delta * delta - lambda;

  if (std::abs(c) * h <= short_step && std::abs(lambda) * h * h <= short_step * short_step) {
    // s = sum of a_k h^k from s'' = -c s' - lambda s; its integrals term by term.
    double a = 1;       // a_k h^k, begins with k = 1
    double before = 0;  // a_(k-1) h^(k-1)
    a *= h;
    double s = 0;
    double ds = 0;
    double once = 0;
    double twice = 0;
    for (int k = 1; k <= series_terms; ++k) {
      s += a;
      ds += k * a / h;
      once += a * h / (k + 1);
      twice += a * h * h / ((k + 1) * (k + 2));
      const double next = -(c * h * k * a + lambda * h * h * before) / (k * (k + 1));
      before = a;
      a = next;
    }
    by_velocity_ = s;
    velocity_by_velocity_ = ds;
    by_load_ = once;
    by_slope_ = twice;
  } else if (discriminant > delta * delta / 4) {
    // Heavy damping, or no stiffness: two real roots far from each other.
    const double w = std::sqrt(discriminant);
    // The product of the roots is lambda: the small one without the difference of two large numbers.
    const double r2 = c >= 0 ? -delta - w : -delta + w;
    const double r1 = lambda / r2;
    const double apart = r1 - r2;
    const Integrals first = integrals_of_exponential(r1, h);
    const Integrals second = integrals_of_exponential(r2, h);
    by_velocity_ = (std::exp(r1 * h) - std::exp(r2 * h)) / apart;
    velocity_by_velocity_ = (r1 * std::exp(r1 * h) - r2 * std::exp(r2 * h)) / apart;
    by_load_ = (first.once - second.once) / apart;
    by_slope_ = (first.twice - second.twice) / apart;
  } else {
    // Light damping, or about critical: lambda h^2 is not small here, so that dividing by it is safe.
    const double w = std::sqrt(std::abs(discriminant));
    const double x = w * h;
    double cosine;
    double sine;  // divided by w
    if (discriminant < 0) {
      cosine = std::cos(x);
      sine = x < 1e-4 ? h * (1 - x * x / 6) : std::sin(x) / w;
    } else {
      cosine = std::cosh(x);
      sine = x < 1e-4 ? h * (1 + x * x / 6) : std::sinh(x) / w;
    }
    const double decay = std::exp(-delta * h);
    by_velocity_ = decay * sine;
    velocity_by_velocity_ = decay * (cosine - delta * sine);
    by_load_ = (1 - velocity_by_velocity_ - c * by_velocity_) / lambda;
    by_slope_ = (h - by_velocity_ - c * by_load_) / lambda;
  }
  by_position_ = 1 - lambda * by_load_;
}

std::complex<double> harmonic_response(Oscillator oscillator, double loss, double angular_frequency,
                                       std::complex<double> load) {
  const double w = angular_frequency;
  return load / std::complex<double>(oscillator.stiffness - w * w,
                                     oscillator.damping * w + loss * oscillator.stiffness);
}

}  // namespace setka::dynamics
