// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scratch_folder.hpp"
#include "setka/io/grid_case.hpp"
#include "support/run_command.hpp"
#include "support/running_command.hpp"

namespace setka::test {

/// Stripes across x, periodic; u = 1 below.
inline std::string case_text(const std::string& scheme, const std::string& steps,
                             const std::string& more = "") {
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
  /// The profile of the machine is that of the test, or none.
  std::string environment() const {
    return "OMP_WAIT_POLICY=passive SETKA_PROFILE=" + (folder_ / "profile.json").string() + " ";
  }
  CommandResult grid(const std::string& arguments) const {
    return run_command(environment() + SETKA_COMMAND " grid --backend " + backend_ + " " + arguments);
  }
  /// Runs case.toml, which has to write checkpoints on the way and not to end, on one thread, and stops it
  /// when the first of them is there. What it says then.
  std::string interrupted() const {
    RunningCommand run(folder_.path(), "grid --backend cpu --threads 1 -q case.toml");
    EXPECT_TRUE(run.runs_until([&] { return std::filesystem::exists(folder_ / "case.checkpoint"); }));
    run.signal(SIGTERM);
    EXPECT_EQ(run.code(), 130);
    return run.errors();
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
  ScratchFolder folder_;
};

/// A block between sides of 1 and 4 along z, 0 elsewhere, heated.
inline std::string block_text(const std::string& scheme, const std::string& more) {
  return fmt::format(R"(scheme = "{}"
source = 2.0
[grid]
cells = [10, 8, 24]
spacing = 0.1
[boundary]
x = {{ kind = "dirichlet", value = 0.0 }}
y = {{ kind = "dirichlet", value = 0.0 }}
z-low = {{ kind = "dirichlet", value = 1.0 }}
z-high = {{ kind = "dirichlet", value = 4.0 }}
[output]
formats = ["vti", "npy", "png"]
[stationary]
{})",
                     scheme, more);
}

}  // namespace setka::test
