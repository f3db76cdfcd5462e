// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace setka::dynamics {

/// The largest answers of an oscillator whose base moves; the latter two from the first, by w and w².
struct SpectralValues {
  double displacement = 0;  // relative to the base
  double pseudo_velocity = 0;
  double pseudo_acceleration = 0;
};

/// acceleration: of the base, at equal steps, a straight line between them, then none; step: positive, in
/// time. frequency: cycles per time, positive; damping: ratio of critical, below 1. The motion is exact at
/// the ends of steps of at most 1/32 of a period, and its peaks within them are off by 1e-5 of themselves at
/// most. The free motion after the record counts.
SpectralValues spectral_values(std::span<const double> acceleration, double step, double frequency,
                               double damping);

/// Of motions that a record could still tell something about; also what bounds the work.
inline constexpr double most_periods_of_step = 1000;

/// For all pairs: [dampings, frequencies], by all threads. A step has at most `most_periods_of_step` periods.
std::vector<SpectralValues> record_spectrum(std::span<const double> acceleration, double step,
                                            std::span<const double> frequencies,
                                            std::span<const double> dampings, int threads);

/// count values from one to another, both included, equally spaced in their logarithms.
std::vector<double> logarithmic_range(double from, double to, int count);

}  // namespace setka::dynamics
