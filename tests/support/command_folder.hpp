// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/io/grid_case.hpp"
#include "support/run_command.hpp"

namespace setka::test {

/// A folder of the test's own, in which commands run.
class CommandFolder : public ::testing::Test {
 protected:
  /// Runs setka in the folder; a profile of the machine is found there alone. before: what the shell does
  /// first, after: where the outputs go.
  CommandResult setka(const std::string& arguments, const std::string& before = "",
                      const std::string& after = "") const {
    return run_command("cd '" + folder_.path().string() +
                       "' && export OMP_WAIT_POLICY=passive SETKA_PROFILE=profile.json && { " + before +
                       " '" SETKA_COMMAND "' " + arguments + " " + after + "; }");
  }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string text_of(const std::string& name) const { return content(folder_ / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  static bool without_cases() { return !io::can_read_grid_cases(); }

  ScratchFolder folder_;
};

/// A cube that is pulled; `model` comes before the step, which begins with `step`.
inline std::string cube_deck(const std::string& model = "", const std::string& step = "*STATIC\n") {
  return "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
         "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET,NSET=BASE\n1,2,3,4\n*NSET,NSET=TOP\n5,6,7,8\n"
         "*MATERIAL,NAME=M\n*ELASTIC\n210000,0.3\n*DENSITY\n7.8e-9\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
         "*BOUNDARY\nBASE,1,3\n" +
         model + "*STEP\n" + step + "*CLOAD\nTOP,3,10\n*NODE PRINT,NSET=TOP\nU\n*NODE FILE\nU\n*END STEP\n";
}

}  // namespace setka::test
