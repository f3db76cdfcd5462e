// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "setka/plan/formulas.hpp"

/// How good predictions of runs were.
namespace setka::plan {

struct ReviewedStage {
  std::string stage;
  double predicted = 0;  // seconds
  double measured = 0;
};

struct ReviewedRun {
  std::string name;
  Range predicted;
  double measured = 0;
  double predicted_memory = 0;  // bytes, of the host
  double measured_memory = 0;
  std::vector<ReviewedStage> stages;

  /// |predicted - measured| / measured
  double error() const;
  bool inside() const { return predicted.low <= measured && measured <= predicted.high; }
};

struct Review {
  std::size_t runs = 0;
  double median = 0;         // of the errors of whole runs
  double ninetieth = 0;      // percentile
  double inside = 0;         // share of the runs in their range
  double steady_median = 0;  // of stages without iterations that take a part worth looking at
  double memory_under = 0;   // the worst: (measured - predicted) / measured, at least 0
  double memory_over = 0;    // the worst the other way
};

Review review_of(std::span<const ReviewedRun> runs);

/// Of each stage the median of measured over predicted, where enough runs have it for longer than a moment.
std::map<std::string, double> ratios_of(std::span<const ReviewedRun> runs);

/// Of errors, in order; 0 of none. share: 0.5 is the median.
double percentile(std::vector<double> values, double share);

}  // namespace setka::plan
