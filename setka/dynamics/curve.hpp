// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

namespace setka::dynamics {

/// A factor over time: straight pieces between points (time, value), constant outside them. Two points at one
/// time are a jump. Without points it is 1.
class Curve {
 public:
  Curve() = default;
  /// points: their times do not fall; shift is added to all of them.
  explicit Curve(std::vector<std::array<double, 2>> points, double shift = 0);

  /// Just before and just after a time; the same but at jumps.
  double before(double time) const;
  double after(double time) const;

  /// The next time after this one at which it bends or jumps; infinity where there is none.
  double next_bend(double time) const;

  const std::vector<std::array<double, 2>>& points() const { return points_; }

 private:
  std::vector<std::array<double, 2>> points_;
};

/// A curve of acceleration with the velocity and the position that it leads to from rest at a time, exactly.
class IntegratedCurve {
 public:
  IntegratedCurve(Curve acceleration, double rest_at);

  const Curve& acceleration() const { return acceleration_; }
  /// Before rest_at both are zero.
  double velocity(double time) const;
  double position(double time) const;

 private:
  /// Where the acceleration is a straight line from, up to the next one.
  struct Knot {
    double time;
    double velocity;
    double position;
  };
  const Knot* before(double time) const;

  Curve acceleration_;
  std::vector<Knot> knots_;
};

}  // namespace setka::dynamics
