// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// scripts/test-gpu where a suite fails, with stand-ins for the GPU, the build and the suites.
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

void write_program(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
  fs::permissions(path, fs::perms::owner_all);
}

TEST(Scripts, TestGpuRunsAllSuitesAndListsThoseThatFailed) {
  const fs::path scripts = fs::path(SETKA_SOURCE) / "scripts";
  const test::ScratchFolder folder;
  fs::create_directories(folder / "scripts");
  for (const char* name : {"lib.sh", "test-gpu"}) fs::copy_file(scripts / name, folder / "scripts" / name);
  for (const char* name : {"nvidia-smi", "cmake"}) write_program(folder / "bin" / name, "exit 0");
  const fs::path built = folder / "build" / "cuda" / "bin";
  write_program(built / "setka", "echo about the machine");
  write_program(built / "a_test", "exit 1");
  write_program(built / "b_test", "test \"$SETKA_REQUIRE_GPU\" = 1");
  write_program(built / "c_test", "exit 1");
  write_program(built / "d_test", "exit 0");
  const auto result = test::run_command("PATH=" + (folder / "bin").string() + ":$PATH bash " +
                                        (folder / "scripts" / "test-gpu").string());
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("== d_test"), HasSubstr("about the machine")));
  EXPECT_THAT(result.error, AllOf(HasSubstr("== failed: 2 of the parts above:\n   a_test\n   c_test\n"),
                                  Not(HasSubstr("b_test"))));
}

}  // namespace
}  // namespace setka
