// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/curve.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {
namespace {

using Point = std::array<double, 2>;

double between(const Point& a, const Point& b, double time) {
  return a[1] + (b[1] - a[1]) * (time - a[0]) / (b[0] - a[0]);
}

}  // namespace

Curve::Curve(std::vector<Point> points, double shift) : points_(std::move(points)) {
  for (Point& point : points_) point[0] += shift;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    require(points_[i][0] >= points_[i - 1][0], [&] {
      return fmt::format("a curve whose time {} follows {}", points_[i][0], points_[i - 1][0]);
    });
  }
}

double Curve::before(double time) const {
  if (points_.empty()) return 1;
  // The first point that is not earlier ends the piece.
  const auto end = std::lower_bound(points_.begin(), points_.end(), time,
                                    [](const Point& point, double t) { return point[0] < t; });
  if (end == points_.end()) return points_.back()[1];
  if (end == points_.begin() || (*end)[0] == time) return (*end)[1];
  return between(*std::prev(end), *end, time);
}

double Curve::after(double time) const {
  if (points_.empty()) return 1;
  const auto end = std::upper_bound(points_.begin(), points_.end(), time,
                                    [](double t, const Point& point) { return t < point[0]; });
  if (end == points_.end()) return points_.back()[1];
  if (end == points_.begin()) return (*end)[1];
  return between(*std::prev(end), *end, time);
}

double Curve::next_bend(double time) const {
  const auto next = std::upper_bound(points_.begin(), points_.end(), time,
                                     [](double t, const Point& point) { return t < point[0]; });
  return next == points_.end() ? std::numeric_limits<double>::infinity() : (*next)[0];
}

IntegratedCurve::IntegratedCurve(Curve acceleration, double rest_at)
    : acceleration_(std::move(acceleration)) {
  knots_.push_back({rest_at, 0, 0});
  for (const Point& point : acceleration_.points()) {
    if (point[0] <= knots_.back().time) continue;
    const double at = point[0];
    const Knot next{at, velocity(at), position(at)};
    knots_.push_back(next);
  }
}

const IntegratedCurve::Knot* IntegratedCurve::before(double time) const {
  const auto next = std::upper_bound(knots_.begin(), knots_.end(), time,
                                     [](double t, const Knot& knot) { return t < knot.time; });
  return next == knots_.begin() ? nullptr : &*std::prev(next);
}

double IntegratedCurve::velocity(double time) const {
  const Knot* knot = before(time);
  if (knot == nullptr) return 0;
  const double h = time - knot->time;
  return knot->velocity + h * (acceleration_.after(knot->time) + acceleration_.before(time)) / 2;
}

double IntegratedCurve::position(double time) const {
  const Knot* knot = before(time);
  if (knot == nullptr) return 0;
  const double h = time - knot->time;
  return knot->position +
         h * (knot->velocity + h * (2 * acceleration_.after(knot->time) + acceleration_.before(time)) / 6);
}

}  // namespace setka::dynamics
