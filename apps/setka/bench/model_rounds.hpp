// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "setka/base/monitor.hpp"
#include "setka/base/time_budget.hpp"

namespace setka::bench {

/// Measures the points of a table several times, in rounds over all of them, each in its share of the time,
/// and keeps the least of each point: what disturbs a machine for a while does not come back to the same
/// point.
class ModelRounds {
 public:
  ModelRounds(const ModelRun& run, ModelTable& table, double max_seconds, std::int64_t points,
              Monitor& monitor, int rounds = 3);

  /// over_all calls point() or leave_out() once for each point, in the same order every time.
  void run(const std::function<void()>& over_all);

  /// The work of a point whose prediction is known; left out where that is longer than there is time for.
  void point(const ModelPoint& point, const std::function<void()>& work);

  void leave_out(const std::string& label, const std::string& why);

 private:
  void done();

  const ModelRun& run_;
  ModelTable& table_;
  int rounds_;
  TimeBudget time_;
  Stage stage_;
  int round_ = 0;
  std::size_t next_ = 0;
  std::vector<std::optional<std::size_t>> places_;  // in the table; none: left out
};

}  // namespace setka::bench
