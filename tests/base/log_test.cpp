// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/log.hpp"

#include <string>

#include <gtest/gtest.h>

#include "setka/base/log_writer.hpp"

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

TEST(Log, GoesWhereTheProgramWantsIt) {
  log::set_level(log::Level::warning);
  std::string got;
  log::set_writer([&](log::Level level, std::string_view message) {
    got += (level == log::Level::warning ? "warning " : "error ") + std::string(message) + "\n";
  });
  ::testing::internal::CaptureStderr();
  log::info("hidden");
  log::warning("shown {}", 1);
  log::error("bad");
  log::set_writer({});
  log::warning("back");
  EXPECT_EQ(got, "warning shown 1\nerror bad\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "setka: warning: back\n");
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
