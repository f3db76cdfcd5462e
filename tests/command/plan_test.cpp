// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// Decks are planned in a folder with a profile of its own.
class PlanCommand : public ::testing::Test {
 protected:
  test::CommandResult setka(const std::string& arguments) const {
    return test::run_command("cd " + folder_.path().string() + " && SETKA_PROFILE=" +
                             folder_.path().string() + "/profile.json " + SETKA_COMMAND + " " + arguments);
  }
  void calibrate() const {
    const auto made = setka("calibrate --quick --backend cpu");
    ASSERT_EQ(made.code, 0) << made.error;
  }
  void example(const std::string& options) const {
    ASSERT_EQ(setka("example block --element C3D8 -o block.inp " + options).code, 0);
  }

  const test::ScratchFolder folder_;
};

TEST_F(PlanCommand, WithoutAProfileACalibrationIsAskedFor) {
  example("--size 1500");
  const auto plan = setka("plan block.inp --backend cpu");
  EXPECT_EQ(plan.code, 1);
  EXPECT_THAT(plan.error, HasSubstr("cpu has no profile"));
  EXPECT_THAT(plan.error, HasSubstr("run setka calibrate --backend cpu first"));
}

TEST_F(PlanCommand, SaysTimeMemoryAndTheChoice) {
  calibrate();
  example("--size 1500");
  const auto plan = setka("plan block --backend cpu --json");
  ASSERT_EQ(plan.code, 0) << plan.error;
  const json found = json::parse(plan.out);
  EXPECT_LT(found["seconds"]["low"], found["seconds"]["middle"]);
  EXPECT_LT(found["seconds"]["middle"], found["seconds"]["high"]);
  EXPECT_GT(found["host_memory"], 1e7);
  EXPECT_EQ(found["device_memory"], 0);
  EXPECT_GT(found["disk"], 1e4);
  EXPECT_TRUE(found["whole"]);
  ASSERT_GE(found["choices"].size(), 1U);
  double sum = 0;
  for (const json& stage : found["stages"]) sum += stage["seconds"]["middle"].get<double>();
  EXPECT_NEAR(sum, found["seconds"]["middle"], 1e-9);
  const auto text = setka("plan block.inp --backend cpu");
  EXPECT_THAT(text.out, HasSubstr("entries of the matrix"));
  EXPECT_THAT(text.out, HasSubstr(found["chosen"].get<std::string>() + " on cpu"));
}

TEST_F(PlanCommand, ARunKeepsPredictedBesideMeasured) {
  calibrate();
  example("--size 1500 --modes 4");
  const auto plan = setka("plan block --backend cpu --json");
  ASSERT_EQ(plan.code, 0) << plan.error;
  const auto run = setka("run block --backend cpu --json > run.json; cat run.json");
  ASSERT_EQ(run.code, 0) << run.error;
  const json prediction = json::parse(run.out)["prediction"];
  EXPECT_EQ(prediction["counts"]["steps"], json::parse(plan.out)["counts"]["steps"]);
  EXPECT_EQ(prediction["chosen"], json::parse(plan.out)["chosen"]);
  double measured = 0;
  for (const json& stage : prediction["stages"]) measured += stage["measured"].get<double>();
  EXPECT_NEAR(measured, prediction["measured_seconds"], 1e-6);
  if (std::filesystem::exists(std::filesystem::path(SETKA_COMMAND).parent_path() /
                              "../share/setka/report.html")) {
    ASSERT_EQ(setka("report block --backend cpu").code, 0);
    EXPECT_THAT(test::content(folder_ / "block.html"), HasSubstr("Stages: predicted and measured"));
  }
  const auto review = setka("plan --review run.json");
  ASSERT_EQ(review.code, 0) << review.error;
  EXPECT_THAT(review.out, HasSubstr("time of a whole run, median error"));
  const auto refit = setka("plan --review run.json run.json run.json --refit --json");
  ASSERT_EQ(refit.code, 0) << refit.error;
  const json profile = json::parse(test::content(folder_ / "profile.json"));
  EXPECT_TRUE(profile["devices"][0].contains("corrections"));
  EXPECT_EQ(setka("plan --review block.inp").code, 1);
  EXPECT_EQ(setka("plan block.inp --refit").code, 2);
}

TEST_F(PlanCommand, WhatDoesNotFitIsRefusedWithTheNumbers) {
  calibrate();
  example("--size 60000");
  const auto plan = setka("plan block --backend cpu --memory 40MB");
  EXPECT_EQ(plan.code, 4) << plan.out;
  EXPECT_THAT(plan.out, HasSubstr("of memory, there are 38.1 MiB"));
  EXPECT_EQ(setka("plan block --backend cpu --memory 16GB").code, 0);
  const auto run = setka("run block --backend cpu --memory 10MB");
  EXPECT_EQ(run.code, 4);
  EXPECT_THAT(run.error, HasSubstr("unknowns do not fit: about"));
  EXPECT_THAT(run.error, HasSubstr("multigrid"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "block.frd")) << "nothing was begun";
}

TEST_F(PlanCommand, MemoryIsRefusedWithoutAProfileToo) {
  example("--size 60000");
  const auto run = setka("run block --backend cpu --memory 10MB");
  EXPECT_EQ(run.code, 4);
  EXPECT_THAT(run.error, HasSubstr("unknowns do not fit"));
}

TEST_F(PlanCommand, AnotherMachineIsPlannedForByItsProfile) {
  calibrate();
  example("--size 1500");
  ASSERT_EQ(std::rename((folder_ / "profile.json").c_str(), (folder_ / "other.json").c_str()), 0);
  const auto plan = setka("plan block --backend cpu --machine other.json --json");
  ASSERT_EQ(plan.code, 0) << plan.error;
  EXPECT_EQ(json::parse(plan.out)["device"], "cpu");
  EXPECT_EQ(setka("plan block --machine none.json").code, 1);
}

TEST_F(PlanCommand, StepsWithoutFormulasAreNamed) {
  calibrate();
  ASSERT_EQ(setka("example column --size 1000 --element C3D8I -o column.inp").code, 0);
  const auto plan = setka("plan column --backend cpu --json");
  ASSERT_EQ(plan.code, 0) << plan.error;
  EXPECT_FALSE(json::parse(plan.out)["whole"]);
  EXPECT_THAT(setka("plan column --backend cpu").out, HasSubstr("*BUCKLE: there are no formulas for it yet"));
}

TEST_F(PlanCommand, BenchHoldsPredictionsAgainstRuns) {
  calibrate();
  const auto bench = setka("bench plan --quick --backend cpu --json bench.json --plot bench.svg");
  ASSERT_EQ(bench.code, 0) << bench.error;
  const json found = json::parse(test::content(folder_ / "bench.json"));
  EXPECT_EQ(found["models"].size(), 3U);
  EXPECT_EQ(found["failed"].size(), 0U);
  for (const json& model : found["models"]) {
    EXPECT_GT(model["measured"], 0);
    EXPECT_GT(model["predicted"]["middle"], 0);
    EXPECT_GT(model["predicted_memory"], 1e7);
  }
  EXPECT_THAT(bench.out, HasSubstr("never used to fit"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "bench.svg"));
}

}  // namespace
}  // namespace setka
