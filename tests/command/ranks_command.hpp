// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_folder.hpp"

namespace setka::test {

/// The command under mpirun.
class RanksCommand : public CommandFolder {
 protected:
  void SetUp() override {
    if (SETKA_HAS_PETSC == 0) GTEST_SKIP() << "this build has no PETSc";
  }

  CommandResult on(int processes, const std::string& arguments) const {
    return setka(
        arguments,
        fmt::format("env OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                    "OMPI_MCA_btl_vader_single_copy_mechanism=none mpirun --oversubscribe -n {}",
                    processes));
  }

  /// Whether a run was interrupted once such a file was there, and not over before that. Until a file is
  /// there mpirun may not yet listen to signals.
  bool interrupted(int processes, const std::string& arguments, const std::string& file) const {
    const CommandResult result = on(
        processes, fmt::format("{} --checkpoint-every 0.001 & while kill -0 $! && {{ [ ! -e a.checkpoint ] "
                               "|| [ ! -e {} ]; }}; do sleep 0.01; done; kill -INT $!; wait $!; true",
                               arguments, file));
    if (!exists("a.checkpoint")) {
      EXPECT_TRUE(exists("a.dat")) << result.error;  // it was over
      return false;
    }
    EXPECT_THAT(result.error, testing::HasSubstr("interrupted at the time"));
    return true;
  }
};

/// Ends of an explicit step in time: a signal that comes too late for one is in time for a later one.
inline constexpr double ends_of_steps[] = {1.5e-2, 6e-2, 2.4e-1};

/// The block of the example with another step.
inline std::string with_step(const std::string& deck, const std::string& step,
                             const std::string& model = "") {
  const std::size_t at = deck.find("*STEP");
  std::string made = deck.substr(0, at) + model + deck.substr(at);
  const std::string before = "*STATIC\n";
  return made.replace(made.find(before), before.size(), step);
}

}  // namespace setka::test
