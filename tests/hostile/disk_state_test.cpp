// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Stationary cases that are interrupted and killed go on with the bits of an undisturbed run.
#include <chrono>
#include <filesystem>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hostile/command_folder.hpp"
#include "support/sanitized.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

class DiskState : public test::CommandFolder {
 protected:
  void SetUp() override {
    if (without_cases()) GTEST_SKIP() << "built without toml++";
  }

  /// Never converges; so many sweeps take a second or two.
  static std::string case_text(const std::string& storage, const std::string& more = "") {
    return fmt::format(
        "scheme = \"jacobi\"\nsource = 1.0\n[grid]\ncells = [40, 30, 30]\nspacing = 0.1\n[boundary]\n"
        "x = {{ kind = \"dirichlet\", value = 0.0 }}\ny = {{ kind = \"dirichlet\", value = 1.0 }}\n"
        "z = {{ kind = \"dirichlet\", value = 2.0 }}\n[stationary]\ntolerance = 1e-300\nmax-iterations = {}\n"
        "storage = \"{}\"\n{}",
        sweeps, storage, more);
  }
  test::CommandResult grid(const std::string& arguments, const std::string& before = "") const {
    return setka("grid -q --backend cpu --threads 1 " + arguments, before);
  }
  /// The seconds that a whole run takes here, and its state.
  double whole(const std::string& storage) {
    write("whole.toml", case_text(storage));
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(grid("whole.toml").code, 3);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  }

  static constexpr int sweeps = test::sanitized ? 800 : 4000;
  std::string last_ = fmt::format(".state-{}.npy", sweeps);
};

TEST_F(DiskState, InterruptedContinuedKilledContinuedHasTheSameBits) {
  const double seconds = whole("disk");
  write("case.toml", case_text("disk"));
  const auto stopped = grid("case.toml", fmt::format("timeout -s INT {:.3f}", 0.3 * seconds));
  ASSERT_TRUE(exists("case.checkpoint")) << stopped.error;
  for (const double part : {0.15, 0.3, 0.45})
    grid("case.toml --continue", fmt::format("timeout -s KILL {:.3f}", part * seconds));
  if (exists("case.checkpoint") && !exists("case" + last_)) {
    EXPECT_EQ(grid("case.toml --continue").code, 3);
  }
  EXPECT_EQ(text_of("case" + last_), text_of("whole" + last_));
  EXPECT_FALSE(exists("case.state.npy"));
}

TEST_F(DiskState, CheckpointsAreWrittenOnTheWay) {
  for (const std::string storage : {"disk", "memory"}) {
    SCOPED_TRACE(storage);
    const double seconds = whole(storage);
    write("case.toml", case_text(storage, "[checkpoint]\nevery = 150\n"));
    // Killed again and again, it comes to its end all the same.
    int rounds = 0;
    for (int code = -1; code != 3 && rounds < 30; ++rounds) {
      const std::string go_on = exists("case.checkpoint") ? " --continue" : "";
      code = grid("case.toml" + go_on, fmt::format("timeout -s KILL {:.3f}", 0.6 * seconds)).code;
    }
    EXPECT_LT(rounds, 30);
    if (storage == "disk") {
      EXPECT_EQ(text_of("case" + last_), text_of("whole" + last_));
    } else {
      // Values and count, behind the same problem.
      EXPECT_EQ(text_of("case.checkpoint"), text_of("whole.checkpoint"));
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      std::filesystem::remove(entry.path());
  }
}

TEST_F(DiskState, AStateThatIsReachedLeavesNoCheckpoint) {
  std::string text = case_text("disk", "[checkpoint]\nevery = 100\n");
  text.replace(text.find("1e-300"), 6, "1e-3");
  write("case.toml", text);
  const auto result = grid("case.toml");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(exists("case.npy"));
  EXPECT_EQ(folder_.entries(), 3);  // the case, the result and what is known of it
}

}  // namespace
}  // namespace setka
