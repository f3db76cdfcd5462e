// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/record_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/dynamics/superposition.hpp"

namespace setka::dynamics {
namespace {

constexpr int steps_of_period = 32;

/// The largest |q| within a step, of the cubic through positions and velocities at its ends.
double peak_within(const Motion& a, const Motion& b, double h) {
  double peak = std::max(std::abs(a.position), std::abs(b.position));
  if (a.velocity * b.velocity >= 0) return peak;
  // q = p0 + p1 s + p2 s² + p3 s³ over s from 0 to 1; its derivative changes its sign once in there.
  const double p1 = a.velocity * h;
  const double p2 = 3 * (b.position - a.position) - h * (2 * a.velocity + b.velocity);
  const double p3 = 2 * (a.position - b.position) + h * (a.velocity + b.velocity);
  const double root = std::sqrt(std::max(p2 * p2 - 3 * p1 * p3, 0.0));
  const double sum = -(p2 + std::copysign(root, p2));
  for (const double s : {sum / (3 * p3), p1 / sum}) {
    if (s > 0 && s < 1) peak = std::max(peak, std::abs(a.position + s * (p1 + s * (p2 + s * p3))));
  }
  return peak;
}

}  // namespace

SpectralValues spectral_values(std::span<const double> acceleration, double step, double frequency,
                               double damping) {
  require(step > 0 && frequency > 0 && damping >= 0 && damping < 1, [&] {
    return fmt::format("a spectrum of a record of step {} at frequency {} and damping {}", step, frequency,
                       damping);
  });
  const double w = 2 * std::numbers::pi * frequency;
  const Oscillator oscillator = damped_by_ratio(w * w, damping);
  const auto parts = static_cast<std::int64_t>(std::ceil(step * frequency * steps_of_period));
  const double h = step / static_cast<double>(parts);
  const OscillatorStep advance(oscillator, h);
  Motion motion;
  double peak = 0;
  const auto go = [&](const OscillatorStep& by, double length, double before, double after) {
    const Motion next = by.advance(motion, -before, -after);
    peak = std::max(peak, peak_within(motion, next, length));
    motion = next;
  };
  for (std::size_t i = 1; i < acceleration.size(); ++i) {
    const double slope = (acceleration[i] - acceleration[i - 1]) / static_cast<double>(parts);
    for (std::int64_t k = 0; k < parts; ++k) {
      go(advance, h, acceleration[i - 1] + slope * static_cast<double>(k),
         acceleration[i - 1] + slope * static_cast<double>(k + 1));
    }
  }
  const double free_length = 1 / (frequency * steps_of_period);
  const OscillatorStep free(oscillator, free_length);
  for (int k = 0; k < steps_of_period; ++k) go(free, free_length, 0, 0);
  return {peak, w * peak, w * w * peak};
}

std::vector<SpectralValues> record_spectrum(std::span<const double> acceleration, double step,
                                            std::span<const double> frequencies,
                                            std::span<const double> dampings, int threads) {
  for (const double frequency : frequencies) {
    require(step * frequency <= most_periods_of_step, [&] {
      return fmt::format("a spectrum at frequency {} of a record of step {}: more than {} periods a step",
                         frequency, step, most_periods_of_step);
    });
  }
  std::vector<SpectralValues> values(frequencies.size() * dampings.size());
  // High frequencies take many more steps than low ones: shares of a fixed size would not be equal.
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (values.size() > 1)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (interrupted()) continue;
    values[i] = spectral_values(acceleration, step, frequencies[i % frequencies.size()],
                                dampings[i / frequencies.size()]);
  }
  throw_if_interrupted();
  return values;
}

std::vector<double> logarithmic_range(double from, double to, int count) {
  require(from > 0 && to > 0 && count > 0,
          [&] { return fmt::format("{} values from {} to {}", count, from, to); });
  std::vector<double> values(static_cast<std::size_t>(count), from);
  for (std::size_t i = 1; i < values.size(); ++i)
    values[i] = from * std::pow(to / from, static_cast<double>(i) / static_cast<double>(count - 1));
  if (count > 1) values.back() = to;
  return values;
}

}  // namespace setka::dynamics
