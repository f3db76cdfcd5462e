// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace setka::dynamics {

/// Frequencies at which to look at a response: the two limits, the natural frequencies between them, and
/// points between each two of these, so that each interval has `points` with its ends. bias: 1 is evenly
/// spaced; with more they crowd towards the ends, like the bias-th root.
std::vector<double> frequency_points(double least, double most, std::span<const double> natural, int points,
                                     double bias);

/// Coefficients c_0 .. c_(n/2) of the trigonometric polynomial Re sum of c_k exp(2 pi i k t) that goes
/// through n samples at t = 0, 1/n, 2/n, ...
std::vector<std::complex<double>> fourier_coefficients(std::span<const double> samples);

}  // namespace setka::dynamics
