// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/progress.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace setka {
namespace {

TEST(Progress, BarShowsShareRateTimeLeftAndNote) {
  const ProgressState state{"assemble", 6'000'000, 10'000'000, "elements", "residual 1e-5", 5};
  EXPECT_EQ(
      progress_bar(state, 200),
      "assemble             [##############----------]  60 %, 1.20 M elements/s, 3.33 s left, residual 1e-5");
}

TEST(Progress, BarFitsTheTerminal) {
  const ProgressState state{"assemble", 6'000'000, 10'000'000, "elements", "residual 1e-5", 5};
  EXPECT_EQ(progress_bar(state, 30).size(), 30);
}

TEST(Progress, UnknownTotalShowsACount) {
  const ProgressState state{"search", 1500, 0, "vectors", "", 3};
  EXPECT_EQ(progress_line(state), "search: 1.50 k vectors, 500 vectors/s");
}

TEST(Progress, MoreThanExpectedStaysAtHundred) {
  const ProgressState state{"solve", 15, 10, "", "", 1};
  EXPECT_EQ(progress_line(state), "solve: 100 % (15 of 10), 15/s");
}

TEST(Progress, NothingDoneYetGivesNoRate) {
  const ProgressState state{"solve", 0, 10, "", "", 0};
  EXPECT_EQ(progress_line(state), "solve: 0 % (0 of 10)");
}

TEST(Progress, BarIsDrawnTenTimesASecondAndCleared) {
  std::string written;
  ProgressDisplay display(
      ProgressStyle::bar, [&](std::string_view text) { written += text; }, 40);
  for (int i = 1; i <= 100; ++i) display.update({"x", i, 100, "", "", 0.01 * i});
  std::size_t bars = 0;
  for (std::size_t at = written.find('['); at != std::string::npos; at = written.find("x  ", at + 1)) ++bars;
  EXPECT_GE(bars, 9);
  EXPECT_LE(bars, 11);
  written.clear();
  display.finish({"x", 100, 100, "", "", 1}, true);
  EXPECT_EQ(written, "\r\x1b[K");
}

TEST(Progress, LinesAreFiveSecondsApartWhateverGoesOnWithin) {
  std::string written;
  ProgressDisplay display(
      ProgressStyle::lines, [&](std::string_view text) { written += text; }, 80);
  for (int second = 1; second <= 11; ++second) {
    display.update({"iterations", 1, 0, "", "", 0.5});
    display.update({"steps", second, 0, "", "", static_cast<double>(second)});
  }
  EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 2) << written;
}

TEST(Progress, SilentWritesNothing) {
  ::testing::internal::CaptureStderr();
  ProgressDisplay display = ProgressDisplay::silent();
  display.update({"x", 1, 2, "", "", 100});
  display.finish({"x", 2, 2, "", "", 100}, true);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace setka
