// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "setka/analysis/explicit_model.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// After which of its steps an explicit step writes a frame: every FREQUENCY-th, the nearest to each of *TIME
/// POINTS, or as often as NUMBER INTERVAL says, 20 times unless given; and the last.
class OutputTimes {
 public:
  OutputTimes(const model::Model& model, const model::Step& step, double length, std::int64_t count,
              double start_time);

  /// The first one after so many steps.
  std::int64_t next(std::int64_t done) const;
  /// From 1: which of *TIME POINTS it is; 0: none.
  int time_point(std::int64_t done) const;

 private:
  std::int64_t count_;
  std::int64_t frequency_ = 0;  // 0: not by it
  std::int64_t intervals_ = 0;
  std::vector<std::pair<std::int64_t, int>> points_;  // step and number of a time point, rising
};

/// The nodes of a history and which of their values are columns of it.
struct HistoryColumns {
  explicit HistoryColumns(const model::Model& model);

  std::vector<std::int32_t> nodes;
  std::vector<std::string> names;   // "U1_17"
  std::vector<std::size_t> values;  // [names] into [nodes, 9]: U, V, RF
};

/// What an explicit step has at a time, [3 nodes]; velocities and forces where they are wanted.
struct ExplicitSeen {
  std::vector<double> u;
  std::vector<double> v;
  std::vector<double> forces;
};

/// Fills a frame with what is wanted: stresses of Cauchy, strains of Green and Lagrange, RF the forces of the
/// stresses.
void fill_explicit_frame(const Setup& setup, const ExplicitModel& model, const Wanted& wanted,
                         ExplicitSeen seen, int threads, model::Frame& frame);

}  // namespace setka::analysis
