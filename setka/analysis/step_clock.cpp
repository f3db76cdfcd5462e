// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/step_clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "setka/analysis/increments.hpp"

namespace setka::analysis {
namespace {

constexpr double longer = 1.5;      // the increment after two that went well
constexpr double not_worth = 1e-6;  // of an increment: no increment of its own

}  // namespace

StepClock::StepClock(const model::Model& model, const model::Step& step, const ClockPlan& plan,
                     double start_time, model::Line line)
    : model_(model),
      plan_(plan),
      line_(line),
      points_(time_points_of(model, step, start_time)),
      trial_(std::min(plan.first, plan.most)) {
  const double needed = std::ceil(plan.period / plan.first - not_worth);
  if (plan.direct && needed > plan.most_count) refuse_increments(model_, line_, plan_.most_count, needed);
}

double StepClock::propose() {
  if (count_ >= plan_.most_count) refuse_increments(model_, line_, plan_.most_count, 0);
  ++attempts_;
  // Equal ones by multiplication: a sum would drift.
  end_ = plan_.direct && points_.empty() ? (count_ + 1) * trial_ : time_ + trial_;
  if (plan_.period - end_ <= not_worth * trial_) end_ = plan_.period;
  next_point_ = 0;
  const double slack = not_worth * (end_ - time_);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i] <= time_ + slack || points_[i] > end_ + slack) continue;
    next_point_ = static_cast<int>(i) + 1;
    end_ = std::min(end_, points_[i]);
    break;
  }
  return end_;
}

void StepClock::accept() {
  time_ = end_;
  time_point_ = next_point_;
  ++count_;
  went_well_ = attempts_ == 1 ? went_well_ + 1 : 1;
  attempts_ = 0;
  if (went_well_ >= 2 && !plan_.direct) trial_ = std::min(longer * trial_, plan_.most);
}

bool StepClock::shorten(double part) {
  const double shorter = part * (end_ - time_);
  if (plan_.direct || shorter < plan_.least) return false;
  trial_ = shorter;
  went_well_ = 0;
  return true;
}

}  // namespace setka::analysis
