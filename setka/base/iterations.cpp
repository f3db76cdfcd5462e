// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/iterations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/core.h>

namespace setka {
namespace {

constexpr std::int64_t whole = 10'000;  // fine enough for the time left of hours

constexpr std::size_t most_kept = 9;       // solutions
constexpr std::size_t most_values = 2000;  // of one

/// Who keeps what of which monitor; monitors of several threads may be told at once.
struct Records {
  std::mutex lock;
  std::map<const Monitor*, ConvergenceRecord*> of;
};

Records& records() {
  static Records all;
  return all;
}

}  // namespace

ConvergenceRecord::ConvergenceRecord(const Monitor& monitor) : monitor_(monitor) {
  Records& all = records();
  const std::lock_guard guard(all.lock);
  all.of[&monitor] = this;
}

ConvergenceRecord::~ConvergenceRecord() {
  Records& all = records();
  const std::lock_guard guard(all.lock);
  all.of.erase(&monitor_);
}

ConvergenceRecord* ConvergenceRecord::of(const Monitor& monitor) {
  Records& all = records();
  const std::lock_guard guard(all.lock);
  const auto found = all.of.find(&monitor);
  return found == all.of.end() ? nullptr : found->second;
}

std::int64_t ConvergenceRecord::begin(Convergence convergence) {
  ++given_;
  stride_ = 1;
  told_ = 0;
  // One that was told nothing leaves its place to the next.
  if (!kept_.empty() && (kept_.size() == most_kept || kept_.back().values.empty())) kept_.pop_back();
  kept_.push_back(std::move(convergence));
  return given_;
}

void ConvergenceRecord::tell(std::int64_t number, std::string_view what, double value, double target,
                             std::int64_t count) {
  if (number != given_) return;
  if (told_++ % stride_ != 0) return;
  Convergence& own = kept_.back();
  own.what = what;
  own.target = target;
  own.counts.push_back(count);
  own.values.push_back(value);
  if (own.values.size() < most_values) return;
  for (std::size_t i = 0; 2 * i < own.values.size(); ++i) {
    own.counts[i] = own.counts[2 * i];
    own.values[i] = own.values[2 * i];
  }
  own.counts.resize(own.counts.size() / 2);
  own.values.resize(own.values.size() / 2);
  stride_ *= 2;
}

Iterations::Iterations(Monitor& monitor, std::string name, std::string unit)
    : stage_(monitor.stage(name, whole, "%")),
      record_(ConvergenceRecord::of(monitor)),
      unit_(std::move(unit)) {
  if (record_ != nullptr) number_ = record_->begin({std::move(name), {}, unit_, 0, {}, {}});
}

void Iterations::advance(std::string_view what, double residual, double target, std::int64_t count) {
  count_ += count;
  if (record_ != nullptr) record_->tell(number_, what, residual, target, count_);
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
