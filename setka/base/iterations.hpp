// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "setka/base/monitor.hpp"

namespace setka {

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
  std::string unit_;
  std::int64_t count_ = 0;
  std::int64_t told_ = 0;  // to the stage, of the whole
  double highest_ = 0;     // 0: there was none yet
  double lowest_ = 0;
};

}  // namespace setka
