// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

test::CommandResult example(const std::string& arguments) {
  return test::run_command(std::string(SETKA_COMMAND) + " example " + arguments);
}

void expect_refused(const std::string& arguments, const std::string& text) {
  const auto result = example(arguments);
  EXPECT_EQ(result.code, 2) << arguments;
  EXPECT_EQ(result.out, "") << arguments;
  EXPECT_THAT(result.error, StartsWith("setka: error: ")) << arguments;
  EXPECT_THAT(result.error, HasSubstr(text)) << arguments;
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

TEST(ExampleCommand, WritesADeckAndSaysWhat) {
  const test::ScratchFolder folder;
  const auto result = example("block --size 1e3 --element c3d8 -o " + (folder / "b.inp").string());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("block: "));
  EXPECT_THAT(result.out, HasSubstr("elements C3D8, "));
  EXPECT_THAT(test::content(folder / "b.inp"), StartsWith("** Cantilever"));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(ExampleCommand, WithoutFileToStandardOutput) {
  const auto result = example("plate-with-hole --size 500 --element CPS8R");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("** A quarter of a plate"));
  EXPECT_THAT(result.out, HasSubstr("\n*END STEP\n"));
  EXPECT_THAT(result.error, StartsWith("plate-with-hole: "));
  EXPECT_EQ(example("plate-with-hole --size 500 --element CPS8R -q").error, "");
}

TEST(ExampleCommand, SameRequestSameDeck) {
  EXPECT_EQ(example("pump").out, example("pump --element C3D8 --size 10000").out);
}

TEST(ExampleCommand, ModesTakeThePlaceOfTheStaticStep) {
  const test::ScratchFolder folder;
  for (const std::string name : {"block", "plate-with-hole", "pump", "column", "roof"}) {
    const std::string deck = (folder / (name + ".inp")).string();
    EXPECT_EQ(example(name + " --size 6000 --modes 3 -o " + deck).code, 0);
    EXPECT_THAT(test::content(deck), HasSubstr("*STEP\n*FREQUENCY\n3\n*NODE FILE\nU\n*END STEP\n")) << name;
    EXPECT_THAT(test::content(deck), ::testing::Not(HasSubstr("*STATIC"))) << name;
    EXPECT_THAT(test::content(deck), HasSubstr(" --modes 3 (setka ")) << name;
    EXPECT_THAT(example(name + " --size 6000").out, ::testing::Not(HasSubstr("FREQUENCY"))) << name;
    const auto run = test::run_command(std::string(SETKA_COMMAND) + " run --json " + deck);
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_EQ(nlohmann::json::parse(run.out).at("steps").at(0).at("modes").size(), 3U) << name;
  }
}

TEST(ExampleCommand, ModesOfTemperatures) {
  const test::ScratchFolder folder;
  const std::string deck = (folder / "fin.inp").string();
  ASSERT_EQ(example("fin --size 500 --modes 3 -o " + deck).code, 0);
  EXPECT_THAT(test::content(deck),
              HasSubstr("*STEP\n*HEAT TRANSFER, FREQUENCY\n3\n*NODE FILE\nNT\n*END STEP\n"));
  const auto run = test::run_command(std::string(SETKA_COMMAND) + " run --json " + deck);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(nlohmann::json::parse(run.out).at("steps").at(0).at("modes").size(), 3U);
}

TEST(ExampleCommand, TheSmallestOfEveryElementRuns) {
  const test::ScratchFolder folder;
  const std::string deck = (folder / "b.inp").string();
  const auto expect_run = [&](const std::string& arguments) {
    EXPECT_EQ(example(arguments + " --force -o " + deck).code, 0) << arguments;
    const auto run = test::run_command(std::string(SETKA_COMMAND) + " run -q " + deck);
    EXPECT_EQ(run.code, 0) << arguments << "\n" << run.error;
  };
  expect_run("block --size 300");
  for (const std::string name : {"block", "plate-with-hole", "pump", "fin", "column", "roof"}) {
    // Both lists are those of messages.
    std::string types = example(name + " --element none").error;
    types = types.substr(types.find("types are ") + 10);
    const std::regex type("[CS][A-Z0-9]+");
    int count = 0;
    for (std::sregex_iterator found(types.begin(), types.end(), type), end; found != end; ++found, ++count) {
      const std::string asked = name + " --element " + found->str();
      const std::string message = example(asked + " --size 1").error;
      std::smatch least;
      ASSERT_TRUE(std::regex_search(message, least, std::regex("use a size from ([0-9]+)"))) << message;
      expect_run(asked + " --size " + least[1].str());
    }
    EXPECT_GE(count, 3) << types;
  }
}

TEST(ExampleCommand, Json) {
  const test::ScratchFolder folder;
  const auto result = example("block --size 1000 --json --timings -o " + (folder / "b.inp").string());
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("element"), "C3D20R");
  EXPECT_EQ(json.at("unknowns"), 3 * json.at("nodes").get<int>());
  EXPECT_EQ(json.at("timings").at("parts").at(0).at("name"), "write");
  expect_refused("block --json", "cannot both go to standard output");
}

TEST(ExampleCommand, OverwritesOnlyWhenForced) {
  const test::ScratchFolder folder;
  const std::string file = (folder / "b.inp").string();
  ASSERT_EQ(example("block --size 500 -o " + file).code, 0);
  const std::string before = test::content(file);
  expect_refused("block --size 1000 -o " + file,
                 "b.inp exists; choose another name, or overwrite it with --force");
  EXPECT_EQ(test::content(file), before);
  EXPECT_EQ(example("block --size 1000 --force -o " + file).code, 0);
  EXPECT_NE(test::content(file), before);
}

TEST(ExampleCommand, WrongUsageIsOneClearLine) {
  expect_refused("", "name is required");
  expect_refused(
      "bridge",
      "unknown example 'bridge'; the examples are block, plate-with-hole, pump, fin, column and roof");
  expect_refused("block --element S8R", "block cannot be made of S8R; its element types are C3D20R, ");
  expect_refused("block --element CPS4", "block cannot be made of CPS4");
  expect_refused("pump --size 100", "pump of C3D8 cannot have 100 unknowns; use a size from ");
  expect_refused("pump --size 0", "--size 0 is not a number of unknowns");
  expect_refused("pump --size -3", "--size -3 is not a number of unknowns");
  expect_refused("pump --size 10.5", "--size 10.5 is not a number of unknowns");
  expect_refused("pump --size 1e12", "use a whole number up to 1000000000");
  expect_refused("pump --size many", "--size");
  expect_refused("pump --modes 0", "--modes 0 asks for no modes; give a number from 1 on");
  expect_refused("pump --size 6000 --modes 1000000",
                 " unknowns cannot have 1000000 modes; use a number from 1 to ");
  expect_refused("pump --sise 3", "unknown option '--sise'; did you mean --size?");
}

TEST(ExampleCommand, AFolderThatIsNotThere) {
  const auto result = example("block --size 500 -o /nonexistent/b.inp");
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.error, HasSubstr("/nonexistent/b.inp"));
}

TEST(ExampleCommand, HelpListsThem) {
  const auto result = example("--help");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("plate-with-hole: quarter of a plate"));
  EXPECT_THAT(result.out, HasSubstr("CPS8R"));
}

}  // namespace
}  // namespace setka
