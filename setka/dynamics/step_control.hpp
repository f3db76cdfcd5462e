// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka::dynamics {

/// The lengths of steps by their error, as powers of two of the first one: a matrix serves many steps.
class StepControl {
 public:
  /// tolerance: of the error of a step, relative to what the caller compares it with. Error(Fault::usage)
  /// unless 0 < least <= first, least <= most and 0 < tolerance. The first one is cut to the longest.
  StepControl(double first, double least, double most, double tolerance);

  /// Of the next step, or of the same one again; the last two before the end are as long as each other. left:
  /// time to the end.
  double length(double left) const;

  /// Whether a step with this error stands, by which the length of what follows is chosen: half as long after
  /// one that does not, twice as long after some whose error was below a tenth of it (it grows with the third
  /// power of the length). At the least length every step stands.
  bool judge(double error);

  /// Steps that stand only because they could not be shorter.
  int shortest_kept() const { return kept_; }

 private:
  double length_;
  double least_;
  double most_;
  double tolerance_;
  int easy_ = 0;  // steps in a row whose error was small
  int kept_ = 0;
};

}  // namespace setka::dynamics
