// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka grid: cases that run, are refused, are interrupted and go on.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command/grid_cases.hpp"
#include "plan/made_up_profile.hpp"
#include "setka/base/config.hpp"
#include "setka/exec/device.hpp"
#include "setka/io/npy.hpp"
#include "setka/plan/profile.hpp"
#include "support/random.hpp"
#include "support/run_command.hpp"
#include "support/tolerance.hpp"

namespace setka {
namespace {

using test::block_text;
using test::case_text;
using test::GridCommand;
using ::testing::HasSubstr;

TEST_F(GridCommand, runs_a_case_and_says_what_came_out) {
  const std::string path = file(
      "case.toml", case_text("lod", "steps = 40",
                             "[output]\nfolder = \"out\"\nevery = 40\nformats = [\"vti\", \"npy\", \"png\"]\n"
                             "[[probe]]\nname = \"p\"\nat = [0.55, 0.05]\n"));
  const nlohmann::json json = json_of(path);
  EXPECT_EQ(json["scheme"], "lod");
  EXPECT_EQ(json["cells"], (std::vector<int>{12, 10}));
  EXPECT_EQ(json["steps"], 40);
  EXPECT_DOUBLE_EQ(json["time"].get<double>(), 0.02);
  EXPECT_GT(json["total"].get<double>(), 0.02 * 1.2);  // what the source brought, and more through the side
  EXPECT_LT(json["largest"].get<double>(), 1.1);
  EXPECT_EQ(json["files"].size(), 9U);
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
  EXPECT_THAT(nothing.error, HasSubstr((folder_ / "case.checkpoint").string() + ": there is no checkpoint"));
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
      file("case.toml", case_text(scheme, "steps = 29", more));
      const auto further = grid("-q --continue " + path);
      EXPECT_EQ(further.code, 1);
      EXPECT_THAT(further.error, HasSubstr("has 30 steps already, and the case asks for 29; raise time.steps "
                                           "or time.end to go on"));
    }
  }
}

TEST_F(GridCommand, goes_on_with_the_files_it_began_with_alone) {
  const auto write_field = [&](const std::string& name, double value) {
    std::vector<double> values(120, 1.0);
    values[77] = value;
    io::write_npy(folder_ / name, {10, 12}, values);
  };
  for (const std::string field : {"source", "initial"}) {
    const auto text = [&](int steps) {
      std::string made = case_text("lod", fmt::format("steps = {}", steps),
                                   "[" + field + "]\nfile = \"field.npy\"\n[checkpoint]\nevery = 5\n");
      if (field == "source") made.erase(made.find("source = 1.0\n"), 13);
      return made;
    };
    write_field("field.npy", 2);
    const std::string path = file("case.toml", text(5));
    json_of(path);
    file("case.toml", text(9));
    write_field("field.npy", 3);
    const auto changed = grid("-q --continue " + path);
    EXPECT_EQ(changed.code, 1);
    EXPECT_EQ(changed.error,
              "setka: error: field.npy was changed or removed since " +
                  (folder_ / "case.checkpoint").string() +
                  " was written; bring it back as it was, or run the case without --continue\n");
    write_field("field.npy", 2);
    EXPECT_EQ(json_of("--continue " + path)["first_step"], 5);
  }
}

TEST_F(GridCommand, writes_results_from_a_checkpoint_of_the_end) {
  // With frames and without; the last of them is due as the end alone.
  for (const std::string output : {"", "every = 4\n"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      std::filesystem::remove(entry.path());
    const std::string path =
        file("case.toml", case_text("lod", "steps = 11",
                                    "[output]\nformats = [\"vti\", \"npy\", \"png\"]\nprobes-every = 2\n" +
                                        output + "[checkpoint]\nevery = 7\n[[probe]]\nat = [0.5, 0.5]\n"));
    json_of(path);
    std::map<std::string, std::string> whole;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      whole[entry.path().filename()] = test::content(entry.path());
    ASSERT_TRUE(whole.contains("case-probes.csv"));
    // As a run leaves it that is killed when all but the last frame and the checkpoint is missing.
    for (const auto& [name, text] : whole) {
      if (name == "case-probes.csv" || name == "case.pvd" || name == "case.result.json" ||
          name.find("11.") != std::string::npos || name == "case.npy")
        std::filesystem::remove(folder_ / name);
    }
    const auto json = json_of("--continue " + path);
    EXPECT_EQ(json["first_step"], 11);
    EXPECT_EQ(json["last_step"], 11);
    EXPECT_EQ(json["why_not_predicted"], "nothing was left to compute");
    for (const auto& [name, text] : whole) {
      if (name == "case.result.json") continue;
      EXPECT_EQ(test::content(folder_ / name), text) << name;
    }
    EXPECT_EQ(static_cast<std::size_t>(folder_.entries()), whole.size());
    const auto told = grid("--continue " + path);
    EXPECT_EQ(told.code, 0);
    EXPECT_THAT(told.error, HasSubstr("has all 11 steps: results are written from it; raise time.steps or "
                                      "time.end to go on"));
  }
}

TEST_F(GridCommand, writes_a_checkpoint_when_it_is_interrupted) {
  const std::string more = "[output]\nformats = [\"vti\", \"npy\"]\nevery = 1000000000\n";
  const std::string path =
      file("case.toml", case_text("lod", "steps = 1000000000", more + "[checkpoint]\nevery = 1000\n"));
  const std::string told = interrupted();
  std::smatch found;
  ASSERT_TRUE(
      std::regex_search(told, found,
                        std::regex("interrupted after step ([0-9]+) of 1000000000; case.checkpoint is "
                                   "written; go on with --continue")))
      << told;
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

TEST_F(GridCommand, finds_the_same_stationary_state_in_every_way) {
  const auto state = [&](const std::string& name, const std::string& scheme, const std::string& more) {
    nlohmann::json json = json_of(file(name + ".toml", block_text(scheme, more)));
    EXPECT_TRUE(json["converged"]);
    EXPECT_EQ(json["files"].size(), 4U);
    EXPECT_EQ(json["largest"], 4);
    return json;
  };
  const auto whole = state("whole", "jacobi", "tolerance = 1e-9\nmax-iterations = 600");
  EXPECT_EQ(whole["way"], "all of the grid on the device");
  // The state itself: it solves the equations in the middle of the block.
  const io::NpyFile npy(folder_ / "whole.npy");
  ASSERT_THAT(npy.shape(), ::testing::ElementsAre(25, 9, 11));
  std::vector<double> u(std::size_t{25} * 9 * 11);
  npy.read(0, u);
  const std::size_t at = (12 * 9 + 4) * 11 + 5;
  const double sum = u[at - 1] + u[at + 1] + u[at - 11] + u[at + 11] + u[at - 99] + u[at + 99];
  EXPECT_NEAR((6 * u[at] - sum) / 0.01, 2.0, 1e-5);
  const auto pyramids =
      state("pyramids", "jacobi", "tolerance = 1e-9\nmax-iterations = 600\nmemory = \"20kB\"");
  EXPECT_THAT(pyramids["way"].get<std::string>(), HasSubstr("pyramids of height"));
  const auto sor = state("sor", "sor", "tolerance = 1e-9");
  EXPECT_LT(sor["sweeps"].get<int>(), whole["sweeps"].get<int>() / 3);
  for (const char* const name : {"pyramids.npy", "sor.npy"}) {
    std::vector<double> other(u.size());
    io::NpyFile(folder_ / name).read(0, other);
    EXPECT_TRUE(test::all_near(other, u, 1e-6)) << name;
  }
  EXPECT_THAT(test::content(folder_ / "whole.vti"), HasSubstr("WholeExtent=\"0 10 0 8 0 24\""));
  EXPECT_THAT(test::content(folder_ / "whole.vti"), HasSubstr("<PointData Scalars=\"u\">"));
}

/// block_text() with other words in the place of some.
std::string replaced(std::string text, const std::string& words, const std::string& others) {
  return text.replace(text.find(words), words.size(), others);
}

TEST_F(GridCommand, computes_stationary_states_on_the_disk_as_in_memory) {
  const auto source = test::random_values<double>(std::int64_t{25} * 9 * 11, 4);
  io::write_npy(folder_ / "source.npy", {25, 9, 11}, source);
  const std::string formats = R"(formats = ["vti", "npy", "png"])";
  const std::string from_file = R"(source = { file = "source.npy" })";
  const std::string shapes =
      R"(source = { file = "source.npy", shape = [ { kind = "box", from = [0.2, 0.2, 0.3], to = [0.6, 0.6, 1.0], value = 9.0 } ] })";
  const std::string ends = "tolerance = 1e-9\nmax-iterations = 600";
  for (const std::string& given :
       {std::string("source = 2.0"), std::string("source = 0.0"), from_file, shapes}) {
    for (const std::string precision : {"double", "single"}) {
      for (const std::string memory : {"", "\nmemory = \"20kB\""}) {
        const std::string text =
            "precision = \"" + precision + "\"\n" +
            replaced(block_text("jacobi", (precision == "single" ? "tolerance = 1e-4" : ends) + memory),
                     "source = 2.0", given);
        json_of(file("whole.toml", replaced(text, formats, R"(formats = ["npy"])")));
        const auto json = json_of(file("disk.toml", replaced(text, formats, "") + "\nstorage = \"disk\"\n"));
        EXPECT_TRUE(json["converged"]);
        EXPECT_EQ(json["files"].size(), 2U);
        EXPECT_EQ(json["files"][0], (folder_ / "disk.npy").string());
        EXPECT_EQ(test::content(folder_ / "disk.npy"), test::content(folder_ / "whole.npy"))
            << given << ", " << precision << memory;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "disk.state.npy"));
        EXPECT_FALSE(std::filesystem::exists(folder_ / "disk.source.npy"));
      }
    }
  }
}

TEST_F(GridCommand, goes_on_with_a_state_on_the_disk) {
  const auto text = [](const std::string& sweeps) {
    return replaced(block_text("jacobi", "tolerance = 1e-9\nstorage = \"disk\"\nmax-iterations = " + sweeps),
                    R"("vti", "npy", "png")", R"("npy")");
  };
  const std::string path = file("case.toml", text("200"));
  EXPECT_EQ(grid("-q " + path).code, 3);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.npy"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "case.state-200.npy"));
  file("case.toml", text("600"));
  std::filesystem::rename(folder_ / "case.state-200.npy", folder_ / "away.npy");
  const auto missing = grid("-q --continue " + path);
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.error, HasSubstr("case.state-200.npy: cannot read the file"));
  io::write_npy(folder_ / "case.state-200.npy", {2}, std::vector<float>{1, 2});
  EXPECT_THAT(grid("-q --continue " + path).error,
              HasSubstr("case.state-200.npy: the array is not of shape (25, 9, 11) and 8 bytes a number"));
  std::filesystem::rename(folder_ / "away.npy", folder_ / "case.state-200.npy");
  // A run that cannot begin leaves the state of the one before alone.
  io::write_npy(folder_ / "short.npy", {2}, std::vector<float>{1, 2});
  const std::string before = test::content(folder_ / "case.state-200.npy");
  file("case.toml", replaced(text("600"), "source = 2.0", R"(source = { file = "short.npy" })"));
  EXPECT_EQ(grid("-q " + path).code, 1);
  EXPECT_EQ(test::content(folder_ / "case.state-200.npy"), before);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.state.npy.new"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.source.npy"));
  file("case.toml", text("600"));
  EXPECT_TRUE(json_of("--continue " + path)["converged"]);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.state-200.npy"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.state.npy"));
  json_of(file("whole.toml", block_text("jacobi", "tolerance = 1e-9\nmax-iterations = 600")));
  EXPECT_EQ(test::content(folder_ / "case.npy"), test::content(folder_ / "whole.npy"));
  // One that begins anew has no use for its checkpoint.
  file("case.toml", text("200"));
  EXPECT_EQ(grid("-q " + path).code, 3);
  file("case.toml", text("600"));
  EXPECT_TRUE(json_of(path)["converged"]);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.checkpoint"));
  file("case.toml", block_text("jacobi", "storage = \"disk\""));
  EXPECT_THAT(grid("-q " + path).error,
              HasSubstr("output has formats that a grid on the disk is not written in"));
  file("case.toml", text("600"));
  const auto full = test::run_command("ulimit -f 8; " SETKA_COMMAND " grid -q --backend cpu " + path);
  EXPECT_EQ(full.code, 4);
  EXPECT_THAT(full.error, HasSubstr("case.state.npy"));
  EXPECT_THAT(full.error, HasSubstr("no room of "));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.state.npy"));
  file("case.toml", block_text("jacobi", "storage = \"tape\""));
  EXPECT_THAT(grid("-q " + path).error, HasSubstr("tape"));
}

TEST_F(GridCommand, stops_and_goes_on_where_a_state_is_not_reached) {
  const std::string path = file("case.toml", block_text("jacobi", "tolerance = 1e-9\nmax-iterations = 200"));
  const auto result = grid("-q " + path);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.error,
              HasSubstr("after 200 sweeps, tolerance 1.0e-09; raise stationary.max-iterations and"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.npy"));
  const std::string checkpoint = test::content(folder_ / "case.checkpoint");
  const auto again = grid("-q --continue " + path);
  EXPECT_EQ(again.code, 3);
  EXPECT_EQ(again.error, result.error);  // the change too
  EXPECT_EQ(test::content(folder_ / "case.checkpoint"), checkpoint);
  file("case.toml", block_text("jacobi", "tolerance = 1e-9\nmax-iterations = 600"));
  EXPECT_TRUE(json_of("--continue " + path)["converged"]);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "case.checkpoint"));
  json_of(file("whole.toml", block_text("jacobi", "tolerance = 1e-9\nmax-iterations = 600")));
  EXPECT_EQ(test::content(folder_ / "case.npy"), test::content(folder_ / "whole.npy"));
}

TEST_F(GridCommand, refuses_stationary_cases_that_no_scheme_is_for) {
  const auto message = [&](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    const auto result = grid("-q " + file("case.toml", text));
    EXPECT_NE(result.code, 0);
    return result.error;
  };
  const std::string text = block_text("jacobi", "tolerance = 1e-3");
  EXPECT_THAT(
      message(text, R"({ kind = "dirichlet", value = 0.0 })", "\"periodic\""),
      HasSubstr(
          "case.toml:7: a side without a given value is not for scheme = \"jacobi\"; stationary schemes"));
  EXPECT_THAT(message(text, "source = 2.0", "reaction = 2.0"),
              HasSubstr("case.toml:2: a reaction is not for"));
  EXPECT_THAT(message(block_text("sor", "memory = \"20kB\""), "2.0", "2.0"),
              HasSubstr("take scheme = \"jacobi\", which computes such grids in pyramids"));
}

TEST_F(GridCommand, plans_only_with_a_profile_of_the_machine) {
  const std::string path = file("case.toml", block_text("jacobi", "tolerance = 1e-3"));
  const auto result = test::run_command("SETKA_PROFILE=" + (folder_ / "none.json").string() +
                                        " " SETKA_COMMAND " plan --backend cpu " + path);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error, HasSubstr("none.json; run setka calibrate --backend cpu first"));
}

TEST_F(GridCommand, plans_what_is_fastest_by_the_profile) {
  plan::DeviceProfile profile = test::made_up_profile();
  profile.hardware = plan::hardware_identity(exec::Device::cpu());
  plan::write_profile(folder_ / "profile.json", {version, {profile}});
  const auto planned = [&](const std::string& text) {
    const auto result =
        test::run_command("SETKA_PROFILE=" + (folder_ / "profile.json").string() +
                          " " SETKA_COMMAND " plan --json --backend cpu " + file("case.toml", text));
    EXPECT_EQ(result.code, 0) << result.error;
    return nlohmann::json::parse(result.out);
  };
  EXPECT_EQ(planned(block_text("jacobi", "tolerance = 1e-3"))["chosen"], "all of the grid on the device");
  const auto small = planned(block_text("jacobi", "memory = \"20kB\""));
  EXPECT_THAT(small["chosen"].get<std::string>(), HasSubstr("pyramids, height"));
  EXPECT_THAT(small["choices"][0]["lacks"].get<std::string>(), HasSubstr("needs 58.0 KiB"));
  EXPECT_EQ(small["notes"].size(), 0U);
  const auto given = planned(replaced(block_text("jacobi", "height = 3\nplanes = 5\nstorage = \"disk\""),
                                      R"("vti", "npy", "png")", R"("npy")"));
  EXPECT_EQ(given["asked_for"], "skewed pyramids, height 3, blocks of 5 planes");
  EXPECT_GT(given["asked"]["seconds"].get<double>(), 0);
  EXPECT_THAT(given["notes"][0].get<std::string>(),
              HasSubstr("each pass of 3 sweeps reads and writes 58.0 KiB"));
  const auto sor = planned(block_text("sor", "tolerance = 1e-3"));
  EXPECT_THAT(sor["notes"][0].get<std::string>(), HasSubstr("no formula for the scheme sor"));
  const auto steps = planned(case_text("lod", "steps = 100"));
  EXPECT_THAT(steps["choices"][1]["name"].get<std::string>(), HasSubstr("explicit steps"));
  EXPECT_GT(steps["choices"][0]["seconds"].get<double>(), 0);
  EXPECT_EQ(steps["asked_for"], "implicit steps");
  const auto adi = planned(case_text("adi", "steps = 100"));
  EXPECT_EQ(adi["asked_for"], "Douglas's steps");
  EXPECT_EQ(adi["choices"][3]["terms"][0]["what"], "change of all axes");
}

TEST_F(GridCommand, plans_within_a_limit_of_memory) {
  plan::DeviceProfile profile = test::made_up_profile();
  profile.hardware = plan::hardware_identity(exec::Device::cpu());
  plan::write_profile(folder_ / "profile.json", {version, {profile}});
  const std::string path = file("case.toml", block_text("jacobi", "tolerance = 1e-3"));
  const auto planned =
      test::run_command(environment() + SETKA_COMMAND " plan --json --backend cpu --memory 20kB " + path);
  EXPECT_EQ(planned.code, 0) << planned.error;
  EXPECT_THAT(nlohmann::json::parse(planned.out)["chosen"].get<std::string>(), HasSubstr("pyramids, height"));
  EXPECT_TRUE(json_of("--memory 40MB " + path)["predicted"].is_object());
}

}  // namespace
}  // namespace setka
