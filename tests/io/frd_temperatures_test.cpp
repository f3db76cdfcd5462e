// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/frd_temperatures.hpp"

#include <fstream>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"

namespace setka::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A block as CalculiX 2.20 writes it, with the temperatures of nodes 7 and 10000000.
std::string block(int number, int increment, int step, const std::string& first, const std::string& second) {
  const auto field = [](int value) {
    const std::string text = std::to_string(value);
    return std::string(12 - text.size(), ' ') + text;
  };
  return "    1PSTEP              " + std::string(2, ' ') + field(number).substr(2) + field(increment) +
         field(step) +
         "          \n  100CL  101 1.000000000           2                     0    1           1\n"
         " -4  NDTEMP      1    1\n -5  T           1    1    0    0\n"
         " -1         7" +
         first + "\n -1  10000000" + second + "\n -3\n";
}

const std::string head =
    "    1C\n    1UPGM               CalculiX\n"
    "    2C                             2                                     1\n"
    " -1         7 0.00000E+00 0.00000E+00 0.00000E+00\n -1  10000000 1.00000E+00 0.00000E+00 0.00000E+00\n "
    "-3\n";
const std::string text = head + block(1, 1, 1, " 1.00000E+01", "-2.50000E+00") +
                         block(2, 2, 1, " 2.00000E+01", " 3.00000E+00") +
                         block(3, 1, 3, " 9.00000E+01", " 4.00000E+00") + " 9999\n";

class FrdTemperatureFile : public ::testing::Test {
 protected:
  FrdTemperatures read(const std::string& content, std::optional<int> step = {}) {
    std::ofstream(folder_ / "a.frd", std::ios::binary) << content;
    return read_frd_temperatures(folder_ / "a.frd", step);
  }

  std::string refusal(const std::string& content, std::optional<int> step = {}) {
    try {
      read(content, step);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return error.what();
    }
    return "nothing was thrown";
  }

  std::string error_of(const std::string& deck) {
    std::ofstream(folder_ / "a.frd", std::ios::binary) << text;
    try {
      read_deck(deck);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  deck::Deck read_deck(const std::string& keyword) {
    std::ofstream(folder_ / "d.inp")
        << "*NODE, NSET=ALL\n7,0,0,0\n8,1,0,0\n10000000,0,1,0\n9,0,0,1\n*ELEMENT, TYPE=C3D4, ELSET=E\n1,7,8,"
           "10000000,9\n*MATERIAL, NAME=M\n*ELASTIC\n1.,0.\n*EXPANSION\n1.\n*SOLID SECTION, "
           "ELSET=E, MATERIAL=M\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL,5.\n*STEP\n*STATIC\n"
        << keyword << "\n*END STEP\n";
    Monitor monitor;
    return deck::read_inp(folder_ / "d.inp", monitor);
  }

  test::ScratchFolder folder_;
};

TEST_F(FrdTemperatureFile, HasThoseOfTheLastFrameOrOfAStep) {
  const FrdTemperatures last = read(text);
  EXPECT_EQ(last.step, 3);
  EXPECT_THAT(last.node, ElementsAre(7, 10000000));
  EXPECT_THAT(last.value, ElementsAre(90, 4));
  EXPECT_THAT(read(text, 1).value, ElementsAre(20, 3));  // its last increment
}

TEST_F(FrdTemperatureFile, SaysWhatIsWrong) {
  EXPECT_THAT(refusal(text, 2), HasSubstr("no temperatures of step 2; it has those of step 1, 3"));
  EXPECT_THAT(refusal(head + " 9999\n"),
              HasSubstr("a.frd: the result file has no temperatures; ask for them by *NODE FILE, NT"));
  std::string changed = text;
  changed.replace(changed.find("     1\n -1"), 6, "     3");
  EXPECT_THAT(refusal(changed),
              HasSubstr("a.frd:3: result file: its lines are not those of a long text file"));
  EXPECT_THAT(refusal(text.substr(0, text.find(" 2.00000E+01"))),
              HasSubstr("a.frd:18: result file: the temperature is no number"));
  EXPECT_THAT(refusal(text.substr(0, text.find(" -1  10000000 4.0"))),
              HasSubstr("it ends amid the temperatures"));
  changed = text;
  changed.replace(changed.find("7 9.0"), 1, "x");
  EXPECT_THAT(refusal(changed), HasSubstr("the node is no number: 'x'"));
}

TEST_F(FrdTemperatureFile, IsReadByDecks) {
  std::ofstream(folder_ / "a.frd", std::ios::binary) << text;
  const deck::Deck deck = read_deck("*TEMPERATURE, FILE=a.frd, BSTEP=1");
  const auto& temperatures = deck.model.steps.front().temperatures;
  ASSERT_EQ(temperatures.size(), 2U);
  EXPECT_EQ(temperatures[0].value, 20);
  EXPECT_EQ(deck.model.mesh.node_label(temperatures[1].node), 10000000);
  EXPECT_EQ(temperatures[1].value, 3);
  EXPECT_THAT(deck.warnings,
              ElementsAre(HasSubstr("a.frd has temperatures of 2 of 4 nodes; the others keep theirs")));
}

TEST_F(FrdTemperatureFile, IsMissedByDecks) {
  EXPECT_THAT(error_of("*TEMPERATURE, FILE=b.frd"),
              HasSubstr("d.inp:18: *TEMPERATURE: there is no file 'b.frd'"));
  EXPECT_THAT(error_of("*TEMPERATURE, FILE"),
              HasSubstr("*TEMPERATURE names no file; write *TEMPERATURE,FILE=name"));
  EXPECT_THAT(error_of("*TEMPERATURE, BSTEP=1"), HasSubstr("d.inp:18: *TEMPERATURE: BSTEP without FILE"));
  EXPECT_THAT(error_of("*TEMPERATURE, FILE=a.frd, BSTEP=0"),
              HasSubstr("steps of the file are counted from 1"));
}

}  // namespace
}  // namespace setka::io
