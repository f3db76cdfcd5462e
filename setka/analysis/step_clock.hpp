// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/model/model.hpp"

namespace setka::analysis {

struct ClockPlan {
  double first = 1;  // length of the first increment
  double period = 1;
  double least = 0;
  double most = 1e30;
  bool direct = false;   // all of them have the first one's length
  int most_count = 100;  // *STEP, INC
};

/// The times of a step whose increments may fail: one that does is tried again, shorter. As in CalculiX, two
/// that went well in a row make the next one half as long again, and none passes one of *TIME POINTS.
class StepClock {
 public:
  /// More increments than *STEP, INC allows are an Error: at once where their number is known.
  StepClock(const model::Model& model, const model::Step& step, const ClockPlan& plan, double start_time,
            model::Line line);

  /// Where the next attempt ends, as a time in the step; an Error where there were as many increments as
  /// *STEP, INC allows.
  double propose();
  /// It went well.
  void accept();
  /// It did not: so much of its length is tried instead. False: it would be shorter than is allowed, or
  /// increments are to stay as they are.
  bool shorten(double part);

  double time() const { return time_; }           // of what was accepted
  double length() const { return end_ - time_; }  // of the attempt
  int count() const { return count_; }            // of what was accepted
  int attempts() const { return attempts_; }      // at this increment
  bool at_end() const { return time_ >= plan_.period; }
  /// From 1: which of *TIME POINTS was reached last; 0: none.
  int time_point() const { return time_point_; }

 private:
  const model::Model& model_;
  ClockPlan plan_;
  model::Line line_;
  std::vector<double> points_;  // in the step
  double time_ = 0;
  double end_ = 0;
  double trial_ = 0;   // length, unless a point in time or the end is nearer
  int went_well_ = 0;  // in a row
  int count_ = 0;
  int attempts_ = 0;
  int time_point_ = 0;
  int next_point_ = 0;  // of the attempt
};

}  // namespace setka::analysis
