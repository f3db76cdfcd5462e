// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
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

class DomainsCommand : public ::testing::Test {
 protected:
  test::CommandResult domains(const std::string& arguments) const {
    return test::run_command(std::string(SETKA_COMMAND) + " domains " + arguments);
  }
  std::string block(int unknowns) const {
    const std::string deck = (folder_ / "block.inp").string();
    const auto made = test::run_command(std::string(SETKA_COMMAND) + " example block --size " +
                                        std::to_string(unknowns) + " -q -o " + deck);
    EXPECT_EQ(made.code, 0) << made.error;
    return deck;
  }

  const test::ScratchFolder folder_;
};

TEST_F(DomainsCommand, TellsWhatPartsHave) {
  const std::string deck = block(3000);
  for (const std::string by : {"elements", "nodes"}) {
    for (const std::string partitioner : {"auto", "bisection"}) {
      SCOPED_TRACE(by + " " + partitioner);
      const auto result = domains(deck + " --parts 3 --json --by " + by + " --partitioner " + partitioner);
      ASSERT_EQ(result.code, 0) << result.error;
      const auto json = nlohmann::json::parse(result.out);
      EXPECT_EQ(json["parts"], 3);
      EXPECT_LE(json["imbalance"], 0.05);
      EXPECT_GT(json["shared_nodes"], 0);
      ASSERT_EQ(json["table"].size(), 3U);
      for (const auto& part : json["table"]) {
        EXPECT_GT(part["elements"], 0);
        EXPECT_GT(part["boundary"], 0);
        EXPECT_LT(part["boundary"], part["nodes"]);
        EXPECT_GT(part["ghosts"], 0);
        EXPECT_GE(part["neighbours"], 1);
      }
      EXPECT_TRUE(std::filesystem::exists(folder_ / "block-domains.vtu"));
    }
  }
}

TEST_F(DomainsCommand, PrintsATable) {
  const auto result = domains(block(3000) + " --parts 2 -o " + (folder_ / "two.vtu").string());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("part    elements       nodes  boundary    ghosts neighbours"));
  EXPECT_THAT(result.out, HasSubstr("nodes are shared"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "two.vtu"));
}

TEST_F(DomainsCommand, ADeckNeedsNoMaterials) {
  std::ofstream(folder_ / "mesh.inp")
      << "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1,1\n6,2,1\n*ELEMENT,TYPE=CPS4\n1,1,2,5,4\n2,2,3,6,5\n";
  const auto result = domains((folder_ / "mesh.inp").string() + " --parts 2");
  EXPECT_EQ(result.code, 0) << result.error;
}

TEST_F(DomainsCommand, RefusesWhatCannotBe) {
  const std::string deck = block(300);
  const auto expect_error = [&](const std::string& arguments, int code, const std::string& text) {
    const auto result = domains(arguments);
    EXPECT_EQ(result.code, code) << arguments;
    EXPECT_THAT(result.error, HasSubstr(text)) << arguments;
  };
  expect_error(deck + " --parts 100000", 2, "ask for at most");
  expect_error(deck + " --parts 0", 2, "ask for one part or more");
  expect_error(deck + " --by faces", 2, "it is elements or nodes");
  expect_error(deck + " --partitioner hand", 2, "auto, metis, scotch or bisection");
  expect_error(deck + " -o " + deck, 2, "give another name");
  std::ofstream(folder_ / "empty.inp") << "*NODE\n1,0,0,0\n";
  expect_error((folder_ / "empty.inp").string(), 1, "no elements");
}

}  // namespace
}  // namespace setka
