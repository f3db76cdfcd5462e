// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/log.hpp"

#include <gtest/gtest.h>

namespace setka {
namespace {

TEST(Log, ShowsWhatReachesTheLevel) {
  log::set_level(log::Level::info);
  ::testing::internal::CaptureStderr();
  log::debug("hidden {}", 1);
  log::info("shown {}", 2);
  log::error("bad {}", "thing");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "setka: info: shown 2\nsetka: error: bad thing\n");
}

TEST(Log, OffMeansOff) {
  log::set_level(log::Level::off);
  ::testing::internal::CaptureStderr();
  log::error("hidden");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(log::enabled(log::Level::error));
  EXPECT_FALSE(log::enabled(log::Level::off));
}

}  // namespace
}  // namespace setka
