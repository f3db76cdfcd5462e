// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Stationary cases that are interrupted and killed go on with the bits of an undisturbed run.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <string>
#include <thread>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_folder.hpp"
#include "support/running_command.hpp"

namespace setka {
namespace {

class DiskState : public test::CommandFolder {
 protected:
  void SetUp() override {
    if (without_cases()) GTEST_SKIP() << "built without toml++";
  }

  /// Never converges.
  static std::string case_text(const std::string& storage, std::int64_t sweeps,
                               const std::string& further = "") {
    return fmt::format(
        "scheme = \"jacobi\"\nsource = 1.0\n[grid]\ncells = [40, 30, 30]\nspacing = 0.1\n[boundary]\n"
        "x = {{ kind = \"dirichlet\", value = 0.0 }}\ny = {{ kind = \"dirichlet\", value = 1.0 }}\n"
        "z = {{ kind = \"dirichlet\", value = 2.0 }}\n[stationary]\ntolerance = 1e-300\nmax-iterations = {}\n"
        "storage = \"{}\"\n{}",
        sweeps, storage, further);
  }
  test::RunningCommand running(const std::string& arguments) const {
    return {folder_.path(), command_ + arguments};
  }
  test::CommandResult grid(const std::string& arguments) const { return setka(command_ + arguments); }

  /// Interrupts what runs; the sweeps of the checkpoint that it then writes.
  static std::int64_t interrupt(test::RunningCommand& run) {
    run.signal(SIGINT);
    EXPECT_EQ(run.code(), 130);
    const std::string errors = run.errors();
    std::smatch found;
    const bool told =
        std::regex_search(errors, found, std::regex("interrupted after sweep ([0-9]+) of [0-9]+; case."));
    EXPECT_TRUE(told) << errors;
    return told ? std::stoll(found[1]) : 0;
  }

  /// Brings what was disturbed to its end, so many sweeps in all, which is that of a run left alone.
  void expect_same_end(const std::string& storage, std::int64_t sweeps) const {
    write("case.toml", case_text(storage, sweeps));
    write("whole.toml", case_text(storage, sweeps));
    const auto rest = grid("case.toml --continue");
    EXPECT_EQ(rest.code, 3) << rest.error;
    ASSERT_EQ(grid("whole.toml").code, 3);
    if (storage == "disk") {
      const std::string last = fmt::format(".state-{}.npy", sweeps);
      EXPECT_EQ(text_of("case" + last), text_of("whole" + last));
      EXPECT_FALSE(exists("case.state.npy"));
    } else {
      // Values and count, behind the same problem.
      EXPECT_EQ(text_of("case.checkpoint"), text_of("whole.checkpoint"));
    }
  }

  static constexpr std::int64_t endless = 1'000'000'000;  // sweeps: nothing stops it but a signal
  static constexpr std::int64_t more = 150;               // that are left when it has been disturbed enough
  std::string command_ = "grid -q --backend cpu --threads 1 ";
};

TEST_F(DiskState, InterruptedContinuedKilledContinuedHasTheSameBits) {
  write("case.toml", case_text("disk", endless));
  std::int64_t sweeps = 0;
  {
    auto run = running("case.toml");
    ASSERT_TRUE(run.runs_until([&] { return exists("case.state.npy") && run.catches_signals(); }))
        << run.errors();
    sweeps = interrupt(run);
  }
  ASSERT_TRUE(exists("case.checkpoint"));
  for (const int milliseconds : {0, 20, 100}) {  // any moment will do
    auto run = running("case.toml --continue");
    ASSERT_TRUE(run.runs_until([&] { return exists("case.state.npy"); })) << run.errors();
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    run.signal(SIGKILL);
    EXPECT_EQ(run.code(), 137) << run.errors();
  }
  expect_same_end("disk", sweeps + more);
}

TEST_F(DiskState, CheckpointsAreWrittenOnTheWay) {
  for (const std::string storage : {"disk", "memory"}) {
    SCOPED_TRACE(storage);
    write("case.toml", case_text(storage, endless, "[checkpoint]\nevery = 150\n"));
    // Killed again and again, it comes further all the same.
    for (const int checkpoints : {1, 3, 2}) {
      test::FileVersions checkpoint(folder_ / "case.checkpoint");
      auto run = running(exists("case.checkpoint") ? "case.toml --continue" : "case.toml");
      ASSERT_TRUE(run.runs_until([&] { return checkpoint.count() >= checkpoints; })) << run.errors();
      run.signal(SIGKILL);
      EXPECT_EQ(run.code(), 137);
    }
    test::FileVersions checkpoint(folder_ / "case.checkpoint");
    auto run = running("case.toml --continue");
    ASSERT_TRUE(run.runs_until([&] { return checkpoint.count() > 0; })) << run.errors();
    const std::int64_t sweeps = interrupt(run);
    EXPECT_GE(sweeps, (1 + 3 + 2 + 1) * 150);
    expect_same_end(storage, sweeps + more);
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      std::filesystem::remove(entry.path());
  }
}

TEST_F(DiskState, AStateThatIsReachedLeavesNoCheckpoint) {
  std::string text = case_text("disk", endless, "[checkpoint]\nevery = 100\n");
  text.replace(text.find("1e-300"), 6, "1e-3");
  write("case.toml", text);
  const auto result = grid("case.toml");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(exists("case.npy"));
  EXPECT_EQ(folder_.entries(), 3);  // the case, the result and what is known of it
}

}  // namespace
}  // namespace setka
