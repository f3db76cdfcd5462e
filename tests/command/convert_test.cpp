// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

const std::string mesh = std::string(SETKA_TEST_DATA) + "/msh/hexa_2_binary.msh";

test::CommandResult setka_command(const std::string& arguments) {
  return test::run_command(std::string(SETKA_COMMAND) + " " + arguments);
}

TEST(Convert, WritesAMeshThatADeckIncludes) {
  const test::ScratchFolder folder;
  const std::string output = (folder / "mesh.inp").string();
  const auto result = setka_command("convert " + mesh + " -o " + output + " --element c3d20r");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("32 nodes, 2 elements\n"));
  EXPECT_THAT(result.out, HasSubstr("surfaces: LEFT_SIDE and PHYSICAL_2_7\n"));
  EXPECT_THAT(result.out, HasSubstr("written: " + output));
  EXPECT_THAT(test::content(output), HasSubstr("*ELEMENT, TYPE=C3D20R\n"));
  EXPECT_EQ(folder.entries(), 1);

  // A pressure p on the hole of a plate that is held all over its left side: it moves away from the hole.
  std::ofstream(folder / "deck.inp") << R"(*INCLUDE, INPUT=mesh.inp
*MATERIAL, NAME=STEEL
*ELASTIC
210000, 0.3
*SOLID SECTION, ELSET=PLATE, MATERIAL=STEEL
*BOUNDARY
LEFT_SIDE, 1, 3
*STEP
*STATIC
*DSLOAD
PHYSICAL_2_7, P, 100
*END STEP
)";
  const auto run = setka_command("run --backend cpu --threads 1 --json -q " + (folder / "deck.inp").string());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_GT(nlohmann::json::parse(run.out).at("steps").at(0).at("largest_displacement").at("value"), 0.0);
}

TEST(Convert, AsJson) {
  const test::ScratchFolder folder;
  const std::string output = (folder / "mesh.inp").string();
  const auto result = setka_command("convert --element C3D20R " + mesh + " -o " + output + " --json");
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("nodes"), 32);
  EXPECT_EQ(json.at("element_sets").at(0), "PLATE");
  EXPECT_EQ(json.at("files").at(0), output);
  EXPECT_THAT(test::content(output), HasSubstr("*ELEMENT, TYPE=C3D20R\n"));
}

TEST(Convert, PartitionsStayBehind) {
  const test::ScratchFolder folder;
  const std::string parts = std::string(SETKA_TEST_DATA) + "/msh/parts.msh";
  const auto result = setka_command("convert " + parts + " -o " + (folder / "mesh.inp").string());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("30 nodes, 48 elements\n"));
  EXPECT_THAT(result.error, HasSubstr("the mesh is in 3 partitions, which a deck does not hold"));
}

TEST(Convert, RefusesWhatIsWrong) {
  const test::ScratchFolder folder;
  const std::string output = (folder / "mesh.inp").string();
  auto result = setka_command("convert none.msh -o " + output);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error,
              HasSubstr("none.msh: cannot read the file: No such file or directory; check the path"));
  result = setka_command("convert " + mesh + " -o " + output + " --element C3D7");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error, HasSubstr("--element: there is no element type C3D7; there are C3D4, C3D6"));
  result = setka_command("convert " + mesh + " -o " + output + " --element T3D2");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error, HasSubstr("T3D2 is no element of a Gmsh mesh"));
  result = setka_command("convert " + mesh + " -o " + output + " --element C3D20R,c3d8i");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(
      result.error,
      HasSubstr("hexa_2_binary.msh: --element c3d8i: the mesh has no elements of its shape; it has C3D20R"));
  result = setka_command("convert " + mesh + " -o " + mesh);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error,
              HasSubstr("would overwrite " + mesh + ", which is read; give another name by -o"));
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace setka
