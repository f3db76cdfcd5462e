// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace setka::domains {

/// How much of the work devices have: what they are given, or what makes them equally long, by the times that
/// they take.
enum class Balancing { given, measured };

/// When devices that make steps together are to have other shares of the work, by the times that they take.
/// Sharing out anew costs time too: it is done when as much has been lost by waiting for the slowest device,
/// so that no run, however long it will be, loses more than twice what it had to.
class Balance {
 public:
  /// shares: of one whole, as the work is shared out now; cost: the seconds that this took.
  Balance(std::vector<double> shares, double cost) : shares_(std::move(shares)), cost_(cost) {}

  /// Devices take so many seconds a step, and have made so many steps since the last look. Returns the shares
  /// that would make them equally long, once they are worth it.
  std::optional<std::vector<double>> look(std::span<const double> seconds, std::int64_t steps);

  /// The work was shared out like this, and that took so many seconds.
  void shared_out(std::vector<double> shares, double cost);

  const std::vector<double>& shares() const { return shares_; }
  double lost() const { return lost_; }  // seconds since then

 private:
  std::vector<double> shares_;
  double cost_;
  double lost_ = 0;
};

}  // namespace setka::domains
