// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/model_rounds.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/plan/meter.hpp"

namespace setka::bench {

ModelRounds::ModelRounds(const ModelRun& run, ModelTable& table, double max_seconds, std::int64_t points,
                         Monitor& monitor, int rounds)
    : run_(run),
      table_(table),
      rounds_(run.quick ? 1 : rounds),
      time_(max_seconds, rounds_ * points),
      stage_(monitor.stage(table.name, rounds_ * points)) {}

void ModelRounds::run(const std::function<void()>& over_all) {
  if (!run_.quick) plan::wake(run_.device);
  for (round_ = 0; round_ < rounds_; ++round_) {
    next_ = 0;
    over_all();
  }
}

void ModelRounds::point(const ModelPoint& point, const std::function<void()>& work) {
  const bool first = round_ == 0;
  if (first && !run_.quick && 2 * point.predicted > time_.limit())
    return leave_out(point.label, fmt::format("would take {}", format_seconds(point.predicted)));
  // A point that cannot be measured, for lack of memory, must not be in the table.
  if (first || (places_[next_] && 2 * table_.points[*places_[next_]].measured < time_.limit())) {
    stage_.note(point.label);
    const double seconds = plan::seconds_of_one(
        run_.device, [&](std::int64_t) { work(); }, {}, run_.quick ? 0 : time_.limit());
    if (first) {
      places_.emplace_back(table_.points.size());
      table_.points.push_back(point);
      table_.points.back().measured = seconds;
    } else {
      double& least = table_.points[*places_[next_]].measured;
      least = std::min(least, seconds);
    }
    run_.so_far(table_);
  }
  if (round_ + 1 == rounds_ && places_[next_]) run_.show(table_, table_.points[*places_[next_]]);
  done();
}

void ModelRounds::leave_out(const std::string& label, const std::string& why) {
  if (round_ == 0) {
    places_.emplace_back();
    table_.left_out.push_back(fmt::format("{}: {}", label, why));
  }
  done();
}

void ModelRounds::done() {
  ++next_;
  time_.done();
  stage_.advance();
}

}  // namespace setka::bench
