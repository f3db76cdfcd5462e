// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/rank_formulas.hpp"

#include <gtest/gtest.h>

namespace setka::plan {
namespace {

/// The cantilever that the constants were measured on: 299 052 unknowns of C3D8.
RankModel cantilever() {
  return {299052, 22.7e6, 90100.0 * 24 * 24};
}

RankProfile two_processes() {
  RankProfile made;
  made.product = 0.59e-9;
  made.link = {0.4e-6, 9e9};
  return made;
}

TEST(RankFormulas, AreThoseOfTheMeasuredRun) {
  const RankTimes times = static_step(cantilever(), 2, two_processes());
  EXPECT_NEAR(times.assembly, 0.27, 0.05);  // s, as measured by two processes
  EXPECT_NEAR(times.set_up, 0.36, 0.06);
  EXPECT_NEAR(times.solution + times.exchange + times.sums, 0.78, 0.12);
}

TEST(RankFormulas, OneProcessTellsNobodyAnything) {
  const RankTimes alone = static_step(cantilever(), 1, two_processes());
  EXPECT_EQ(alone.exchange, 0);
  EXPECT_EQ(alone.sums, 0);
  EXPECT_GT(alone.seconds(), 1.9 * static_step(cantilever(), 2, two_processes()).seconds());
}

TEST(RankFormulas, MoreProcessesPayUntilTheyHaveTooLittle) {
  double before = static_step(cantilever(), 1, two_processes()).seconds();
  for (const double processes : {2.0, 8.0, 64.0}) {
    const double now = static_step(cantilever(), processes, two_processes()).seconds();
    EXPECT_LT(now, before) << processes;
    before = now;
  }
  RankProfile slow = two_processes();
  slow.link = {1e-3, 1e8};
  EXPECT_GT(static_step(cantilever(), 512, slow).seconds(), static_step(cantilever(), 16, slow).seconds());
}

TEST(RankFormulas, ModelsThatGrowWithTheProcessesTakeLittleLonger) {
  const double alone = static_step(cantilever(), 1, two_processes()).seconds();
  const RankTimes many = static_step(cantilever().times(1e3), 1e3, two_processes());
  EXPECT_GT(many.seconds(), alone);
  EXPECT_LT(many.seconds(), 1.8 * alone);
  EXPECT_GT(many.iterations, 20);
  // Beyond, by GAMG.
  const RankTimes thousands = static_step(cantilever().times(1e4), 1e4, two_processes());
  EXPECT_GT(thousands.set_up, 3 * many.set_up);
  EXPECT_LT(thousands.seconds(), 1.1 * static_step(cantilever().times(1e5), 1e5, two_processes()).seconds());
}

TEST(RankFormulas, MemoryIsShared) {
  const double of_two = rank_memory(cantilever(), 2);
  EXPECT_NEAR(rank_memory(cantilever(), 4), of_two / 2, 1e-6 * of_two);
  EXPECT_GT(of_two, 12 * 22.7e6 / 2);
}

}  // namespace
}  // namespace setka::plan
