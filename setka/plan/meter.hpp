// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
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

/// The median of some batches of calls, each long enough to be measured.
struct Batches {
  double seconds = 1e-3;
  std::size_t most = 5;
};

/// Seconds of one of many calls in a row. The work gets the number of the call. max_seconds: of all calls
/// together, but for the first two, one to warm up and one to measure.
double seconds_of_one(const exec::Device& device, const std::function<void(std::int64_t)>& work,
                      const Batches& batches = {}, double max_seconds = no_limit);

/// Keeps a GPU busy for a moment: one that has rested, or done nothing but copy, takes a fourth longer to
/// launch. Nothing on a CPU.
void wake(const exec::Device& device);

/// Measures the points of curves, each within its share of a time.
class Meter {
 public:
  Meter(exec::Device device, const Batches& batches, TimeBudget budget)
      : device_(std::move(device)), batches_(batches), budget_(std::move(budget)) {}

  const exec::Device& device() const { return device_; }

  double seconds(const std::function<void(std::int64_t)>& work);

  /// One more point, of a larger size than those before. It is left out where the curve has a few points and
  /// says that this one would take longer than there is time for: beyond its last point a curve goes on.
  void point(Curve& curve, double size, const std::function<void(std::int64_t)>& work);

  std::int64_t left_out() const { return left_out_; }

 private:
  exec::Device device_;
  Batches batches_;
  TimeBudget budget_;
  std::int64_t left_out_ = 0;
};

}  // namespace setka::plan
