// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/meter.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace setka::plan {
namespace {

const exec::Device cpu = exec::Device::cpu(1);

void sleep(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

TEST(SecondsOfOne, is_that_of_a_call) {
  const double found = seconds_of_one(cpu, [](std::int64_t) { sleep(2e-3); });
  EXPECT_GE(found, 2e-3);
  EXPECT_LT(found, 0.1);
}

TEST(SecondsOfOne, makes_two_calls_of_work_that_is_longer_than_it_may_take) {
  int calls = 0;
  const auto work = [&](std::int64_t) {
    ++calls;
    sleep(2e-3);
  };
  seconds_of_one(cpu, work, {}, 1e-3);
  EXPECT_EQ(calls, 2);
  calls = 0;
  seconds_of_one(cpu, work);
  EXPECT_EQ(calls, 6);  // one to warm up, five batches
}

TEST(SecondsOfOne, counts_calls_of_each_batch_from_nought) {
  std::int64_t largest = 0;
  std::int64_t calls = 0;
  seconds_of_one(cpu,
                 [&](std::int64_t i) {
                   largest = std::max(largest, i);
                   ++calls;
                 },
                 {1e-5, 5});
  EXPECT_GT(calls, largest + 1);
}

TEST(Meter, leaves_out_points_that_there_is_no_time_for) {
  double now = 0;
  const TimeBudget budget(1.0, 4, [&] { return now; });
  Meter meter(cpu, {1e-6, 5}, budget);
  Curve curve;
  int calls = 0;
  const auto point = [&](double size) {
    meter.point(curve, size, [&](std::int64_t) { ++calls; });
    now += 0.3;
  };
  point(10);
  point(20);
  EXPECT_EQ(curve.size.size(), 2U);
  curve.seconds = {0.1, 0.2};  // as if they had taken that long: the next one would take twice 0.4 s
  calls = 0;
  point(40);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(meter.left_out(), 1);
  EXPECT_DOUBLE_EQ(curve.at(40), 0.4);
}

}  // namespace
}  // namespace setka::plan
