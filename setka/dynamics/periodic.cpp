// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {
namespace {

/// The curve within [first, last], with points at both.
std::vector<std::array<double, 2>> cut(std::span<const std::array<double, 2>> curve, double first,
                                       double last) {
  const auto value = [&](double t) {
    if (t <= curve.front()[0]) return curve.front()[1];
    for (std::size_t i = 1; i < curve.size(); ++i) {
      if (t > curve[i][0]) continue;
      const double length = curve[i][0] - curve[i - 1][0];
      return length > 0 ? curve[i - 1][1] + (curve[i][1] - curve[i - 1][1]) * (t - curve[i - 1][0]) / length
                        : curve[i][1];
    }
    return curve.back()[1];
  };
  std::vector<std::array<double, 2>> inside{{first, value(first)}};
  for (const auto& point : curve) {
    if (point[0] > first && point[0] < last) inside.push_back(point);
  }
  inside.push_back({last, value(last)});
  return inside;
}

}  // namespace

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

std::vector<std::complex<double>> fourier_coefficients(std::span<const std::array<double, 2>> curve,
                                                       double first, double last, int terms) {
  require(!curve.empty() && last > first && terms >= 0, [&] {
    return fmt::format("a Fourier series of {} terms of {} points over [{}, {}]", terms, curve.size(), first,
                       last);
  });
  using namespace std::complex_literals;
  const std::vector<std::array<double, 2>> pieces = cut(curve, first, last);
  const double period = last - first;
  std::vector<std::complex<double>> c(static_cast<std::size_t>(terms) + 1);
  for (int k = 0; k <= terms; ++k) {
    std::complex<double> sum = 0;
    const double w = 2 * std::numbers::pi * k / period;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      const double t0 = pieces[i - 1][0] - first;
      const double t1 = pieces[i][0] - first;
      const double h = t1 - t0;
      if (!(h > 0)) continue;
      const double f0 = pieces[i - 1][1];
      const double f1 = pieces[i][1];
      if (k == 0) {
        sum += h * (f0 + f1) / 2;
        continue;
      }
      // By parts: [f exp(-iwt) / (-iw)] + slope [exp(-iwt) / w^2]
      const std::complex<double> e0 = std::exp(-1i * (w * t0));
      const std::complex<double> e1 = std::exp(-1i * (w * t1));
      sum += (f1 * e1 - f0 * e0) * (1i / w) + (f1 - f0) / h * (e1 - e0) / (w * w);
    }
    c[static_cast<std::size_t>(k)] = sum * ((k == 0 ? 1 : 2) / period);
  }
  return c;
}

}  // namespace setka::dynamics
