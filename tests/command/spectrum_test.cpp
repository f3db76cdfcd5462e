// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka spectrum, and records and response spectra in setka run.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dynamics/bar_deck.hpp"
#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SpectrumCommand : public ::testing::Test {
 protected:
  /// A step of 2 m/s², three seconds long.
  SpectrumCommand() {
    std::ofstream file(record_);
    file << "acceleration [m/s2], dt=0.01\n";
    for (int i = 0; i < 300; ++i) file << "2\n";
  }

  test::CommandResult run(const std::string& arguments, const std::string& before = "") const {
    return test::run_command(before + SETKA_COMMAND " spectrum " + record_.string() + " " + arguments);
  }

  void expect_refused(const std::string& arguments, const std::string& text) const {
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_THAT(result.error, HasSubstr(text)) << arguments;
    EXPECT_EQ(folder_.entries(), 1) << arguments;
  }

  test::ScratchFolder folder_;
  std::filesystem::path record_ = folder_ / "quake.csv";
};

TEST_F(SpectrumCommand, PrintsATableAndWritesCsvAndPlot) {
  const auto result = run("--damping 0.05,0.2 --periods 0.1,1,10");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("300 values, step 0.01 s"));
  EXPECT_THAT(result.out, HasSubstr("damping 20 %"));
  const std::string csv = test::content(folder_ / "quake-spectrum.csv");
  EXPECT_THAT(csv, StartsWith("period [s],frequency [Hz],damping,SD [m],SV [m/s],SA [m/s2]\n0.1,10,0.05,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 21);
  EXPECT_THAT(test::content(folder_ / "quake-spectrum.svg"), HasSubstr("damping 5 %"));
}

TEST_F(SpectrumCommand, JsonHasTheClosedForm) {
  const auto result = run("--json --damping 0.2 --frequencies 1,10,5 -o " + (folder_ / "s").string());
  ASSERT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["values"], 300);
  ASSERT_EQ(json["periods"].size(), 5U);
  EXPECT_NEAR(json["periods"][0], 0.1, 1e-12);
  const double expected = 2 * (1 + std::exp(-0.2 * std::numbers::pi / std::sqrt(1 - 0.04)));
  for (const auto& value : json["spectra"][0]["pseudo_acceleration"]) EXPECT_NEAR(value, expected, 1e-4);
  EXPECT_EQ(folder_.entries(), 3);
}

TEST_F(SpectrumCommand, ACardGoesIntoADeck) {
  const auto result = run("--damping 0.02,0.05 --frequencies 1,10,3 --card QUAKE");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("quake-spectrum.inc"));
  EXPECT_EQ(folder_.entries(), 4);
  const std::filesystem::path deck = folder_ / "bar.inp";
  std::ofstream(deck) << test::bar_deck(1,
                                        "*STEP\n*RESPONSE SPECTRUM\nQUAKE,1,0,0\n*MODAL "
                                        "DAMPING\n1,1,0.02\n*NODE PRINT,NSET=END\nU\n*END STEP\n",
                                        "*INCLUDE,INPUT=quake-spectrum.inc\n");
  const auto answer = test::run_command(SETKA_COMMAND " run --backend cpu --threads 1 " + deck.string());
  ASSERT_EQ(answer.code, 0) << answer.error;
  // Below 1 Hz the spectrum is that of 1 Hz, which for a step is 2 (1 + exp(-pi zeta)); the mode has w^2 = 9.
  const double expected = 2 * (1 + std::exp(-0.02 * std::numbers::pi / std::sqrt(1 - 0.0004))) / 9;
  const std::string dat = test::content(folder_ / "bar.dat");
  const auto row = dat.rfind("\n         5");
  ASSERT_NE(row, std::string::npos) << dat;
  EXPECT_NEAR(std::stod(dat.substr(row + 11)), expected, 1e-4) << dat;
}

TEST_F(SpectrumCommand, RefusesWhatIsWrong) {
  expect_refused("--card 'A B'", "--card 'A B' is no name of a spectrum");
  expect_refused("--damping 1", "--damping 1 is no ratio of critical damping");
  expect_refused("--periods 1,0.1,10", "--periods is not a range");
  expect_refused("--periods 0.1,1,10 --frequencies 1,10,5", "give one of them");
  expect_refused("--units stone", "'stone' is no unit of acceleration");
  expect_refused("--step -1", "--step -1 is no time step");
  std::ofstream(record_) << "time,acceleration\n0,1\n1,1\n";
  const auto result = run("");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.error,
            "setka: error: " + record_.string() +
                ":1: the header does not say the unit of the accelerations; begin the file with a "
                "line as 'time [s], acceleration [m/s2]'; units are g, m/s2, cm/s2, gal, mm/s2, "
                "ft/s2 or in/s2\n");
}

TEST_F(SpectrumCommand, AFullDiskLeavesNothing) {
  const auto result = run("-q", "ulimit -f 1; ");
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.error, HasSubstr("quake-spectrum.csv cannot be written"));
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(SpectrumCommand, RecordsAndSpectraOfDecksRunToTheEnd) {
  const std::filesystem::path deck = folder_ / "bar.inp";
  std::ofstream(deck) << test::bar_deck(
      2,
      "*STEP,INC=1000\n*MODAL DYNAMIC\n0.01,1\n*MODAL DAMPING\n1,2,0.05\n*BASE MOTION,DOF=1,AMPLITUDE=Q\n"
      "*NODE PRINT,NSET=END\nU,A\n*END STEP\n"
      "*STEP\n*RESPONSE SPECTRUM,SUM=CQC,MISSING MASS\nS,1,0,0\n*NODE FILE\nU,V,RF\n*EL FILE\nS\n*END STEP\n",
      "*AMPLITUDE,NAME=Q,INPUT=quake.csv\n*SPECTRUM,NAME=S,TYPE=G\n1,0.1,0.05\n0.2,33,0.05\n", 1);
  const auto run = [&](const std::string& before) {
    return test::run_command(before + SETKA_COMMAND " run --backend cpu --threads 1 " + deck.string());
  };
  const auto full = run("ulimit -f 16; ");
  EXPECT_EQ(full.code, 4) << full.out;
  EXPECT_THAT(full.error, HasSubstr("bar.dat cannot be written"));
  for (const char* name : {"bar.dat", "bar.frd", "bar.pvd"})
    EXPECT_FALSE(std::filesystem::exists(folder_ / name)) << name;
  const auto result = run("");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(test::content(folder_ / "bar.dat"), HasSubstr("accelerations (ax,ay,az) for set END"));
  EXPECT_THAT(test::content(folder_ / "bar.frd"), ::testing::AllOf(HasSubstr("VELO"), HasSubstr("STRESS")));
}

}  // namespace
}  // namespace setka
