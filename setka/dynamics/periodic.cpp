// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {
std::vector<double> frequency_points(double least, double most, std::span<const double> natural, int points,
                                     double bias) {
  require(points >= 2 && bias >= 1,
          [&] { return fmt::format("{} points with bias {}; at least 2 and 1 are needed", points, bias); });
  std::vector<double> fixed{least};
  for (const double frequency : natural) {
    if (frequency > least && frequency < most) fixed.push_back(frequency);
  }
  std::sort(fixed.begin(), fixed.end());
  fixed.erase(std::unique(fixed.begin(), fixed.end()), fixed.end());
  if (most > least) fixed.push_back(most);
  std::vector<double> all{least};
  for (std::size_t i = 1; i < fixed.size(); ++i) {
    for (int k = 1; k + 1 < points; ++k) {
      const double even = 2.0 * k / (points - 1) - 1;  // -1 .. 1
      const double place = std::copysign(std::pow(std::abs(even), 1 / bias), even);
      all.push_back((fixed[i - 1] * (1 - place) + fixed[i] * (1 + place)) / 2);
    }
    all.push_back(fixed[i]);
  }
  return all;
}

std::vector<std::complex<double>> fourier_coefficients(std::span<const double> samples) {
  require(!samples.empty(), [] { return std::string("a Fourier series of no samples"); });
  const std::size_t n = samples.size();
  std::vector<std::complex<double>> c(n / 2 + 1);
  for (std::size_t k = 0; k < c.size(); ++k) {
    std::complex<double> sum = 0;
    for (std::size_t l = 0; l < n; ++l) {
      const auto turns = static_cast<double>(k * l % n) / static_cast<double>(n);
      sum += samples[l] * std::polar(1.0, -2 * std::numbers::pi * turns);
    }
    c[k] = sum * ((k == 0 || 2 * k == n ? 1 : 2) / static_cast<double>(n));
  }
  return c;
}

}  // namespace setka::dynamics
