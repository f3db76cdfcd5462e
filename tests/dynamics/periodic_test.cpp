// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/periodic.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace {

using setka::dynamics::fourier_coefficients;
using setka::dynamics::frequency_points;

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

TEST(FourierCoefficients, GoThroughTheSamples) {
  for (const std::size_t n : {1, 2, 5, 8}) {
    std::vector<double> samples;
    for (std::size_t l = 0; l < n; ++l) samples.push_back(std::cos(static_cast<double>(l * l)) + 0.3);
    const auto c = fourier_coefficients(samples);
    ASSERT_EQ(c.size(), n / 2 + 1);
    for (std::size_t l = 0; l < n; ++l) {
      double sum = 0;
      for (std::size_t k = 0; k < c.size(); ++k) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(k * l) / static_cast<double>(n);
        sum += (c[k] * std::polar(1.0, angle)).real();
      }
      EXPECT_NEAR(sum, samples[l], 1e-14) << n << ' ' << l;
    }
  }
}

TEST(FourierCoefficients, OfASineAndNone) {
  std::vector<double> samples(7);
  for (int l = 0; l < 7; ++l)
    samples[static_cast<std::size_t>(l)] = std::sin(2 * std::numbers::pi * 2 * l / 7);
  const auto c = fourier_coefficients(samples);
  EXPECT_NEAR(std::abs(c[2] - std::complex<double>(0, -1)), 0, 1e-15);
  EXPECT_NEAR(std::abs(c[0]) + std::abs(c[1]) + std::abs(c[3]), 0, 1e-15);
  EXPECT_THROW(fourier_coefficients({}), setka::Error);
}

}  // namespace
