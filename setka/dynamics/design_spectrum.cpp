// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/design_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "setka/base/error.hpp"

namespace setka::dynamics {

DesignSpectrum::DesignSpectrum(std::span<const Point> points) {
  require(!points.empty(), "a spectrum without points");
  for (const Point& point : points) {
    require(point.frequency > 0, "a spectrum at a frequency that is not positive");
    if (levels_.empty() || levels_.back().damping != point.damping) {
      require(levels_.empty() || levels_.back().damping < point.damping,
              "a spectrum whose dampings are not in order");
      levels_.push_back({point.damping, {}});
    }
    auto& level = levels_.back().points;
    const double at = std::log(point.frequency);
    require(level.empty() || level.back().log_frequency < at,
            "a spectrum whose frequencies are not in order");
    level.push_back({at, point.value});
  }
}

double DesignSpectrum::Level::at(double log_frequency) const {
  const auto next = std::upper_bound(points.begin(), points.end(), log_frequency,
                                     [](double f, const Sample& point) { return f < point.log_frequency; });
  if (next == points.begin()) return points.front().value;
  if (next == points.end()) return points.back().value;
  const Sample& a = *std::prev(next);
  const Sample& b = *next;
  const double part = (log_frequency - a.log_frequency) / (b.log_frequency - a.log_frequency);
  if (!(a.value > 0 && b.value > 0)) return a.value + part * (b.value - a.value);
  return a.value * std::pow(b.value / a.value, part);
}

double DesignSpectrum::value(double frequency, double damping) const {
  const double at = std::log(frequency);
  const auto next = std::upper_bound(levels_.begin(), levels_.end(), damping,
                                     [](double d, const Level& level) { return d < level.damping; });
  if (next == levels_.begin()) return levels_.front().at(at);
  if (next == levels_.end()) return levels_.back().at(at);
  const Level& a = *std::prev(next);
  const double part = (damping - a.damping) / (next->damping - a.damping);
  return (1 - part) * a.at(at) + part * next->at(at);
}

double DesignSpectrum::rigid_frequency(double damping) const {
  const auto nearest = std::ranges::min_element(
      levels_, {}, [&](const Level& level) { return std::abs(level.damping - damping); });
  return std::exp(nearest->points.back().log_frequency);
}

}  // namespace setka::dynamics
