// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/monitor.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/iterations.hpp"
#include "setka/base/progress_listener.hpp"

namespace setka {
namespace {

/// A clock that stands until it is moved.
struct HandClock {
  double now = 0;
};

TEST(Monitor, NestsAndAddsUpStages) {
  HandClock clock;
  Monitor monitor(ProgressDisplay::silent(), [&] { return clock.now; });
  for (int i = 0; i < 3; ++i) {
    const Stage step = monitor.stage("step");
    {
      const Stage assemble = monitor.stage("assemble");
      clock.now += 1;
    }
    const Stage solve = monitor.stage("solve");
    clock.now += 2;
  }
  const StageTime root = monitor.times();
  EXPECT_EQ(root.seconds, 9);
  ASSERT_EQ(root.parts.size(), 1);
  const StageTime& step = root.parts[0];
  EXPECT_EQ(step.name, "step");
  EXPECT_EQ(step.visits, 3);
  EXPECT_EQ(step.seconds, 9);
  ASSERT_EQ(step.parts.size(), 2);
  EXPECT_EQ(step.parts[0].name, "assemble");
  EXPECT_EQ(step.parts[0].seconds, 3);
  EXPECT_EQ(step.parts[1].name, "solve");
  EXPECT_EQ(step.parts[1].seconds, 6);
}

TEST(Monitor, SameNameUnderAnotherParentIsAnotherStage) {
  HandClock clock;
  Monitor monitor(ProgressDisplay::silent(), [&] { return clock.now; });
  for (const char* name : {"first", "second"}) {
    const Stage outer = monitor.stage(name);
    const Stage inner = monitor.stage("solve");
    clock.now += 1;
  }
  const StageTime root = monitor.times();
  ASSERT_EQ(root.parts.size(), 2);
  EXPECT_EQ(root.parts[0].parts.at(0).seconds, 1);
  EXPECT_EQ(root.parts[1].parts.at(0).seconds, 1);
}

TEST(ConvergenceRecord, KeepsWhatFellAndNotWhatIsAroundIt) {
  Monitor monitor;
  Iterations(monitor, "before").advance("residual", 1, 1e-3);
  const ConvergenceRecord record(monitor);
  Monitor other;
  Iterations(other, "elsewhere").advance("residual", 1, 1e-3);
  {
    Iterations outer(monitor, "refinement");
    {
      Iterations inner(monitor, "CG", "products");
      inner.advance("residual", 1, 1e-3, 2);
      inner.advance("residual", 1e-2, 1e-3, 2);
    }
    outer.advance("residual", 1e-9, 1e-12);
  }
  EXPECT_EQ(record.given(), 2);
  ASSERT_EQ(record.kept().size(), 1U);
  const Convergence& kept = record.kept()[0];
  EXPECT_EQ(kept.name, "CG");
  EXPECT_EQ(kept.what, "residual");
  EXPECT_EQ(kept.unit, "products");
  EXPECT_EQ(kept.target, 1e-3);
  EXPECT_EQ(kept.counts, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(kept.values, (std::vector<double>{1, 1e-2}));
}

TEST(ConvergenceRecord, IsBoundedInSolutionsAndInValues) {
  Monitor monitor;
  const ConvergenceRecord record(monitor);
  for (int solution = 1; solution <= 20; ++solution) {
    Iterations iterations(monitor, std::to_string(solution));
    for (int k = 0; k < (solution == 1 ? 5000 : 1); ++k) iterations.advance("residual", k + 1.0, 1e-3);
  }
  EXPECT_EQ(record.given(), 20);
  ASSERT_EQ(record.kept().size(), 9U);
  EXPECT_EQ(record.kept().front().name, "1");
  EXPECT_EQ(record.kept().back().name, "20");
  const Convergence& longest = record.kept().front();
  EXPECT_LT(longest.values.size(), 2000U);
  EXPECT_GE(longest.values.size(), 1000U);
  for (std::size_t i = 0; i < longest.values.size(); ++i)
    EXPECT_EQ(longest.values[i], static_cast<double>(longest.counts[i]));
}

TEST(Iterations, HaveABarAndTimeLeftByTheFallOfTheirResidual) {
  HandClock clock;
  std::string drawn;
  Monitor monitor(ProgressDisplay(
                      ProgressStyle::bar, [&](std::string_view text) { drawn = text; }, 120),
                  [&] { return clock.now; });
  Iterations iterations(monitor, "solve");
  const auto iterate = [&](double residual) {
    clock.now += 1;
    iterations.advance("residual", residual, 1e-8);
  };
  iterate(1);
  EXPECT_THAT(drawn, testing::EndsWith("[------------------------]   0 %, residual 1.0e+00, 1 iterations"));
  iterate(1e-2);
  EXPECT_THAT(drawn, testing::EndsWith("[######------------------]  25 %, 6.00 s left, residual 1.0e-02, "
                                       "2 iterations"));
  iterate(5e-2);  // what has been reached counts
  EXPECT_THAT(drawn, testing::HasSubstr(" 25 %, 9.00 s left, residual 5.0e-02, 3 iterations"));
  iterate(1e-8);
  EXPECT_THAT(drawn, testing::HasSubstr("100 %, residual 1.0e-08, 4 iterations"));
  iterate(0);  // nothing to take the logarithm of
  EXPECT_THAT(drawn, testing::HasSubstr("100 %, residual 0.0e+00, 5 iterations"));
}

TEST(Monitor, AMovedStageEndsOnce) {
  HandClock clock;
  Monitor monitor(ProgressDisplay::silent(), [&] { return clock.now; });
  {
    Stage first = monitor.stage("work");
    const Stage second = std::move(first);
    clock.now += 5;
  }
  EXPECT_EQ(monitor.times().parts.at(0).seconds, 5);
}

TEST(Monitor, TextShowsSharesAndVisits) {
  const StageTime tree{"total", 10, 1, {{"assemble", 2.5, 4, {}}, {"solve", 7.5, 1, {}}}};
  const std::string text = format_stage_times(tree);
  EXPECT_THAT(text, ::testing::HasSubstr("  assemble"));
  EXPECT_THAT(text, ::testing::HasSubstr("2.50 s  25.0 %  in 4 visits"));
  EXPECT_THAT(text, ::testing::HasSubstr("7.50 s  75.0 %\n"));
}

TEST(Monitor, PlainProgressComesEveryFiveSeconds) {
  HandClock clock;
  std::string written;
  Monitor monitor(ProgressDisplay(ProgressStyle::lines, [&](std::string_view text) { written += text; }),
                  [&] { return clock.now; });
  {
    Stage stage = monitor.stage("solve", 100, "iterations");
    for (int i = 0; i < 11; ++i) {
      clock.now += 1;
      stage.advance();
    }
  }
  EXPECT_EQ(written,
            "solve: 5 % (5 of 100 iterations), 1 iterations/s, 1 min 35 s left\n"
            "solve: 10 % (10 of 100 iterations), 1 iterations/s, 1 min 30 s left\n"
            "solve: done in 11.0 s\n");
}

TEST(Monitor, TellsAListenerOfEveryAdvance) {
  std::vector<std::int64_t> done;
  std::vector<std::string> finished;
  Monitor monitor(display_to({[&](const ProgressState& state) { done.push_back(state.done); },
                              [&](const ProgressState& state) { finished.emplace_back(state.name); }}));
  {
    Stage stage = monitor.stage("solve", 3);
    stage.advance();
    stage.advance(2);
  }
  EXPECT_THAT(done, ::testing::ElementsAre(1, 3));
  EXPECT_THAT(finished, ::testing::ElementsAre("solve"));
}

TEST(Monitor, StopsWhenAListenerThrows) {
  int finished = 0;
  Monitor monitor(display_to({[](const ProgressState&) { throw std::runtime_error("enough"); },
                              [&](const ProgressState&) { ++finished; }}));
  const auto work = [&] {
    const Stage around = monitor.stage("step");
    Stage stage = monitor.stage("solve");
    stage.advance();
  };
  EXPECT_THROW(work(), std::runtime_error);
  EXPECT_EQ(finished, 2);
}

}  // namespace
}  // namespace setka
