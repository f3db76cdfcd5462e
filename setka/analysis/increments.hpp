// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "setka/model/model.hpp"

namespace setka::analysis {

struct IncrementPlan {
  double first = 1;   // length
  double period = 1;  // infinite: the caller ends it
  double least = 0;
  double most = 1e30;
  bool direct = true;    // all of them have the first one's length
  int most_count = 100;  // *STEP, INC
};

/// *TIME POINTS of a step's output, as times in the step; the same for all of its requests.
std::vector<double> time_points_of(const model::Model& model, const model::Step& step, double start_time);

/// Throws: more increments than *STEP, INC allows. needed: how many there are; 0: that is not known.
[[noreturn]] void refuse_increments(const model::Model& model, model::Line line, int allowed, double needed);

/// Throws: what moves has overflown, or began as no number.
[[noreturn]] void refuse_motion(const model::Model& model, model::Line line, double time);

/// The times of a step's increments: of equal length, or each half as long again as the one before unless the
/// caller wants it shorter; and never past one of *TIME POINTS of its output.
class Increments {
 public:
  /// More increments than *STEP, INC allows are an Error: at once where their number is known.
  Increments(const model::Model& model, const model::Step& step, const IncrementPlan& plan, double start_time,
             model::Line line);

  /// Goes on to the end of the next increment. allowed(end): how much of the way to this end may be taken at
  /// once; 1 and more: all of it.
  void next(const std::function<double(double end)>& allowed);

  double time() const { return time_; }      // in the step
  double length() const { return length_; }  // of the increment that ends here
  int count() const { return count_; }
  bool at_end() const { return time_ >= plan_.period; }
  /// From 1: which of *TIME POINTS this is; 0: none.
  int time_point() const { return time_point_; }

 private:
  const model::Model& model_;
  IncrementPlan plan_;
  model::Line line_;
  std::vector<double> points_;  // in the step
  double time_ = 0;
  double reached_ = 0;  // where increments would be without *TIME POINTS
  double length_ = 0;
  double trial_ = 0;
  int regular_ = 0;  // increments of equal length so far
  int count_ = 0;
  int time_point_ = 0;
};

}  // namespace setka::analysis
