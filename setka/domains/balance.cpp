// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/balance.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"

namespace setka::domains {
namespace {

/// Differences below are those of one measurement and the next.
constexpr double noise = 0.05;

}  // namespace

std::optional<std::vector<double>> Balance::look(std::span<const double> seconds, std::int64_t steps) {
  require(seconds.size() == shares_.size() && std::ranges::all_of(seconds, [](double s) { return s > 0; }),
          "Balance: a time above 0 for each device is right");
  std::vector<double> made;
  double together = 0;  // of the whole in a second
  for (std::size_t p = 0; p < seconds.size(); ++p) {
    made.push_back(shares_[p] / seconds[p]);
    together += made.back();
  }
  const double slowest = std::ranges::max(seconds);
  const double even = 1 / together;
  if (slowest < (1 + noise) * even) return std::nullopt;
  lost_ += (slowest - even) * static_cast<double>(steps);
  if (lost_ < cost_) return std::nullopt;
  for (double& share : made) share /= together;
  return made;
}

void Balance::shared_out(std::vector<double> shares, double cost) {
  require(shares.size() == shares_.size(), "Balance: as many shares as devices are right");
  shares_ = std::move(shares);
  cost_ = cost;
  lost_ = 0;
}

}  // namespace setka::domains
