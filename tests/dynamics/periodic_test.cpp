// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/periodic.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace {

using setka::dynamics::fourier_coefficients;
using setka::dynamics::frequency_points;
using Curve = std::vector<std::array<double, 2>>;

TEST(FrequencyPoints, EvenOnesWithoutNaturalFrequencies) {
  EXPECT_EQ(frequency_points(1, 3, {}, 5, 1), (std::vector<double>{1, 1.5, 2, 2.5, 3}));
  EXPECT_EQ(frequency_points(2, 2, {}, 5, 1), (std::vector<double>{2}));
}

TEST(FrequencyPoints, CrowdAboutNaturalFrequencies) {
  // The points of CalculiX's beamdy8.
  const std::vector<double> natural{13096.03, 19319.52};
  const std::vector<double> found = frequency_points(12000, 14000, natural, 5, 3);
  const std::vector<double> expected{12000,    12113.06, 12548.02, 12982.98, 13096.03,
                                     13189.28, 13548.02, 13906.76, 14000};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 0.01) << i;
}

TEST(FourierCoefficients, OfATriangle) {
  // |t| on [-1, 1]: 1/2 - 4/pi^2 (cos pi t + cos 3 pi t / 9 + ...), here from 0 to 2
  const auto c = fourier_coefficients(Curve{{0, 0}, {1, 1}, {2, 0}}, 0, 2, 3);
  const double pi2 = std::numbers::pi * std::numbers::pi;
  EXPECT_NEAR(std::abs(c[0] - 0.5), 0, 1e-15);
  EXPECT_NEAR(std::abs(c[1] - (-4 / pi2)), 0, 1e-15);
  EXPECT_NEAR(std::abs(c[2]), 0, 1e-15);
  EXPECT_NEAR(std::abs(c[3] - (-4 / (9 * pi2))), 0, 1e-15);
}

TEST(FourierCoefficients, OfAConstantAndOfACurveBeyondThePeriod) {
  const auto constant = fourier_coefficients(Curve{{5, 2}}, 0, 1, 2);
  EXPECT_NEAR(std::abs(constant[0] - 2.0), 0, 1e-15);
  EXPECT_NEAR(std::abs(constant[1]), 0, 1e-15);
  // t on [0, 1] of a curve that goes on: 1/2 - sum of sin(2 pi k t) / (pi k)
  const auto saw = fourier_coefficients(Curve{{-3, -3}, {8, 8}}, 0, 1, 2);
  EXPECT_NEAR(saw[0].real(), 0.5, 1e-14);
  EXPECT_NEAR(saw[2].imag(), 1 / (2 * std::numbers::pi), 1e-14);
  EXPECT_THROW(fourier_coefficients(Curve{}, 0, 1, 2), setka::Error);
  EXPECT_THROW(fourier_coefficients(Curve{{0, 1}}, 1, 1, 2), setka::Error);
}

}  // namespace
