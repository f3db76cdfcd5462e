// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/models.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/model_rounds.hpp"
#include "plan/made_up_profile.hpp"

namespace setka::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Models, heights_are_dense_about_the_chosen_one) {
  EXPECT_THAT(heights_around(68, 800), ElementsAre(1, 2, 4, 8, 16, 32, 44, 54, 62, 68, 74, 86, 102));
  EXPECT_THAT(heights_around(4, 800), ElementsAre(1, 2, 3, 4, 6));
  EXPECT_THAT(heights_around(68, 40), ElementsAre(1, 2, 4, 8, 16, 32, 40));
  EXPECT_THAT(heights_around(1, 10), ElementsAre(1));
}

TEST(Models, errors_are_those_of_the_points) {
  ModelTable table;
  table.points = {{"", "", 1, 1.0, 1.1, 0}, {"", "", 2, 1.0, 1.0, 2.0}, {"", "", 3, 2.0, 1.2, 0}};
  sum_up(table);
  EXPECT_NEAR(table.error, std::sqrt((0.01 + 0.16) / 3), 1e-12);
  EXPECT_NEAR(table.median_error, 0.1, 1e-12);
  EXPECT_NEAR(table.printed_error, 1, 1e-12);
}

TEST(ModelRounds, keep_the_least_and_leave_out_what_takes_too_long) {
  int shown = 0;
  int kept = 0;
  const ModelRun run{exec::Device::cpu(1), test::made_up_profile(), false,
                     [&](const ModelTable&, const ModelPoint&) { ++shown; },
                     [&](const ModelTable&) { ++kept; }};
  ModelTable table;
  table.name = "made up";
  Monitor monitor;
  ModelRounds rounds(run, table, 0.1, 3, monitor);
  int passes = 0;
  int long_calls = 0;
  rounds.run([&] {
    ++passes;
    rounds.point({"short", "", 1, 0, 1e-6, 0}, [] {});
    rounds.point({"long", "", 2, 0, 100, 0}, [&] { ++long_calls; });
    rounds.leave_out("large", "needs 3 GB");
  });
  EXPECT_EQ(passes, 3);
  EXPECT_EQ(long_calls, 0);
  ASSERT_EQ(table.points.size(), 1U);
  EXPECT_GT(table.points[0].measured, 0);
  EXPECT_EQ(shown, 1);
  EXPECT_EQ(kept, 3);
  EXPECT_THAT(table.left_out, ElementsAre(HasSubstr("long: would take"), "large: needs 3 GB"));
}

TEST(Models, parts_fit_in_four_minutes_with_a_calibration) {
  double seconds = 30;
  std::vector<std::string> names;
  for (const ModelPart& part : model_parts()) {
    seconds += part.max_seconds;
    names.emplace_back(part.name);
  }
  EXPECT_LE(seconds, 240);
  EXPECT_THAT(names, ElementsAre("long-vectors", "pyramids", "sweeps", "steps"));
}

}  // namespace
}  // namespace setka::bench
