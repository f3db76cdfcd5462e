// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace setka::dynamics {

/// A response spectrum as codes and reports give it: curves over frequency for a few ratios of damping.
/// Between points values are straight lines over the logarithms of frequency and value (of frequency alone
/// where a value is zero), between curves straight lines over the damping; outside they are those of the
/// nearest point.
class DesignSpectrum {
 public:
  struct Point {
    double frequency;  // cycles per time, positive
    double damping;    // ratio of critical
    double value;
  };

  /// points: ordered by damping, then by frequency; at least one.
  explicit DesignSpectrum(std::span<const Point> points);

  double value(double frequency, double damping) const;

  /// The highest frequency of the curve whose damping is nearest: beyond it a structure counts as rigid.
  double rigid_frequency(double damping) const;

 private:
  struct Sample {
    double log_frequency;
    double value;
  };
  struct Level {
    double damping;
    std::vector<Sample> points;
    double at(double log_frequency) const;
  };
  std::vector<Level> levels_;
};

}  // namespace setka::dynamics
