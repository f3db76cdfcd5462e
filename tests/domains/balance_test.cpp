// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/balance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace setka::domains {
namespace {

/// Seconds of a step where devices do so much of the whole in a second.
std::vector<double> seconds_of(const std::vector<double>& shares, const std::vector<double>& speeds) {
  std::vector<double> seconds;
  for (std::size_t p = 0; p < shares.size(); ++p) seconds.push_back(shares[p] / speeds[p]);
  return seconds;
}

TEST(Balance, FastDevicesGetMore) {
  const std::vector<double> speeds{9, 3};
  Balance balance({0.5, 0.5}, 0.0);
  const auto shares = balance.look(seconds_of(balance.shares(), speeds), 1);
  ASSERT_TRUE(shares);
  EXPECT_NEAR((*shares)[0], 0.75, 1e-12);
  EXPECT_NEAR((*shares)[1], 0.25, 1e-12);
}

TEST(Balance, WaitsUntilAsMuchIsLostAsSharingOutCosts) {
  const std::vector<double> speeds{3, 1};
  Balance balance({0.5, 0.5}, 10.0);
  const std::vector<double> seconds =
      seconds_of(balance.shares(), speeds);  // 1/6 and 1/2, where 1/4 are even
  EXPECT_FALSE(balance.look(seconds, 20));
  EXPECT_NEAR(balance.lost(), 5.0, 1e-12);
  EXPECT_FALSE(balance.look(seconds, 19));
  const auto shares = balance.look(seconds, 2);
  ASSERT_TRUE(shares);
  EXPECT_NEAR((*shares)[0], 0.75, 1e-12);
  balance.shared_out(*shares, 2.0);
  EXPECT_EQ(balance.lost(), 0);
  EXPECT_FALSE(balance.look(seconds_of(*shares, speeds), 1000000));
}

TEST(Balance, SmallDifferencesAreLeftAlone) {
  Balance balance({0.5, 0.5}, 0.0);
  EXPECT_FALSE(balance.look(std::vector<double>{1.0, 1.04}, 1000000));
  EXPECT_EQ(balance.lost(), 0);
}

/// Whatever the length of the run: no more than twice what the best choice of a moment to share out loses.
TEST(Balance, NeverLosesMoreThanTwiceTheLeast) {
  const std::vector<double> speeds{3, 1};
  const double cost = 7.0;
  for (const std::int64_t steps : {1, 10, 27, 28, 29, 100, 1000}) {
    Balance balance({0.5, 0.5}, cost);
    double lost = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::vector<double> seconds = seconds_of(balance.shares(), speeds);
      lost += std::ranges::max(seconds) - 0.25;
      if (const auto shares = balance.look(seconds, 1)) {
        lost += cost;
        balance.shared_out(*shares, cost);
      }
    }
    const double least = std::min(cost, 0.25 * static_cast<double>(steps));
    EXPECT_LE(lost, 2 * least + 0.25) << steps;
  }
}

TEST(Balance, TimesOfAllDevicesAreNeeded) {
  Balance balance({0.5, 0.5}, 1.0);
  EXPECT_THROW(balance.look(std::vector<double>{1.0}, 1), Error);
  EXPECT_THROW(balance.look(std::vector<double>{1.0, 0.0}, 1), Error);
}

}  // namespace
}  // namespace setka::domains
