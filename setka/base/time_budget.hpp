// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

namespace setka {

/// Time shared out among pieces of work of which the number is known, not the length: what one leaves, the
/// others get. Its time runs from construction.
class TimeBudget {
 public:
  using Clock = std::function<double()>;  // seconds from any origin

  TimeBudget(double seconds, std::int64_t pieces);
  TimeBudget(double seconds, std::int64_t pieces, Clock clock);

  double total() const { return seconds_; }
  double spent() const { return clock_() - began_; }
  double left() const;

  /// Of the next piece: what is left, over the pieces that are left.
  double share() const;

  /// What the next piece may take where pieces differ: a few shares, and never more than is left. If no piece
  /// takes more than its limit, all of them together keep to the budget.
  double limit() const;

  void done() { pieces_ = pieces_ > 1 ? pieces_ - 1 : 1; }

 private:
  double seconds_;
  std::int64_t pieces_;  // left
  Clock clock_;
  double began_;
};

}  // namespace setka
