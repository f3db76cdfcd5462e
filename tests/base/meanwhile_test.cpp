// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/meanwhile.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace setka {
namespace {

constexpr std::int64_t sizes[] = {0, meanwhile_min_nodes - 1, meanwhile_min_nodes};

TEST(Meanwhile, has_a_thread_of_its_own_where_that_is_worth_it) {
  for (const std::int64_t nodes : sizes) {
    auto other = meanwhile(nodes, [] { return std::this_thread::get_id(); });
    EXPECT_EQ(other.get() != std::this_thread::get_id(), nodes >= meanwhile_min_nodes) << nodes;
  }
}

TEST(Meanwhile, what_a_task_throws_reaches_who_asks) {
  for (const std::int64_t nodes : sizes) {
    auto other = meanwhile(nodes, []() -> int { throw std::runtime_error("lost"); });
    EXPECT_THAT([&] { other.get(); }, testing::ThrowsMessage<std::runtime_error>("lost")) << nodes;
  }
}

TEST(Meanwhile, every_task_is_done_once) {
  for (const std::int64_t nodes : sizes) {
    for (const std::size_t count : {0, 1, 2, 5}) {
      std::vector<std::atomic<int>> done(count);
      all_meanwhile(nodes, count, [&](std::size_t i) { ++done[i]; });
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i;
    }
  }
}

TEST(Meanwhile, the_first_failure_comes_out_and_none_is_left_running) {
  for (const std::int64_t nodes : sizes) {
    for (const std::size_t failing : {0, 1, 3}) {
      std::atomic<int> running = 0;
      const auto task = [&](std::size_t i) {
        ++running;
        if (i != failing) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        --running;
        if (i == failing || i == 3) throw std::runtime_error(std::to_string(i));
      };
      EXPECT_THAT([&] { all_meanwhile(nodes, 4, task); },
                  testing::ThrowsMessage<std::runtime_error>(std::to_string(failing)));
      EXPECT_EQ(running, 0);
    }
  }
}

}  // namespace
}  // namespace setka
