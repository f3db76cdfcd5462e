// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/interrupt.hpp"

#include <csignal>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"

namespace setka {
namespace {

TEST(Interrupt, FirstSignalStopsTheStageInOrder) {
  catch_interrupts();
  Monitor monitor;
  Stage stage = monitor.stage("work", 10);
  stage.advance();
  EXPECT_FALSE(interrupted());
  std::raise(SIGINT);
  EXPECT_TRUE(interrupted());
  try {
    stage.advance();
    FAIL() << "the stage went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::interrupted);
  }
  catch_interrupts();
  EXPECT_FALSE(interrupted());
}

TEST(InterruptDeathTest, SecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        std::raise(SIGTERM);
        std::raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(InterruptDeathTest, TheFirstSignalSaysWhatTheSecondDoesWhicheverItIs) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        std::raise(SIGINT);
        std::raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM),
      "stopping at the next safe point; .* ends? it at once|again to end at once");
}

}  // namespace
}  // namespace setka
