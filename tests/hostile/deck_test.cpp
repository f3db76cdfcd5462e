// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Decks that read well and mean something that cannot be computed as it stands.
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_folder.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

class HostileDeck : public test::CommandFolder {
 protected:
  test::CommandResult run(const std::string& deck, const std::string& command = "run -q") const {
    write("deck.inp", deck);
    return setka(command + " deck.inp");
  }
};

std::string in_digits(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// One element, pulled along x by a stress of one; modulus 1000.
std::string plate(const std::string& type, const std::string& thickness, double load) {
  return "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=" + type +
         ",ELSET=E\n1,1,2,3,4\n*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*SOLID SECTION,ELSET=E,MATERIAL=M\n" +
         thickness + "\n*NSET,NSET=N\n2\n*BOUNDARY\n1,1,2\n4,1,1\n*STEP\n*STATIC\n*CLOAD\n2,1," +
         in_digits(load) + "\n3,1," + in_digits(load) + "\n*NODE PRINT,NSET=N\nU\n*END STEP\n";
}

TEST_F(HostileDeck, PlanesMuchThickerOrThinnerThanTheirEdgesAreRefused) {
  for (const char* command : {"run -q", "check -q"}) {
    const auto result = run(plate("CPS4", "1e10", 5e9), command);
    EXPECT_EQ(result.code, 1) << command;
    EXPECT_THAT(result.error + result.out,
                HasSubstr("deck.inp:11: element 1 (CPS4) is 1e+10 thick, but its longest edge is 1: plane "
                          "elements are computed up to 1e+05 times the edge; give a smaller thickness"));
  }
  EXPECT_EQ(run(plate("CPE4", "1e10", 5e9)).code, 0);
  EXPECT_THAT(run(plate("CPE4", "1e-10", 5e-11)).error,
              HasSubstr("computed from 1e-05 times the edge; give a larger"));
}

TEST_F(HostileDeck, PlaneStressUpToTheLimitIsRight) {
  for (const double thickness : {1e-5, 1e-3, 1.0, 1e5}) {
    const auto result = run(plate("CPS4", in_digits(thickness), 0.5 * thickness));
    ASSERT_EQ(result.code, 0) << result.error;
    // The last row of the table: node, and its displacements.
    const std::string dat = text_of("deck.dat");
    const std::size_t at = dat.rfind("         2 ");
    ASSERT_NE(at, std::string::npos) << dat;
    EXPECT_NEAR(std::stod(dat.substr(at + 11)), 1e-3, 2e-9) << thickness;
  }
}

/// More frames than come to the disk at once.
TEST_F(HostileDeck, HundredsOfStepsHaveTheSameBitsOnAnyTeam) {
  constexpr int count = 150;
  std::string steps = "*STATIC\n";
  for (int i = 1; i < count; ++i)
    steps +=
        "*CLOAD\nTOP,3," + std::to_string(i % 7) + "\n*NODE PRINT,NSET=TOP\nU\n*END STEP\n*STEP\n*STATIC\n";
  const std::string deck = test::cube_deck("", steps);
  std::string expected;
  for (const char* threads : {"1", "3"}) {
    const auto result = run(deck, std::string("run -q --backend cpu --threads ") + threads);
    ASSERT_EQ(result.code, 0) << result.error;
    const std::string dat = text_of("deck.dat");
    if (expected.empty()) expected = dat;
    EXPECT_EQ(dat, expected) << threads;
    EXPECT_EQ(folder_.entries(), count + 4);  // a frame a step; the deck, .dat, .frd and .pvd
  }
}

TEST_F(HostileDeck, TemperaturesNeedSomethingToStartFrom) {
  const std::string start = "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,20\n";
  const auto deck = [&](const std::string& initial) {
    return "*NODE,NSET=ALL\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPS4,ELSET=E\n1,1,2,3,4\n"
           "*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*EXPANSION\n1e-5\n*SOLID SECTION,ELSET=E,MATERIAL=M\n1\n"
           "*BOUNDARY\n1,1,2\n4,1,1\n" +
           initial + "*STEP\n*STATIC\n*TEMPERATURE\nALL,100\n*END STEP\n";
  };
  const auto result = run(deck(""));
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error,
              HasSubstr("deck.inp:20: *TEMPERATURE, but the temperatures to start from are not given; add "
                        "*INITIAL CONDITIONS, TYPE=TEMPERATURE before the first step"));
  EXPECT_EQ(run(deck(start)).code, 0);
}

}  // namespace
}  // namespace setka
