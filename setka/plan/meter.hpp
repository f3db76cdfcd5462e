// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "setka/base/time_budget.hpp"
#include "setka/exec/device.hpp"
#include "setka/plan/profile.hpp"

namespace setka::plan {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Seconds of one of many calls in a row: the median of up to five batches, each long enough to be measured.
/// The work gets the number of the call. most_seconds: of all calls together, but for the first two, one to
/// warm up and one to measure.
double seconds_of_one(const exec::Device& device, const std::function<void(std::int64_t)>& work,
                      double batch_seconds = 1e-3, double most_seconds = no_limit);

/// Measures the points of curves, each within its share of a time.
class Meter {
 public:
  Meter(exec::Device device, double batch_seconds, TimeBudget budget)
      : device_(std::move(device)), batch_seconds_(batch_seconds), budget_(std::move(budget)) {}

  const exec::Device& device() const { return device_; }

  double seconds(const std::function<void(std::int64_t)>& work);

  /// One more point, of a larger size than those before. It is left out where the curve has a few points and
  /// says that this one would take longer than there is time for: beyond its last point a curve goes on.
  void point(Curve& curve, double size, const std::function<void(std::int64_t)>& work);

  std::int64_t left_out() const { return left_out_; }

 private:
  exec::Device device_;
  double batch_seconds_;
  TimeBudget budget_;
  std::int64_t left_out_ = 0;
};

}  // namespace setka::plan
