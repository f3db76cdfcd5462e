// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "deck/deck_text.hpp"
#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

test::CommandResult setka_command(const std::string& arguments) {
  return test::run_command(std::string(SETKA_COMMAND) + " " + arguments);
}

/// A deck in a folder of its own.
class CheckCommand : public ::testing::Test {
 protected:
  std::string written(const std::string& text) {
    std::ofstream(folder_ / "deck.inp") << text;
    return (folder_ / "deck.inp").string();
  }

  const test::ScratchFolder folder_;
};

TEST_F(CheckCommand, TellsWhatADeckHolds) {
  const auto result = setka_command("check " + written(test::cube + test::pull));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.out, HasSubstr("  nodes                 8\n  C3D8                  1\n"));
  EXPECT_THAT(result.out, HasSubstr("x from 0 to 1, y from 0 to 1, z from 0 to 1\n"));
  EXPECT_THAT(result.out, HasSubstr("  BOTTOM             4  nodes\n"));
  EXPECT_THAT(result.out, HasSubstr("  STEEL              1            1            -  elastic\n"));
  EXPECT_THAT(result.out, HasSubstr("centre of volume: 0.5, 0.5, 0.5\n"));
  EXPECT_THAT(result.out, HasSubstr("     1  static                12         12            4"));
  EXPECT_THAT(result.out, HasSubstr("the deck could run: 0 errors, 0 warnings\n"));
  EXPECT_EQ(folder_.entries(), 1) << "nothing is written";
}

TEST_F(CheckCommand, StepsOfHeatNeedNoElasticConstants) {
  const std::string heat = "*STEP\n*HEAT TRANSFER,STEADY STATE\n*BOUNDARY\nBOTTOM,11,11,20.\n*END STEP\n";
  const std::string elastic = "*ELASTIC\n210000.,.3\n";
  std::string text = test::cube + heat;
  text.replace(text.find(elastic), elastic.size(),
               "*CONDUCTIVITY\n50.\n*SPECIFIC HEAT\n446.\n*DENSITY\n2.\n");
  const auto result = setka_command("check " + written(text));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("  density, conductivity and specific heat\n"));
  EXPECT_THAT(result.out, HasSubstr("     1  heat transfer          -         16 "));
  EXPECT_THAT(result.out, HasSubstr("the deck could run: 0 errors, 0 warnings\n"));
  const auto modes =
      setka_command("check " + written(text + "*STEP\n*HEAT TRANSFER,FREQUENCY\n2\n*END STEP\n"));
  EXPECT_EQ(modes.code, 0) << modes.error;
  EXPECT_THAT(modes.out, HasSubstr("     2  heat modes             -         16 "));
}

TEST_F(CheckCommand, TheEndingMayBeLeftOut) {
  const std::string deck = written(test::cube + test::pull);
  EXPECT_EQ(setka_command("check " + deck.substr(0, deck.size() - 4)).code, 0);
}

TEST_F(CheckCommand, ErrorsAreListedAndTheExitCodeIsOne) {
  const std::string deck =
      written("*NODE\n9,5,5,5\n" + test::cube + "*CONTACT PAIR\n*STEP\n*STATIC\n*RESTART\n*END STEP\n");
  const auto result = setka_command("check " + deck);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("warning: a node belongs to no element: 9\n"));
  EXPECT_THAT(result.out, HasSubstr("not supported: " + deck + ":25: *CONTACT PAIR\n"));
  EXPECT_THAT(result.out, HasSubstr("not supported: " + deck + ":28: *RESTART\n"));
  EXPECT_THAT(result.out, HasSubstr("the deck would not run: 2 errors, 1 warning\n"));
}

TEST_F(CheckCommand, QuietSaysOnlyWhatIsWrong) {
  EXPECT_EQ(setka_command("check -q " + written(test::cube + test::pull)).out, "");
  const auto result = setka_command("check -q " + written(test::cube));
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
  EXPECT_THAT(result.out, StartsWith("error: "));
  EXPECT_THAT(result.out, HasSubstr("the deck has no steps"));
}

TEST_F(CheckCommand, AsJson) {
  const auto result = setka_command("check --json --timings " + written(test::cube + test::pull));
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("could_run"), true);
  EXPECT_EQ(json.at("elements").at("C3D8"), 1);
  EXPECT_EQ(json.at("materials").at(0).at("volume"), 1.0);
  EXPECT_TRUE(json.at("mass").is_null());
  EXPECT_EQ(json.at("steps").at(0).at("unknowns"), 12);
  EXPECT_EQ(json.at("sets").size(), 4U);
  EXPECT_EQ(json.at("timings").at("parts").at(0).at("name"), "read");
}

TEST_F(CheckCommand, NamesInOtherEncodingsDoNotStopJson) {
  const auto result =
      setka_command("check --json " + written(test::cube + "*NSET,NSET=K\xF6RPER\n1\n" + test::pull));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(nlohmann::json::parse(result.out).at("sets").size(), 5U);
}

/// The cube, and elements 2 and 3 of its nodes: inside out, and flat.
std::string with_bad_elements() {
  std::string text = test::cube;
  return text.insert(text.find("*NSET"), "*ELEMENT,TYPE=C3D4,ELSET=EALL\n2,1,3,2,5\n3,1,2,3,4\n") +
         test::pull;
}

TEST_F(CheckCommand, ElementsOfBadShapeAreWritten) {
  const std::string deck = written(with_bad_elements());
  const auto result = setka_command("check " + deck);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("error: 2 elements have no proper shape: 2 (C3D4) is inside out and 3 "
                                    "(C3D4) is flat; check the order and the places of their nodes\n"));
  EXPECT_THAT(result.out, HasSubstr("written: " + (folder_ / "deck-bad-elements.vtu").string() + " shows"));
  EXPECT_EQ(folder_.entries(), 2);
  const std::string chosen = (folder_ / "x.vtu").string();
  const auto json = nlohmann::json::parse(setka_command("check --json -o " + chosen + " " + deck).out);
  EXPECT_EQ(json.at("files").at(0), chosen);
  EXPECT_EQ(json.at("shapes").at("bad").at(1).at("is"), "flat");
  EXPECT_TRUE(std::filesystem::exists(chosen));
}

TEST_F(CheckCommand, ARunWritesThemToo) {
  const std::string deck = written(with_bad_elements());
  const auto result = setka_command("run --backend cpu " + deck);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error,
              HasSubstr("their nodes; " + (folder_ / "deck-bad-elements.vtu").string() + " shows them\n"));
  EXPECT_EQ(folder_.entries(), 2);
}

TEST_F(CheckCommand, ARunShowsManyFilesByTheFirstAndTheLast) {
  std::string text = test::cube;
  text.replace(text.find("*SOLID SECTION"), 0, "*DENSITY\n7.8e-9\n");
  const std::string deck = written(text + "*STEP\n*FREQUENCY\n6\n*NODE FILE\nU\n*END STEP\n");
  const auto result = setka_command("run --backend cpu " + deck);
  EXPECT_EQ(result.code, 0) << result.error;
  const std::string job = (folder_ / "deck").string();
  EXPECT_THAT(result.out, HasSubstr("written: " + job + ".dat " + job + ".frd " + job + ".0001.vtu ... " +
                                    job + ".0006.vtu " + job + ".pvd\n"));
  EXPECT_TRUE(std::filesystem::exists(job + ".0003.vtu"));
}

TEST_F(CheckCommand, WhereNothingCanBeWrittenARunStillNamesThem) {
  const std::string deck = written(with_bad_elements());
  std::filesystem::create_directory(folder_ / "deck-bad-elements.vtu");
  const auto result = setka_command("run --backend cpu " + deck);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error, HasSubstr("cannot be given its name"));
  EXPECT_THAT(result.error, HasSubstr("error: 2 elements have no proper shape"));
}

TEST_F(CheckCommand, TheDeckIsNotOverwritten) {
  const std::string deck = written(with_bad_elements());
  const auto result = setka_command("check " + deck + " -o " + deck);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error,
              HasSubstr("would overwrite " + deck + ", which is read; give another name by -o"));
  EXPECT_EQ(test::content(deck), with_bad_elements());
}

TEST_F(CheckCommand, ADeckThatCannotBeReadIsAnErrorOfTheReader) {
  const auto result = setka_command("check " + written("*NODE\n1,x\n"));
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, HasSubstr("deck.inp:2: the coordinate is 'x'"));
  EXPECT_EQ(setka_command("check " + (folder_ / "none.inp").string()).code, 1);
}

}  // namespace
}  // namespace setka
