// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/step_control.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {
namespace {

constexpr double easy_part = 0.1;  // of the tolerance; 1/8 would be on the edge
constexpr int easy_steps = 3;      // before the length is doubled: errors swing with the motion
constexpr double hardly = 1e-6;

}  // namespace

StepControl::StepControl(double first, double least, double most, double tolerance)
    : length_(std::min(first, most)), least_(least), most_(most), tolerance_(tolerance) {
  require(least > 0 && first >= least && most >= least && tolerance > 0, [&] {
    return fmt::format("StepControl: the first step {}, the least {}, the longest {}, a tolerance of {}",
                       first, least, most, tolerance);
  });
}

double StepControl::length(double left) const {
  if (left <= length_ * (1 + hardly)) return left;
  return left < 2 * length_ * (1 - hardly) ? left / 2 : length_;
}

bool StepControl::judge(double error) {
  if (!(error <= tolerance_)) {
    easy_ = 0;
    if (length_ / 2 >= least_) {
      length_ /= 2;
      return false;
    }
    ++kept_;
    return true;
  }
  easy_ = error <= easy_part * tolerance_ ? easy_ + 1 : 0;
  if (easy_ >= easy_steps && 2 * length_ <= most_) {
    length_ *= 2;
    easy_ = 0;
  }
  return true;
}

}  // namespace setka::dynamics
