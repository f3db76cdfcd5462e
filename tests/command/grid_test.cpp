// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka grid: cases that run, are refused, are interrupted and go on.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scratch_folder.hpp"
#include "setka/base/config.hpp"
#include "setka/exec/device.hpp"
#include "setka/io/grid_case.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

std::string case_text(const std::string& scheme, const std::string& steps, const std::string& more = "") {
  return fmt::format(R"(scheme = "{}"
source = 1.0
[grid]
cells = [12, 10]
lengths = [1.2, 1.0]
[boundary]
x = "periodic"
y-low = {{ kind = "dirichlet", value = 1.0 }}
[diffusivity]
value = 1.0
[[diffusivity.shape]]
kind = "stripes"
axis = "x"
period = 0.4
width = 0.2
value = 3.0
[time]
step = 0.0005
{}
{})",
                     scheme, steps, more);
}

class GridCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!io::can_read_grid_cases()) GTEST_SKIP() << "built without toml++";
  }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  test::CommandResult grid(const std::string& arguments) const {
    return test::run_command("OMP_WAIT_POLICY=passive " SETKA_COMMAND " grid --backend " + backend_ + " " +
                             arguments);
  }
  nlohmann::json json_of(const std::string& arguments) const {
    const auto result = grid("--json -q " + arguments);
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_EQ(result.error, "");
    return nlohmann::json::parse(result.out);
  }
  void expect_error(const std::string& text, const std::string& message,
                    const std::string& arguments = "") const {
    const std::string path = file("case.toml", text);
    const auto result = grid("-q " + path + " " + arguments);
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.error, "setka: error: " + path + ":" + message + "\n");
    EXPECT_EQ(folder_.entries(), 1);
  }

  std::string backend_ = "cpu";
  test::ScratchFolder folder_;
};

TEST_F(GridCommand, runs_a_case_and_says_what_came_out) {
  const std::string path = file(
      "case.toml", case_text("lod", "steps = 40",
                             "[output]\nfolder = \"out\"\nevery = 20\nformats = [\"vti\", \"npy\", \"png\"]\n"
                             "[[probe]]\nname = \"p\"\nat = [0.55, 0.05]\n"));
  const nlohmann::json json = json_of(path);
  EXPECT_EQ(json["scheme"], "lod");
  EXPECT_EQ(json["cells"], (std::vector<int>{12, 10}));
  EXPECT_EQ(json["steps"], 40);
  EXPECT_DOUBLE_EQ(json["time"].get<double>(), 0.02);
  EXPECT_GT(json["total"].get<double>(), 0.02 * 1.2);  // what the source brought, and more through the side
  EXPECT_LT(json["largest"].get<double>(), 1.1);
  EXPECT_EQ(json["files"].size(), 11U);
  for (const auto& name : json["files"])
    EXPECT_TRUE(std::filesystem::exists(name.get<std::string>())) << name;
  const std::string probes = test::content(folder_ / "out/case-probes.csv");
  EXPECT_THAT(probes, HasSubstr("time,p\n0,0\n0.0005,"));
  EXPECT_EQ(std::count(probes.begin(), probes.end(), '\n'), 42);

  const auto result = grid(path);
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("case: 12 x 10 cells, lod, double precision, 40 steps of 0.0005\n"));
  EXPECT_THAT(result.out, HasSubstr("least u"));
}

TEST_F(GridCommand, checks_a_case_without_computing) {
  const std::string path = file("case.toml", case_text("adi", "end = 1.0"));
  EXPECT_EQ(json_of("--check " + path)["steps"], 2000);
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(GridCommand, computes_the_same_in_single_precision_and_by_every_scheme) {
  const auto total = [&](const std::string& scheme, const std::string& before = "") {
    const std::string path =
        file("case.toml", before + case_text(scheme, "steps = 100", "[output]\nformats = []\n"));
    return json_of(path)["total"].get<double>();
  };
  const double adi = total("adi");
  EXPECT_NEAR(total("adi", "precision = \"single\"\n"), adi, 1e-5 * adi);
  EXPECT_NEAR(total("adi", "method = \"peaceman-rachford\"\n"), adi, 1e-12 * adi);
  EXPECT_NEAR(total("lod"), adi, 0.02 * adi);
  EXPECT_NEAR(total("explicit"), adi, 0.02 * adi);
}

TEST_F(GridCommand, refuses_cases_with_one_line) {
  expect_error(case_text("lod", "stepz = 4"),
               "19: unknown key 'stepz' in time; did you mean 'step'? the keys are step, steps and end");
  std::string unstable = case_text("explicit", "steps = 4");
  unstable.replace(unstable.find("0.0005"), 6, "0.0015");
  expect_error(
      unstable,
      "18: time.step is 0.0015, but explicit steps are stable up to 0.00095238 on this grid; take a step no "
      "longer than that, or scheme = \"lod\" or \"adi\", which are stable for any");
  const auto missing = grid("-q " + (folder_ / "none.toml").string());
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.error, HasSubstr("none.toml"));
  const std::string path = file("case.toml", case_text("lod", "steps = 4"));
  const auto nothing = grid("-q --continue " + path);
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.error, HasSubstr("there is no checkpoint " + (folder_ / "case.checkpoint").string()));
}

TEST_F(GridCommand, goes_on_with_the_same_bits) {
  std::vector<std::string> backends{"cpu"};
  if (exec::why_no_cuda().empty()) backends.emplace_back("cuda");
  for (const std::string& backend : backends) {
    backend_ = backend;
    for (const std::string scheme : {"lod", "adi", "explicit"}) {
      const std::string more =
          "[output]\nformats = [\"npy\"]\n[checkpoint]\nevery = 7\n[[probe]]\nat = [0.5, 0.5]\n";
      const std::string whole = file("whole.toml", case_text(scheme, "steps = 30", more));
      json_of(whole);
      const std::string path = file("case.toml", case_text(scheme, "steps = 11", more));
      json_of(path);
      file("case.toml", case_text(scheme, "steps = 30", more));
      EXPECT_EQ(json_of("--continue " + path)["first_step"], 11);
      EXPECT_EQ(test::content(folder_ / "case.npy"), test::content(folder_ / "whole.npy")) << scheme;
      const auto nothing = grid("-q --continue " + path);
      EXPECT_EQ(nothing.code, 1);
      EXPECT_THAT(nothing.error, HasSubstr("nothing is left to do; raise time.steps or time.end to go on"));
    }
  }
}

TEST_F(GridCommand, writes_a_checkpoint_when_it_is_interrupted) {
  const std::string more = "[output]\nformats = [\"vti\", \"npy\"]\nevery = 1000000000\n";
  const std::string path = file("case.toml", case_text("lod", "steps = 1000000000", more));
  // The first frame tells that steps are on their way.
  const auto result = test::run_command(fmt::format(
      "(cd {}; OMP_WAIT_POLICY=passive {} grid --backend cpu --threads 1 -q case.toml & pid=$!; "
      "while [ ! -f case-00000000.vti ]; do sleep 0.01; done; sleep 0.05; kill -TERM $pid; wait $pid)",
      folder_.path().string(), SETKA_COMMAND));
  EXPECT_EQ(result.code, 130);
  std::smatch found;
  ASSERT_TRUE(
      std::regex_search(result.error, found,
                        std::regex("interrupted after step ([0-9]+) of 1000000000; case.checkpoint is "
                                   "written; go on with --continue")))
      << result.error;
  const long end = std::stol(found[1]) + 5;
  const std::string last = fmt::format("steps = {}", end);
  file("case.toml", case_text("lod", last, more));
  const std::string whole = file("whole.toml", case_text("lod", last, more));
  EXPECT_EQ(json_of("--continue " + path)["first_step"], end - 5);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.checkpoint"));
  json_of(whole);
  const std::string name = fmt::format("-{:08}.npy", end);
  EXPECT_EQ(test::content(folder_ / ("case" + name)), test::content(folder_ / ("whole" + name)));
  EXPECT_THAT(test::content(folder_ / "case.pvd"), HasSubstr("case-00000000.vti"));
}

}  // namespace
}  // namespace setka
