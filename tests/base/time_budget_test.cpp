// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/time_budget.hpp"

#include <gtest/gtest.h>

namespace setka {
namespace {

TEST(TimeBudget, what_one_piece_leaves_the_others_get) {
  double now = 100;
  TimeBudget budget(10, 5, [&] { return now; });
  EXPECT_DOUBLE_EQ(budget.share(), 2);
  EXPECT_DOUBLE_EQ(budget.limit(), 6);
  now += 0.4;
  budget.done();
  EXPECT_NEAR(budget.spent(), 0.4, 1e-12);
  EXPECT_NEAR(budget.share(), 2.4, 1e-12);
  for (int i = 0; i < 3; ++i) budget.done();
  EXPECT_NEAR(budget.share(), 9.6, 1e-12);
  EXPECT_NEAR(budget.limit(), 9.6, 1e-12);  // not three shares: there is no more
}

TEST(TimeBudget, pieces_that_take_their_limit_keep_to_it_together) {
  for (const int pieces : {1, 2, 3, 7, 100}) {
    double now = 0;
    TimeBudget budget(30, pieces, [&] { return now; });
    for (int i = 0; i < pieces; ++i) {
      EXPECT_GE(budget.limit(), budget.share());
      now += budget.limit();
      budget.done();
    }
    EXPECT_LE(now, 30 * (1 + 1e-12)) << pieces;
    EXPECT_GT(now, 20) << pieces;
  }
}

TEST(TimeBudget, has_nothing_left_when_it_is_spent) {
  double now = 0;
  TimeBudget budget(1, 3, [&] { return now; });
  now = 5;
  EXPECT_EQ(budget.left(), 0);
  EXPECT_EQ(budget.limit(), 0);
  for (int i = 0; i < 9; ++i) budget.done();  // more than were counted
  EXPECT_EQ(budget.share(), 0);
}

}  // namespace
}  // namespace setka
