// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka sweep: tridiagonal systems of arrays in files.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scratch_folder.hpp"
#include "plan/made_up_profile.hpp"
#include "setka/base/config.hpp"
#include "setka/exec/device.hpp"
#include "setka/io/npy.hpp"
#include "setka/plan/profile.hpp"
#include "support/random.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

class SweepCommand : public ::testing::Test {
 protected:
  using Shape = std::vector<std::int64_t>;

  SweepCommand() { write("d", {3, 4, 5}, test::random_values<double>(60, 1)); }

  void write(const std::string& name, const Shape& shape, const std::vector<double>& values) const {
    io::write_npy(folder_ / (name + ".npy"), shape, values);
  }
  std::string file(const std::string& name) const { return (folder_ / (name + ".npy")).string(); }

  test::CommandResult run(const std::string& arguments) const {
    return test::run_command(SETKA_COMMAND " sweep " + arguments);
  }
  nlohmann::json json(const std::string& arguments) const {
    const auto result = run(arguments + " --json");
    EXPECT_EQ(result.code, 0) << result.error;
    return nlohmann::json::parse(result.out);
  }
  std::vector<double> values(const std::string& name) const {
    const io::NpyFile npy(folder_ / (name + ".npy"));
    std::vector<double> found(static_cast<std::size_t>(npy.size()));
    npy.read(0, found);
    return found;
  }
  void expect_refused(const std::string& arguments, int code, const std::string& text) const {
    const int before = folder_.entries();
    const auto result = run(arguments);
    EXPECT_EQ(result.code, code) << arguments;
    EXPECT_THAT(result.error, HasSubstr(text)) << arguments;
    EXPECT_EQ(folder_.entries(), before) << arguments;
  }

  test::ScratchFolder folder_;
};

TEST_F(SweepCommand, SolvesLinesAlongEveryAxisInEveryKindOfCoefficients) {
  const int rows[] = {3, 4, 5};
  const auto away_from_zero = [](std::vector<double> all) {
    for (double& value : all) value = 4 + value;
    return all;
  };
  write("diagonals", {3, 4, 5}, away_from_zero(test::random_values<double>(60, 2)));
  for (int axis = 0; axis < 3; ++axis) {
    write("shared", {rows[axis]}, away_from_zero(test::random_values<double>(rows[axis], 3)));
    for (const char* ends : {"", " --periodic"}) {
      for (const std::string& diagonal : {std::string("4.5"), file("shared"), file("diagonals")}) {
        const auto found = json(file("d") + " --lower -1 --upper " + "-0.5 --diagonal " + diagonal +
                                " --axis " + std::to_string(axis) + ends);
        EXPECT_EQ(found["lines"], 60 / rows[axis]);
        EXPECT_EQ(found["rows"], rows[axis]);
        EXPECT_LT(found["relative_residual"], 1e-14);
      }
    }
  }
  const auto single = json(file("d") + " --lower -1 --upper -1 --diagonal 4 --precision single");
  EXPECT_LT(single["relative_residual"], 1e-5);
  EXPECT_GT(single["relative_residual"], 1e-9);
}

TEST_F(SweepCommand, WritesTheSolutionAndSaysSo) {
  write("ones", {2, 6}, std::vector<double>(12, 2.0));
  const auto result = run(file("ones") + " --lower -1 --diagonal 4 --upper -1 --periodic");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("2 lines of 6 rows, periodic, coefficients constant, double precision"));
  EXPECT_THAT(result.out, HasSubstr("written: " + file("ones-solution")));
  for (const double value : values("ones-solution")) EXPECT_NEAR(value, 1, 1e-15);
  EXPECT_EQ(io::NpyFile(file("ones-solution")).shape(), (Shape{2, 6}));
}

// A made-up profile, said to be of this machine: 1 ns a value along memory and 2 ns across, thrice as long
// where lines are split.
TEST_F(SweepCommand, ThePredictionStandsBesideTheTime) {
  const std::string profile = (folder_.path() / "profile.json").string();
  const std::string with_profile = "SETKA_PROFILE='" + profile + "' " SETKA_COMMAND " sweep ";
  write("d", {100, 64}, test::random_values<double>(6400, 1));
  write("rows", {64}, std::vector<double>(64, 4.0));
  const std::string ring = file("d") + " --lower -1 --diagonal 4 --upper -1 --periodic --devices cpu";
  const auto none = test::run_command(with_profile + ring);
  EXPECT_THAT(none.out, HasSubstr("no prediction to compare with: cpu has no profile in " + profile));

  plan::DeviceProfile made_up = test::made_up_profile();
  made_up.hardware = plan::hardware_identity(exec::Device::cpu());
  plan::write_profile(profile, {version, {made_up}});
  const auto text = test::run_command(with_profile + ring);
  EXPECT_EQ(text.code, 0) << text.error;
  EXPECT_THAT(text.out, HasSubstr("predicted 6.40 us by the fused way, "));
  EXPECT_THAT(text.out,
              HasSubstr(" of it measured; of the model fused: 6.40 us, the least; next: split, 19.2 us\n"));
  const auto json = [&](const std::string& arguments) {
    return nlohmann::json::parse(test::run_command(with_profile + arguments + " --json").out)["predicted"];
  };
  EXPECT_NEAR(json(ring)["seconds"], 6.4e-6, 1e-12);
  EXPECT_EQ(json(ring)["way"], "fused");
  EXPECT_NEAR(json(ring + " --precision single")["seconds"], 3.2e-6, 1e-12);
  EXPECT_NEAR(json(ring + " --axis 0")["seconds"], 12.8e-6, 1e-11);
  // What there is no formula for is said.
  EXPECT_TRUE(json(ring + " --check-dominance").is_null());
  EXPECT_THAT(
      test::run_command(with_profile + file("d") + " --lower -1 --upper -1 --diagonal " + file("rows")).out,
      HasSubstr("no prediction to compare with: the model has no formula for coefficients that lines share"));
}

TEST_F(SweepCommand, RefusesWhatDoesNotFitAndWritesNothing) {
  write("short", {2}, {1, 2});
  write("zeros", {3, 4, 5}, std::vector<double>(60, 0.0));
  write("four", {1, 1, 1, 2}, {1, 2});
  const std::string others = " --lower -1 --upper -1 ";
  expect_refused(file("d") + others + "--diagonal " + file("short"), 1,
                 "short.npy: the coefficients are (2), but the right-hand side is (3, 4, 5)");
  expect_refused(file("d") + others + "--diagonal missing.npy", 1, "missing.npy");
  expect_refused(file("four") + others + "--diagonal 4", 1, "the array has 4 axes: (1, 1, 1, 2)");
  expect_refused(file("d") + others + "--diagonal 4 --axis 3", 2, "there is no axis 3 in an array (3, 4, 5)");
  expect_refused(file("d") + others, 2, "--diagonal is required");
  expect_refused(file("d") + others + "--diagonal 4 --precision half", 2, "half");
  expect_refused(file("d") + others + "--diagonal 4 -o " + file("d"), 2, "would overwrite");
  expect_refused(file("d") + others + "--diagonal " + file("zeros"), 1, "zero pivot in line 0, row 0");
  expect_refused(file("d") + others + "--diagonal 1 --check-dominance", 1, "is not diagonally dominant");
}

TEST_F(SweepCommand, WhatIsNotSolvedIsSaidAndNotWritten) {
  // A ring of -1, 2, -1 is singular; without dominance a sweep in single precision loses all digits.
  const std::string ring = file("d") + " --lower -1 --diagonal 2 --upper -1 --periodic";
  expect_refused(ring, 3, "the systems are not solved: the relative residual is ");
  expect_refused(ring, 3, "d-solution.npy was not written (--write-anyway does)");
  const auto as_json = run(ring + " --json -q");
  EXPECT_EQ(as_json.code, 3);
  const auto json = nlohmann::json::parse(as_json.out);
  EXPECT_FALSE(json["converged"]);
  EXPECT_EQ(json["files"].size(), 0U);

  const std::int64_t rows = 60;
  write("long", {rows}, test::random_values<double>(rows, 5));
  const std::string wild = file("long") + " --lower 3 --diagonal 1e-4 --upper 1 --precision single";
  expect_refused(wild, 3, "or more digits than single precision has");
  const auto asked = run(wild + " --write-anyway");
  EXPECT_EQ(asked.code, 3);
  EXPECT_THAT(asked.error, HasSubstr("long-solution.npy holds what came out"));
  EXPECT_EQ(values("long-solution").size(), static_cast<std::size_t>(rows));
  const std::string good = file("d") + " --lower -1 --diagonal 4 --upper -1 ";
  EXPECT_EQ(run(good + "--precision single --tolerance 1e-12").code, 3);
  EXPECT_EQ(run(good + "--tolerance 1e-12").code, 0);
  expect_refused(good + "--tolerance 0", 2, "--tolerance 0 is not above zero");
}

}  // namespace
}  // namespace setka
