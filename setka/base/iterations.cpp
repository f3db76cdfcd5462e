// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/iterations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace setka {
namespace {

constexpr std::int64_t whole = 10'000;  // fine enough for the time left of hours

}  // namespace

Iterations::Iterations(Monitor& monitor, std::string name, std::string unit)
    : stage_(monitor.stage(std::move(name), whole, "%")), unit_(std::move(unit)) {}

void Iterations::advance(std::string_view what, double residual, double target, std::int64_t count) {
  count_ += count;
  stage_.note(fmt::format("{} {:.1e}, {} {}", what, residual, count_, unit_));
  // Where a residual rises again, the bar waits for it.
  const auto reached = static_cast<std::int64_t>(share(residual, target) * static_cast<double>(whole));
  const std::int64_t more = std::max<std::int64_t>(0, reached - told_);
  told_ += more;
  stage_.advance(more);
}

void Iterations::advance() {
  ++count_;
  stage_.advance(0);
}

double Iterations::share(double residual, double target) {
  if (!(residual > 0 && target > 0) || !std::isfinite(residual)) return 0;
  if (residual > highest_) highest_ = lowest_ = residual;
  lowest_ = std::min(lowest_, residual);
  if (highest_ <= target) return 0;
  return std::min(1.0, std::log(highest_ / lowest_) / std::log(highest_ / target));
}

}  // namespace setka
