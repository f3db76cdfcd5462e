// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/monitor.hpp"

namespace setka {

/// How something fell in iterations that were one after another.
struct Convergence {
  std::string name;  // of the stage, "conjugate gradients"
  std::string what;  // fell, "residual"
  std::string unit;  // of the counts, "iterations"
  double target = 0;
  std::vector<std::int64_t> counts;  // every so many, where there are thousands
  std::vector<double> values;        // [counts]
};

/// While it lives, what the Iterations of a monitor are told is kept here: of the first solutions of a run
/// and of its last one, so that a motion of thousands of steps takes no more than a static step. The monitor
/// must outlive it; one record a monitor.
class ConvergenceRecord {
 public:
  explicit ConvergenceRecord(const Monitor& monitor);
  ~ConvergenceRecord();
  ConvergenceRecord(const ConvergenceRecord&) = delete;
  ConvergenceRecord& operator=(const ConvergenceRecord&) = delete;

  const std::vector<Convergence>& kept() const { return kept_; }
  std::int64_t given() const { return given_; }

 private:
  friend class Iterations;
  static ConvergenceRecord* of(const Monitor& monitor);
  /// The number of the solution, by which it tells.
  std::int64_t begin(Convergence convergence);
  /// Where another has begun within it, what the outer one tells is not kept.
  void tell(std::int64_t number, std::string_view what, double value, double target, std::int64_t count);

  const Monitor& monitor_;
  std::vector<Convergence> kept_;
  std::int64_t given_ = 0;
  std::int64_t stride_ = 1;
  std::int64_t told_ = 0;
};

/// A stage of iterations of which nobody knows how many there will be: how far it has come is told from the
/// orders of magnitude that a residual has fallen by, of those that it has to fall by.
class Iterations {
 public:
  Iterations(Monitor& monitor, std::string name, std::string unit = "iterations");

  /// So many were done, and the residual (or whatever falls: `what`) is now this. Throws as Stage::advance()
  /// does.
  void advance(std::string_view what, double residual, double target, std::int64_t count = 1);

  /// One more, of which no residual is known.
  void advance();

  double seconds() const { return stage_.seconds(); }

 private:
  /// Of the way down to the target, from the highest residual to the lowest one since.
  double share(double residual, double target);

  Stage stage_;
  ConvergenceRecord* record_;  // null: nobody keeps it
  std::int64_t number_ = 0;    // of this solution there
  std::string unit_;
  std::int64_t count_ = 0;
  std::int64_t told_ = 0;  // to the stage, of the whole
  double highest_ = 0;     // 0: there was none yet
  double lowest_ = 0;
};

}  // namespace setka
