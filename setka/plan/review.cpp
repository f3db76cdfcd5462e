// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/review.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace setka::plan {
namespace {

/// Less than so many seconds and so large a part of a run tell of clocks, not of formulas.
constexpr double moment = 2e-3;
constexpr double part_worth_looking_at = 0.02;
constexpr std::size_t enough_runs = 3;

bool iterates(const std::string& stage) {
  return stage == "solve" || stage == "factorise" || stage == "set up";
}

}  // namespace

double ReviewedRun::error() const {
  return measured > 0 ? std::abs(predicted.middle - measured) / measured : 0;
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Review review_of(std::span<const ReviewedRun> runs) {
  Review review;
  review.runs = runs.size();
  std::vector<double> errors;
  std::vector<double> steady;
  for (const ReviewedRun& run : runs) {
    errors.push_back(run.error());
    review.inside += run.inside() ? 1.0 / static_cast<double>(runs.size()) : 0;
    for (const ReviewedStage& stage : run.stages) {
      if (iterates(stage.stage) || stage.measured < moment) continue;
      if (stage.measured < part_worth_looking_at * run.measured) continue;
      steady.push_back(std::abs(stage.predicted - stage.measured) / stage.measured);
    }
    if (!(run.measured_memory > 0)) continue;
    const double off = (run.predicted_memory - run.measured_memory) / run.measured_memory;
    review.memory_under = std::max(review.memory_under, -off);
    review.memory_over = std::max(review.memory_over, off);
  }
  review.median = percentile(errors, 0.5);
  review.ninetieth = percentile(errors, 0.9);
  review.steady_median = percentile(steady, 0.5);
  return review;
}

std::map<std::string, double> ratios_of(std::span<const ReviewedRun> runs) {
  std::map<std::string, std::vector<double>> found;
  for (const ReviewedRun& run : runs) {
    for (const ReviewedStage& stage : run.stages) {
      if (stage.measured >= moment && stage.predicted > 0)
        found[stage.stage].push_back(stage.measured / stage.predicted);
    }
  }
  std::map<std::string, double> ratios;
  for (const auto& [stage, all] : found) {
    if (all.size() >= enough_runs) ratios[stage] = percentile(all, 0.5);
  }
  return ratios;
}

}  // namespace setka::plan
