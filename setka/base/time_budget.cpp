// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/time_budget.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace setka {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

TimeBudget::TimeBudget(double seconds, std::int64_t pieces) : TimeBudget(seconds, pieces, now) {}

TimeBudget::TimeBudget(double seconds, std::int64_t pieces, Clock clock)
    : seconds_(seconds),
      pieces_(std::max<std::int64_t>(pieces, 1)),
      clock_(std::move(clock)),
      began_(clock_()) {}

double TimeBudget::left() const {
  return std::max(0.0, seconds_ - spent());
}

double TimeBudget::share() const {
  return left() / static_cast<double>(pieces_);
}

double TimeBudget::limit() const {
  constexpr double shares = 3;
  return std::min(left(), shares * share());
}

}  // namespace setka
