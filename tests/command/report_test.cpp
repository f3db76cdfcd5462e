// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What the page shows is looked at in a browser by tests/report/check_page.mjs.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_folder.hpp"

namespace setka {
namespace {

using test::cube_deck;
using testing::HasSubstr;
using testing::Not;

class ReportCommand : public test::CommandFolder {
 protected:
  /// Where the program looks for the page.
  static bool without_page() {
    return !std::filesystem::exists(std::filesystem::path(SETKA_COMMAND).parent_path() /
                                    "../share/setka/report.html");
  }
  /// What a report says of its run.
  nlohmann::json numbers(const std::string& name) const {
    const std::string page = text_of(name);
    const std::string mark = R"(<script type="application/json" id="report">)";
    const std::size_t from = page.find(mark) + mark.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
  }
};

TEST_F(ReportCommand, WritesThePageAlone) {
  if (without_page()) GTEST_SKIP() << "built without npm: there is no page";
  write("cube.inp", "*HEADING\nA <cube>\n" + cube_deck());
  const auto result = setka("report cube --json");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(exists("cube.html"));
  for (const char* const other : {"cube.dat", "cube.frd", "cube.vtu", "cube.pvd"})
    EXPECT_FALSE(exists(other)) << other;
  const auto printed = nlohmann::json::parse(result.out);
  const auto shown = numbers("cube.html");
  EXPECT_EQ(shown["title"], "A <cube>");
  EXPECT_EQ(shown["model"]["triangleCount"], 12);
  EXPECT_EQ(shown["frames"].size(), 1U);
  EXPECT_EQ(shown["steps"][0]["procedure"], "*STATIC");
  // The largest displacement is what the command prints.
  bool found = false;
  for (const auto& table : shown["tables"]) {
    if (table["title"] != "Largest values at nodes") continue;
    found = true;
    EXPECT_EQ(table["rows"][0][2], printed["steps"][0]["largest_displacement"]["value"]);
  }
  EXPECT_TRUE(found);
}

TEST_F(ReportCommand, StandsBesideTheResultsOfARun) {
  if (without_page()) GTEST_SKIP() << "built without npm: there is no page";
  write("cube.inp", cube_deck("", "*FREQUENCY\n3\n"));
  const auto result = setka("run cube --report");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr(" cube.html"));
  EXPECT_TRUE(exists("cube.frd"));
  const auto shown = numbers("cube.html");
  EXPECT_EQ(shown["frames"].size(), 3U);
  EXPECT_EQ(shown["frames"][2]["number"], 3);
  EXPECT_THAT(shown["tables"][0]["title"].get<std::string>(), HasSubstr("frequencies"));
  EXPECT_EQ(shown["tables"][0]["rows"].size(), 3U);
}

TEST_F(ReportCommand, HasAnotherNameAndFewerTrianglesWhereAsked) {
  if (without_page()) GTEST_SKIP() << "built without npm: there is no page";
  ASSERT_EQ(setka("example block --size 3000 -o block.inp").code, 0);
  const auto result = setka("report block.inp -o other.html --triangles 200");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_FALSE(exists("block.html"));
  const auto shown = numbers("other.html");
  EXPECT_LE(shown["model"]["triangleCount"], 200);
  EXPECT_THAT(shown["leftOut"].dump(), HasSubstr("triangles of"));
}

TEST_F(ReportCommand, RefusesWhatItCannotDo) {
  write("cube.inp", cube_deck());
  auto result = setka("report cube -o cube.inp");
  if (!without_page()) {
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.error, HasSubstr("cube.inp"));
  }
  result = setka("run cube --report --continue");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error, HasSubstr("--report is of a whole run, and --continue goes on with one"));
  result = setka("report cube --triangles 0");
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(setka("report cube --continue").code, 2);
  EXPECT_FALSE(exists("cube.html"));
}

TEST_F(ReportCommand, SaysWhatIsMissingWhereThePageIs) {
  write("cube.inp", cube_deck());
  std::filesystem::create_directories(folder_ / "bin");
  std::filesystem::copy_file(SETKA_COMMAND, folder_ / "bin" / "setka");
  const auto result = test::run_command("cd '" + folder_.path().string() + "' && bin/setka report cube");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.error,
              HasSubstr("share/setka/report.html; this build was made without npm: install npm"));
  EXPECT_THAT(result.out, Not(HasSubstr("nodes")));  // before any work
  const auto info = test::run_command("cd '" + folder_.path().string() + "' && bin/setka info");
  EXPECT_THAT(info.out, HasSubstr("report page      missing      no setka report; install npm"));
}

}  // namespace
}  // namespace setka
