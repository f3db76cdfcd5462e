// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *DYNAMIC, EXPLICIT from the command line: files, interruptions, checkpoints, full disks.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_folder.hpp"
#include "support/running_command.hpp"
#include "support/sanitized.hpp"

namespace {

using setka::test::CommandResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A folder with a deck: a bar that is pulled, in so many steps.
class ExplicitCommand : public setka::test::CommandFolder {
 protected:
  void write_deck(int steps, const std::string& name = "bar", const std::string& velocity = "0") const {
    std::string text = "*NODE,NSET=ALL\n";
    for (int i = 0; i <= 8; ++i) {
      for (int k = 0; k < 4; ++k)
        text += fmt::format("{},{},{},{}\n", 4 * i + k + 1, i, k == 1 || k == 2 ? 1 : 0, k >= 2 ? 1 : 0);
    }
    text += "*ELEMENT,ELSET=E,TYPE=C3D8R\n";
    for (int i = 0; i < 8; ++i) {
      text += fmt::format("{}", i + 1);
      for (const int k : {0, 4, 5, 1, 3, 7, 6, 2}) text += fmt::format(",{}", 4 * i + k + 1);
      text += "\n";
    }
    text += fmt::format(
        "*NSET,NSET=BASE\n1,2,3,4\n*NSET,NSET=END\n33,34\n*MATERIAL,NAME=M\n*HYPERELASTIC,MOONEY-RIVLIN\n"
        "5,5,0.02\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nBASE,1,3\n"
        "*INITIAL CONDITIONS,TYPE=VELOCITY\nEND,1,{}\n"
        "*STEP,NLGEOM\n*DYNAMIC,EXPLICIT\n0.01,{}\n*CLOAD\nEND,2,0.1\n"
        "*NODE PRINT,NSET=END,NUMBER INTERVAL=6\nU,V,RF\n*EL PRINT,ELSET=E\nS\n*NODE FILE\nU\n*END STEP\n",
        velocity, 0.01 * steps);
    write(name + ".inp", text);
  }

  /// Runs bar.inp and stops it by a signal when some of its history is there, and that file: with as many
  /// steps as it takes for the signal to come before the end. The steps; what it says is left in `told`.
  int interrupted(int signal, const std::string& options, const char* file, std::string& told) const {
    const int expected = signal == SIGKILL ? 128 + SIGKILL : 130;
    for (int steps = many; steps <= 64 * many; steps *= 2) {
      write_deck(steps);
      setka::test::RunningCommand run(folder_.path(), "run bar --threads 1 " + options);
      run.runs_until([&] {
        if (!exists("bar.csv") || !exists(file)) return false;
        const std::string history = text_of("bar.csv");
        return std::count(history.begin(), history.end(), '\n') >= 20;
      });
      run.signal(signal);
      const int code = run.code();
      told = run.errors();
      if (code == expected) return steps;
      EXPECT_EQ(code, 0) << told;
    }
    ADD_FAILURE() << "no signal came before the end";
    return 0;
  }

  static constexpr int many = setka::test::sanitized ? 10'000 : 40'000;
};

TEST_F(ExplicitCommand, WritesAllFilesAndTellsEnergies) {
  write_deck(600);
  const CommandResult result = setka("run bar");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("600 increments by explicit steps, 6 of them written"), HasSubstr("of element"),
                    HasSubstr("kinetic"), HasSubstr("in hourglasses"), HasSubstr("bar.csv")));
  EXPECT_THAT(result.error, HasSubstr("600 explicit steps of 0.01 in double precision; the stable step is"));
  for (const char* name : {"bar.dat", "bar.frd", "bar.pvd", "bar.0006.vtu", "bar.csv"})
    EXPECT_TRUE(exists(name)) << name;
  EXPECT_FALSE(exists("bar.checkpoint"));
  EXPECT_THAT(
      text_of("bar.csv"),
      testing::StartsWith("step,time,dt,kinetic,internal,external,damping,drift,U1_33,U2_33,U3_33,U1_34"));
  EXPECT_THAT(text_of("bar.dat"),
              AllOf(HasSubstr("velocities (vx,vy,vz) for set END and time"), HasSubstr("stresses")));
  const CommandResult json = setka("run bar --json --precision single");
  ASSERT_EQ(json.code, 0) << json.error;
  EXPECT_THAT(json.out, AllOf(HasSubstr("\"precision\": \"single\""), HasSubstr("\"hourglass\"")));
  const CommandResult ccx = setka("ccx -i bar --quiet");
  EXPECT_EQ(ccx.code, 0) << ccx.error;
  EXPECT_THAT(setka("run bar --precision half").error, HasSubstr("it is double or single"));
}

TEST_F(ExplicitCommand, GoesOnAfterAnInterruptionWithTheSameBits) {
  std::string told;
  const int steps = interrupted(SIGINT, "--checkpoint-every 0.02", "bar.csv", told);
  ASSERT_GT(steps, 0);
  EXPECT_THAT(told, AllOf(HasSubstr("interrupted at the time"), HasSubstr("setka run bar --continue")));
  EXPECT_TRUE(exists("bar.checkpoint"));
  const std::string part = text_of("bar.csv");
  write_deck(steps, "whole");
  ASSERT_EQ(setka("run whole --threads 1").code, 0);
  const std::string dat = text_of("whole.dat");
  const std::string csv = text_of("whole.csv");
  ASSERT_FALSE(dat.empty());
  EXPECT_LT(part.size(), csv.size());

  // Neither another deck nor another precision goes on with it.
  std::filesystem::copy(folder_ / "bar.checkpoint", folder_ / "kept");
  const std::string deck = text_of("bar.inp");
  write_deck(steps + 1);
  const CommandResult other = setka("run bar --continue");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.error, HasSubstr("the checkpoint belongs to another deck"));
  write("bar.inp", deck);
  const CommandResult single = setka("run bar --continue --precision single");
  EXPECT_EQ(single.code, 1);
  EXPECT_THAT(single.error, HasSubstr("add --precision double"));
  std::string damaged = text_of("kept");
  damaged[damaged.size() / 2] ^= 1;
  write("bar.checkpoint", damaged);
  EXPECT_THAT(setka("run bar --continue").error, HasSubstr("damaged"));
  std::filesystem::copy(folder_ / "kept", folder_ / "bar.checkpoint",
                        std::filesystem::copy_options::overwrite_existing);

  const CommandResult rest = setka("run bar --continue --threads 2");
  ASSERT_EQ(rest.code, 0) << rest.error;
  EXPECT_EQ(text_of("bar.dat"), dat);
  EXPECT_EQ(text_of("bar.csv"), csv);
  EXPECT_EQ(text_of("bar.0006.vtu"), text_of("whole.0006.vtu"));
  EXPECT_TRUE(exists("bar.frd"));
  EXPECT_FALSE(exists("bar.checkpoint"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_THAT(entry.path().string(), Not(testing::EndsWith(".part")));
}

TEST_F(ExplicitCommand, GoesOnFromTheLastCheckpointOfAKilledRun) {
  std::string told;
  ASSERT_GT(interrupted(SIGKILL, "--checkpoint-every 0.001", "bar.checkpoint", told), 0);
  ASSERT_TRUE(exists("bar.checkpoint"));
  ASSERT_EQ(setka("run bar --continue --quiet").code, 0);
  const std::string dat = text_of("bar.dat");
  const std::string csv = text_of("bar.csv");
  ASSERT_EQ(setka("run bar --quiet").code, 0);
  EXPECT_EQ(text_of("bar.dat"), dat);
  EXPECT_EQ(text_of("bar.csv"), csv);
}

TEST_F(ExplicitCommand, ThereMustBeACheckpointToGoOnFrom) {
  write_deck(100);
  const CommandResult none = setka("run bar --continue");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.error,
              AllOf(HasSubstr("bar.checkpoint: there is no checkpoint"), HasSubstr("without --continue")));
}

/// A limit on the size of files is a disk that is full.
TEST_F(ExplicitCommand, AFullDiskLeavesNoPartOfAFile) {
  write_deck(60000);
  const CommandResult full = setka("run bar --threads 1 --quiet", "ulimit -f 16;");
  EXPECT_EQ(full.code, 4) << full.error;
  EXPECT_THAT(full.error, HasSubstr("cannot be written: File too large"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "bar.inp" || name == "bar.csv" || name.ends_with(".vtu")) << name;
  }
  const std::string csv = text_of("bar.csv");
  EXPECT_TRUE(csv.ends_with('\n'));  // whole rows
}

TEST_F(ExplicitCommand, ADriftOfEnergyIsAFailureThatKeepsResults) {
  write_deck(2000, "bar", "-200");
  const CommandResult drifted = setka("run bar");
  EXPECT_EQ(drifted.code, 3) << drifted.error;
  EXPECT_THAT(drifted.error, HasSubstr("step 1 has stopped: at the time"));
  EXPECT_THAT(drifted.error, HasSubstr("balance of energies has drifted"));
  EXPECT_TRUE(exists("bar.dat"));
  EXPECT_TRUE(exists("bar.csv"));
}

}  // namespace
