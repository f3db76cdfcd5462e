// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka grid on several devices: the bits of one, checkpoints that another number of devices goes on from.
#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command/grid_cases.hpp"
#include "setka/exec/device.hpp"
#include "support/run_command.hpp"
#include "support/running_command.hpp"

namespace setka {
namespace {

using test::block_text;
using test::case_text;
using test::RunningCommand;
using ::testing::HasSubstr;

class GridDevicesCommand : public test::GridCommand {
 protected:
  /// What a case writes, by the names of files without that of the case; without its summary.
  std::map<std::string, std::string> written(const std::string& name, const std::string& text,
                                             const std::string& devices, nlohmann::json* summary = nullptr) {
    nlohmann::json json = json_of(file(name + ".toml", text) + " --threads 2 --devices " + devices);
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string path = entry.path().filename().string();
      if (!path.starts_with(name) || path.ends_with(".toml") || path.ends_with(".result.json") ||
          path.ends_with(".pvd"))  // which names its frames
        continue;
      found[path.substr(name.size())] = test::content(entry.path());
      std::filesystem::remove(entry.path());
    }
    if (summary != nullptr) *summary = json;
    return found;
  }
};

const std::string output =
    "[output]\nformats = [\"npy\"]\nevery = 8\nprobes-every = 3\n[[probe]]\nname = \"p\"\nat = [0.5, 0.5]\n";

TEST_F(GridDevicesCommand, steps_of_every_scheme_write_what_one_device_writes) {
  for (const std::string scheme : {"lod", "adi", "explicit"}) {
    for (const std::string before : {"", "precision = \"single\"\n", "method = \"peaceman-rachford\"\n"}) {
      if (scheme != "adi" && before.starts_with("method")) continue;
      const std::string text = before + case_text(scheme, "steps = 43", output);
      const auto alone = written("case", text, "cpu");
      ASSERT_TRUE(alone.contains("-00000040.npy"));
      ASSERT_TRUE(alone.contains("-probes.csv"));
      for (const std::string devices : {"cpu,cpu", "cpu,cpu,cpu"}) {
        nlohmann::json summary;
        EXPECT_EQ(written("case", text, devices, &summary), alone) << before << scheme << " on " << devices;
        EXPECT_EQ(summary["devices"].size(), devices == "cpu,cpu" ? 2U : 3U);
        EXPECT_EQ(summary["last_step"], 43);
        EXPECT_EQ(summary["why_not_predicted"], "the model has no formula for several devices");
      }
    }
  }
}

TEST_F(GridDevicesCommand, stationary_cases_write_what_one_device_writes) {
  const auto expect_same = [&](const std::string& scheme, const std::string& more, const std::string& way) {
    const std::string text = block_text(scheme, more);
    nlohmann::json alone;
    const auto expected = written("case", text, "cpu", &alone);
    ASSERT_TRUE(expected.contains(".npy"));
    for (const std::string devices : {"cpu,cpu", "cpu,cpu,cpu"}) {
      nlohmann::json summary;
      EXPECT_EQ(written("case", text, devices, &summary), expected) << scheme << " on " << devices;
      EXPECT_EQ(summary["sweeps"], alone["sweeps"]);
      EXPECT_EQ(summary["change"], alone["change"]);
      EXPECT_THAT(summary["way"].get<std::string>(), HasSubstr(way));
    }
  };
  expect_same("jacobi", "tolerance = 1e-6", "devices, each with its planes");
  expect_same("sor", "tolerance = 1e-6", "devices, each with its planes");
  expect_same("jacobi", "tolerance = 1e-6\nheight = 6\nplanes = 3",
              "pyramids of height 6, blocks of 3 planes");
  expect_same("jacobi", "tolerance = 1e-6\nheight = 30\nplanes = 9", "pyramids of height 30");
}

TEST_F(GridDevicesCommand, another_number_of_devices_goes_on_with_the_same_bits) {
  const std::string more = output + "[checkpoint]\nevery = 7\n";
  const std::vector<std::string> numbers{"cpu,cpu,cpu", "cpu", "cpu,cpu"};
  for (const std::string scheme : {"lod", "adi", "explicit"}) {
    const auto whole = written("whole", case_text(scheme, "steps = 30", more), "cpu");
    const std::string path = (folder_ / "case.toml").string();
    bool goes_on = false;
    int steps = 0;
    for (const std::string& devices : numbers) {
      steps += 10;
      file("case.toml", case_text(scheme, fmt::format("steps = {}", steps), more));
      const auto json = json_of(path + " --threads 3 --devices " + devices + (goes_on ? " --continue" : ""));
      EXPECT_EQ(json["first_step"], steps - 10);
      goes_on = true;
    }
    EXPECT_EQ(test::content(folder_ / "case-00000030.npy"), whole.at("-00000030.npy")) << scheme;
  }
}

TEST_F(GridDevicesCommand, stationary_cases_go_on_with_another_number_of_devices) {
  for (const std::string pyramids : {"", "height = 5\nplanes = 4\n"}) {
    const auto text = [&](int sweeps) {
      return block_text("jacobi", fmt::format("tolerance = 1e-9\nmax-iterations = {}\n", sweeps) + pyramids);
    };
    const auto whole = written("whole", text(900), "cpu");
    const std::string path = file("case.toml", text(100));
    const auto first = grid("-q --devices cpu,cpu,cpu " + path);
    EXPECT_EQ(first.code, 3) << first.error;
    file("case.toml", text(900));
    const auto json = json_of("--devices cpu,cpu --continue " + path);
    EXPECT_EQ(json["first_sweep"], 100);
    EXPECT_TRUE(json["converged"]);
    EXPECT_EQ(test::content(folder_ / "case.npy"), whole.at(".npy"));
  }
}

TEST_F(GridDevicesCommand, is_interrupted_between_steps) {
  const std::string path =
      file("case.toml",
           case_text("lod", "steps = 1000000000", "[output]\nformats = []\n[checkpoint]\nevery = 900\n"));
  RunningCommand run(folder_.path(), "grid --devices cpu,cpu --threads 2 -q case.toml");
  EXPECT_TRUE(run.runs_until([&] { return std::filesystem::exists(folder_ / "case.checkpoint"); }));
  run.signal(SIGTERM);
  EXPECT_EQ(run.code(), 130);
  EXPECT_THAT(run.errors(), HasSubstr("case.checkpoint is written; go on with --continue"));
}

TEST_F(GridDevicesCommand, says_where_it_computes) {
  const std::string path = file("case.toml", case_text("lod", "steps = 4"));
  const auto result = grid(path + " --devices cpu,cpu");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("on cpu and cpu"));
  EXPECT_THAT(result.out, HasSubstr("no prediction to compare with: the model has no formula for several"));
}

TEST_F(GridDevicesCommand, cpus_and_gpus_together_are_refused) {
  if (!exec::why_no_cuda().empty()) GTEST_SKIP() << exec::why_no_cuda();
  const std::string path = file("case.toml", case_text("lod", "steps = 4"));
  const auto result = test::run_command(environment() + SETKA_COMMAND " grid -q --devices 0,cpu " + path);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error, HasSubstr("do not reach each other's memory"));
  EXPECT_THAT(result.error, HasSubstr("give GPUs alone (--devices 0,1) or CPUs alone (--devices cpu,cpu)"));
}

TEST_F(GridDevicesCommand, one_gpu_twice_computes_what_it_computes_alone) {
  if (!exec::why_no_cuda().empty()) GTEST_SKIP() << exec::why_no_cuda();
  backend_ = "cuda";
  for (const std::string scheme : {"lod", "adi", "explicit"}) {
    const std::string path = file("case.toml", case_text(scheme, "steps = 43", "[output]\nformats = []\n"));
    const auto alone = json_of(path + " --devices 0")["total"].get<double>();
    for (const std::string devices : {"0,0", "0,0,0"})
      EXPECT_NEAR(json_of(path + " --devices " + devices)["total"].get<double>(), alone, 1e-12 * alone);
  }
}

}  // namespace
}  // namespace setka
