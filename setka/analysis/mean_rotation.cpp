// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/mean_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace setka::analysis {

std::vector<double> mean_rotation(std::span<const double> x, std::array<double, 3> a) {
  const std::size_t points = x.size() / 3;
  const auto count = static_cast<double>(points);
  const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  if (length == 0) return {};
  for (double& component : a) component /= length;
  std::array<double, 3> center{};
  for (std::size_t i = 0; i < x.size(); ++i) center[i % 3] += x[i] / count;

  std::vector<double> turn(x.size(), 0.0);  // of each point by its own displacement
  std::array<double, 3> mean{};
  double farthest = 0;
  for (std::size_t p = 0; p < points; ++p) {
    std::array<double, 3> b{};
    double along = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      b[k] = x[3 * p + k] - center[k];
      along += b[k] * a[k];
    }
    for (std::size_t k = 0; k < 3; ++k) b[k] -= along * a[k];
    const double square = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    farthest = std::max(farthest, square);
    if (square == 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const std::size_t m = (k + 2) % 3;
      turn[3 * p + k] = (a[l] * b[m] - a[m] * b[l]) / square / count;
      mean[k] += turn[3 * p + k] / count;
    }
  }
  if (farthest == 0) return {};
  for (std::size_t i = 0; i < turn.size(); ++i) turn[i] -= mean[i % 3];
  return turn;
}

}  // namespace setka::analysis
