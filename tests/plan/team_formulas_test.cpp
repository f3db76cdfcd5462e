// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/team_formulas.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace setka::plan {
namespace {

/// A million rows of 1 kB each, in equal parts.
std::vector<TeamPart> parts(int count, double ghosts) {
  return std::vector<TeamPart>(static_cast<std::size_t>(count), {1e6 / count, 1e9 / count, 1e6, ghosts});
}

constexpr TeamMachine machine{1e12, 2e-6, {10e-6, 100e9}};

TEST(TeamFormulas, OneDeviceTellsNobody) {
  const TeamIteration one = cg_iteration(std::vector<TeamPart>{{1e6, 1e9, 0, 0}}, machine);
  EXPECT_DOUBLE_EQ(one.matrix, 1e-3);
  EXPECT_DOUBLE_EQ(one.vectors, 18 * 8 * 1e6 / 1e12);
  EXPECT_DOUBLE_EQ(one.launches, 9 * 2e-6);
  EXPECT_EQ(one.exchange, 0);
  EXPECT_EQ(one.sums, 0);
  EXPECT_DOUBLE_EQ(one.seconds(), one.matrix + one.vectors + one.launches);
}

TEST(TeamFormulas, AnExchangeIsSeenWhereTheProductIsShorter) {
  // 0.5 ms of product hide 10 us + 80 kB; they do not hide 100 MB.
  EXPECT_EQ(cg_iteration(parts(2, 1e4), machine).exchange, 0);
  EXPECT_NEAR(cg_iteration(parts(2, 1.25e7), machine).exchange, 10e-6 + 1e-3 - 0.5e-3, 1e-12);
  EXPECT_DOUBLE_EQ(cg_iteration(parts(2, 1e4), machine).sums, 2 * 10e-6);
}

TEST(TeamFormulas, MoreDevicesPayUntilTheyTellEachOtherTooMuch) {
  double last = cg_iteration(parts(1, 0), machine).seconds();
  for (const int count : {2, 4, 8}) {
    const double now = cg_iteration(parts(count, 1e4), machine).seconds();
    EXPECT_LT(now, last);
    last = now;
  }
  // At a thousand devices latencies are all there is.
  const double many = cg_iteration(parts(1024, 1e4), machine).seconds();
  EXPECT_GT(many, 20e-6);
  EXPECT_LT(many, last);
}

TEST(TeamFormulas, TheSlowestPartCounts) {
  std::vector<TeamPart> uneven = parts(4, 1e4);
  const double even = cg_iteration(uneven, machine).seconds();
  uneven[2].own_bytes *= 2;
  EXPECT_GT(cg_iteration(uneven, machine).seconds(), even);
  EXPECT_DOUBLE_EQ(cg_iteration(uneven, machine).matrix, (0.5e9 + 1e6) / 1e12);
}

TEST(TeamFormulas, APartHasATimeOfItsOwn) {
  std::vector<TeamPart> uneven = parts(3, 1e4);
  uneven[1].own_bytes *= 3;
  const TeamIteration together = cg_iteration(uneven, machine);
  EXPECT_DOUBLE_EQ(cg_iteration(uneven[1], machine, true).seconds(), together.seconds());
  EXPECT_LT(cg_iteration(uneven[0], machine, true).seconds(), together.seconds());
  EXPECT_EQ(cg_iteration(uneven[0], machine, false).sums, 0);
  EXPECT_LT(cg_iteration(uneven[0], machine, false).launches, together.launches);
}

TEST(TeamFormulas, BlocksHaveValuesAndAColumnEach) {
  const TeamPart part = team_part({10, 50, 4, 12, 6}, 3);
  EXPECT_EQ(part.rows, 30);
  EXPECT_EQ(part.own_bytes, 50 * (9 * 8 + 4) + 11 * 4);
  EXPECT_EQ(part.beside_bytes, 12 * (9 * 8 + 4) + 5 * 4);
  EXPECT_EQ(part.ghosts, 18);
  EXPECT_EQ(team_part({10, 50, 0, 0, 0}, 3).beside_bytes, 0);
}

}  // namespace
}  // namespace setka::plan
