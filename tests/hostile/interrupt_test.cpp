// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C in commands that compute for long without steps or iterations.
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "support/running_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

class Interrupted : public ::testing::TestWithParam<std::string> {
 protected:
  Interrupted() {
    std::ofstream record(folder_ / "quake.csv");
    record << "acceleration [m/s2], dt=0.01\n";
    for (int i = 0; i < 100'000; ++i) record << i % 7 << "\n";
  }

  test::ScratchFolder folder_;
};

TEST_P(Interrupted, StopsAndSaysSo) {
  // Each would compute for seconds at least; one that is through all the same when the signal comes runs
  // again.
  int code = 0;
  std::string errors;
  for (int attempt = 0; code == 0 && attempt < 10; ++attempt) {
    test::RunningCommand command(folder_.path(), GetParam());
    ASSERT_TRUE(command.runs_until([&] { return command.catches_signals(); })) << command.errors();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // any moment will do
    command.signal(SIGINT);
    code = command.code();
    errors = command.errors();
  }
  EXPECT_EQ(code, 130) << errors;
  EXPECT_THAT(errors, HasSubstr("setka: interrupt: stopping at the next safe point; a second signal "
                                "ends it at once\n"));
  EXPECT_THAT(errors, HasSubstr("setka: error: interrupted"));
}

INSTANTIATE_TEST_SUITE_P(Commands, Interrupted,
                         ::testing::Values("calibrate -o profile", "example block --size=1e7",
                                           "spectrum quake.csv --periods=0.001,10,100000",
                                           "bench integration --backend=cpu"),
                         [](const auto& tested) { return tested.param.substr(0, tested.param.find(' ')); });

}  // namespace
}  // namespace setka
