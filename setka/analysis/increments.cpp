// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/increments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::analysis {
namespace {

constexpr double growth = 1.5;   // of CalculiX
constexpr double hardly = 1e-6;  // of an increment: not worth one of its own

}  // namespace

std::vector<double> time_points_of(const model::Model& model, const model::Step& step, double start_time) {
  std::vector<double> in_step;
  for (const model::OutputRequest& request : step.output) {
    if (request.time_points < 0) continue;
    const model::TimePoints& points = model.time_points[static_cast<std::size_t>(request.time_points)];
    for (const double time : points.times) {
      const double own = points.total_time ? time - start_time : time;
      if (own > 0) in_step.push_back(own);
    }
    break;  // the same for all requests of a step
  }
  return in_step;
}

void refuse_increments(const model::Model& model, model::Line line, int allowed, double needed) {
  const std::string what =
      needed > 0
          ? fmt::format("the step takes {:.0f} increments, but *STEP allows {}", needed, allowed)
          : fmt::format("the step is not at its end after the {} increments that *STEP allows", allowed);
  throw Error(
      Fault::input, what,
      needed > 0 ? fmt::format("write *STEP, INC={:.0f}", needed) : "write *STEP, INC= with a larger number",
      model.source(line));
}

void refuse_motion(const model::Model& model, model::Line line, double time) {
  throw Error(Fault::input, fmt::format("the motion is not a number at time {:g}", time),
              "check loads, amplitudes and materials for values out of range", model.source(line));
}

Increments::Increments(const model::Model& model, const model::Step& step, const IncrementPlan& plan,
                       double start_time, model::Line line)
    : model_(model),
      plan_(plan),
      line_(line),
      points_(time_points_of(model, step, start_time)),
      trial_(plan.first) {
  const double needed = std::ceil(plan.period / plan.first - hardly);
  if (plan.direct && std::isfinite(needed) && needed > plan.most_count)
    refuse_increments(model_, line_, plan_.most_count, needed);
}

void Increments::next(const std::function<double(double end)>& allowed) {
  const double before = time_;
  double end;
  if (plan_.direct) {
    // By multiplication: a sum would drift.
    if (reached_ <= time_) ++regular_;
    end = reached_ > time_ ? reached_ : regular_ * plan_.first;
  } else {
    double length = std::clamp(trial_, std::min(plan_.least, plan_.most), plan_.most);
    for (double part = allowed(time_ + length); part < 1; part = allowed(time_ + length)) {
      const double shorter = std::max(part * length, plan_.least);
      if (shorter >= length * (1 - 1e-9)) break;
      length = shorter;
    }
    trial_ = growth * length;
    end = time_ + length;
  }
  if (plan_.period - end <= hardly * (end - time_)) end = plan_.period;
  reached_ = end;
  time_point_ = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double slack = hardly * (end - before);
    if (points_[i] <= before + slack || points_[i] > end + slack) continue;
    time_point_ = static_cast<int>(i) + 1;
    if (points_[i] < end - slack) end = points_[i];
    break;
  }
  if (++count_ > plan_.most_count && (!plan_.direct || !std::isfinite(plan_.period)))
    refuse_increments(model_, line_, plan_.most_count, 0);
  time_ = end;
  length_ = time_ - before;
}

}  // namespace setka::analysis
