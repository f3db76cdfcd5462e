// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The texts of errors: each names the line, what was found and what would be right.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "deck/deck_text.hpp"
#include "setka/deck/inp.hpp"
#include "setka/model/local_system.hpp"

namespace {

using setka::test::cube;
using setka::test::error_of_deck;
using setka::test::pull;

/// Of a deck with these lines after those of the cube (22 lines).
std::string error_after(const std::string& lines) {
  return error_of_deck(cube + lines + pull);
}

/// Of a step with these lines; the first is line 25.
std::string error_in_step(const std::string& lines) {
  return error_of_deck(cube + "*STEP\n*STATIC\n" + lines + "*END STEP\n");
}

TEST(InpErrors, OfNumbers) {
  EXPECT_EQ(error_after("*NODE\n9,1.x,0,0\n"),
            "deck.inp:24: the coordinate is '1.x', which is not a number; write it like 1, 1.5 or 1.5E-3");
  EXPECT_EQ(error_after("*NODE\n9,1+3\n"),
            "deck.inp:24: the coordinate is '1+3', which is not a number; write it like 1, 1.5 or 1.5E-3");
  EXPECT_EQ(error_after("*NODE\n9,nan\n"),
            "deck.inp:24: the coordinate is 'nan', which is not a number; write it like 1, 1.5 or 1.5E-3");
  EXPECT_EQ(error_after("*NODE\n9,1e999\n"),
            "deck.inp:24: the coordinate is '1e999', which is not a number; write it like 1, 1.5 or 1.5E-3");
  EXPECT_EQ(error_after("*NODE\nx,1.\n"),
            "deck.inp:24: the node is 'x', which is not a whole number; write digits, with a sign if needed");
  EXPECT_EQ(error_after("*NODE\n0,1.\n"), "deck.inp:24: the node is 0; numbers go from 1 to 2147483647");
  EXPECT_EQ(error_after("*NODE\n-5,1.\n"), "deck.inp:24: the node is -5; numbers go from 1 to 2147483647");
  EXPECT_EQ(error_after("*NODE\n2147483648,1.\n"),
            "deck.inp:24: the node is 2147483648; numbers go from 1 to 2147483647");
}

TEST(InpErrors, OfElements) {
  EXPECT_EQ(error_after("*ELEMENT,TYPE=C3D4\n2,1,2,3,17\n"),
            "deck.inp:24: element 2 has node 17, which does not exist; define it by *NODE");
  EXPECT_EQ(error_after("*ELEMENT,TYPE=C3D4\n2,1,2,3\n3,1,2,3\n"),
            "deck.inp:24: element 2 has 3 nodes, but C3D4 has 4; give as many, or the TYPE that is meant");
  EXPECT_EQ(error_after("*ELEMENT,TYPE=C3D4\n2\n"),
            "deck.inp:24: element 2 has 0 nodes, but C3D4 has 4; give as many, or the TYPE that is meant");
  EXPECT_EQ(error_after("*ELEMENT,TYPE=C3D21\n2,1\n"),
            "deck.inp:23: *ELEMENT: there is no element type C3D21; did you mean C3D20?");
  EXPECT_EQ(error_after("*ELEMENT\n2,1\n"), "deck.inp:23: *ELEMENT without TYPE; add TYPE=name");
  EXPECT_EQ(error_after("*ELEMENT,TYPE=C3D4\n1,1,2,3,4\n"),
            "deck.inp:24: element 1 is defined twice; give one of them another number");
}

TEST(InpErrors, OfSteps) {
  EXPECT_EQ(
      error_in_step("*FREQUENCY\n3\n"),
      "deck.inp:25: *FREQUENCY in a step that has *STATIC already; give it a *STEP and an *END STEP of its "
      "own");
  EXPECT_EQ(
      error_of_deck(
          cube + "*AMPLITUDE,NAME=A\n0,0,1,1\n*STEP\n*STATIC\n*BASE MOTION,DOF=1,AMPLITUDE=A\n*END STEP\n"),
      "deck.inp:27: *BASE MOTION: *STATIC moves no base; leave it out, or prescribe displacements by "
      "*BOUNDARY");
  EXPECT_EQ(error_after("*MATERIAL,NAME=AIR\n*DENSITY\n-1.2\n"),
            "deck.inp:24: *DENSITY: the density is -1.2; it is not negative");
}

TEST(InpErrors, OfSectionForcesInSolids) {
  EXPECT_EQ(
      error_of_deck("*NODE\n1,0,0\n2,1,0\n*ELEMENT,TYPE=B31,ELSET=E\n1,1,2\n*MATERIAL,NAME=M\n*ELASTIC\n"
                    "1.,0.\n*BEAM SECTION,SECTION=RECT,ELSET=E,MATERIAL=M\n.1,.1\n*STEP\n*STATIC\n"
                    "*EL FILE,SECTION FORCES,OUTPUT=3D\nS\n*END STEP\n"),
      "deck.inp:13: *EL FILE, SECTION FORCES: the step has OUTPUT=3D too; take OUTPUT=2D for section forces, "
      "or leave them out");
}

TEST(InpErrors, OfMembraneSections) {
  const std::string sheet = "*ELEMENT,TYPE=M3D4,ELSET=SHEET\n2,1,2,3,4\n";
  EXPECT_EQ(error_after(sheet + "*SOLID SECTION,ELSET=SHEET,MATERIAL=STEEL\n"),
            "deck.inp:25: *SOLID SECTION: element 2 is of type M3D4; use *MEMBRANE SECTION");
  EXPECT_EQ(
      error_after("*MEMBRANE SECTION,ELSET=EALL,MATERIAL=STEEL\n.1\n"),
      "deck.inp:23: *MEMBRANE SECTION: element 1 is of type C3D8; it is for M3D3, M3D4, M3D4R, M3D6, M3D8 "
      "and M3D8R");
  EXPECT_EQ(error_after(sheet + "*MEMBRANE SECTION,ELSET=SHEET,MATERIAL=STEEL\n"),
            "deck.inp:25: *MEMBRANE SECTION without a thickness; give it on the next line");
  EXPECT_EQ(error_after(sheet + "*MEMBRANE SECTION,ELSET=SHEET,MATERIAL=STEEL\n0.\n"),
            "deck.inp:26: *MEMBRANE SECTION: the thickness is 0; it is larger than zero");
  EXPECT_EQ(error_after(sheet + "*MEMBRANE SECTION,ELSET=SHEET\n1.\n"),
            "deck.inp:25: *MEMBRANE SECTION without MATERIAL; add MATERIAL=name");
  EXPECT_EQ(error_after(sheet),
            "deck.inp: element 2 of type M3D4 has no material; put it into the set of a *MEMBRANE SECTION");
  EXPECT_EQ(
      error_of_deck(cube + sheet +
                    "*MEMBRANE SECTION,ELSET=SHEET,MATERIAL=STEEL\n1.\n*STEP\n*STATIC\n"
                    "*DLOAD\n2,P3,1.\n*END STEP\n"),
      "deck.inp:30: element 2 of type M3D4 has no load 'P3'; shells and membranes have P and EDNOR1 to 4, "
      "beams P1 and P2, solids P1 to P6; use one *DLOAD line for each");
}

TEST(InpErrors, OfNames) {
  EXPECT_EQ(error_in_step("*CLOAD\nTOPP,1,1.\n"),
            "deck.inp:26: *CLOAD names node set TOPP, which does not exist; did you mean TOP?");
  EXPECT_EQ(error_in_step("*CLOAD\n77,1,1.\n"),
            "deck.inp:26: *CLOAD names node 77, which does not exist; define it by *NODE");
  EXPECT_EQ(error_in_step("*DLOAD\nXYZ,P1,1.\n"),
            "deck.inp:26: *DLOAD names element set XYZ, which does not exist; there is only EALL");
  EXPECT_EQ(error_in_step("*CLOAD,AMPLITUDE=A\nTOP,1,1.\n"),
            "deck.inp:25: *CLOAD names amplitude A, which does not exist; the deck defines no amplitude");
  EXPECT_EQ(error_after("*SOLID SECTION,ELSET=EALL,MATERIAL=WOOD\n"),
            "deck.inp:23: *SOLID SECTION names material WOOD, which does not exist; there is only STEEL");
  EXPECT_EQ(error_after("*SOLID SECTION,ELSET=NONE,MATERIAL=STEEL\n"),
            "deck.inp:23: *SOLID SECTION names element set NONE, which does not exist; there is only EALL");
  EXPECT_EQ(error_after("*ELSET,ELSET=NONE\n*SOLID SECTION,ELSET=NONE,MATERIAL=STEEL\n"),
            "deck.inp:24: *SOLID SECTION: element set NONE is empty; add elements to it by *ELSET or "
            "*ELEMENT,ELSET=");
  EXPECT_EQ(error_after("*SOLID SECTION,ELSET=EALL,MATERIAL=STEEL,ORIENTATION=O\n"),
            "deck.inp:23: *SOLID SECTION names orientation O, which does not exist; the deck defines no "
            "orientation");
  EXPECT_EQ(error_after("*MATERIAL,NAME=Steel\n"),
            "deck.inp:23: material STEEL is defined twice, first at line 17; give one of them another name");
  EXPECT_EQ(error_after("*NSET,NSET=A\nB\n"),
            "deck.inp:24: *NSET names node set B, which does not exist; there are A, BOTTOM, NALL and TOP");
}

TEST(InpErrors, OfFacesAndDirections) {
  EXPECT_EQ(error_in_step("*DLOAD\nEALL,P7,1.\n"),
            "deck.inp:26: element 1 of type C3D8 has no face 'P7'; it has P1 to P6");
  EXPECT_EQ(error_after("*SURFACE,NAME=S\nEALL,S9\n"),
            "deck.inp:24: element 1 of type C3D8 has no face 'S9'; it has S1 to S6");
  EXPECT_EQ(error_in_step("*DLOAD\nEALL,WIND,1.\n"),
            "deck.inp:26: *DLOAD: there is no load 'WIND'; there are P1 to P6, GRAV, CENTRIF and NEWTON");
  EXPECT_EQ(error_in_step("*CLOAD\nTOP,7,1.\n"), "deck.inp:26: *CLOAD: degree of freedom 7; it is 1, 2 or 3");
  EXPECT_EQ(
      error_after("*BOUNDARY\n1,12\n"),
      "deck.inp:24: *BOUNDARY: degree of freedom 12; 1 to 3 are displacements, 4 to 6 rotations, 11 is the "
      "temperature");
  EXPECT_EQ(error_after("*BOUNDARY\n1,3,1\n"),
            "deck.inp:24: *BOUNDARY: degrees of freedom from 3 to 1; 1 to 3 are displacements, 4 to 6 "
            "rotations, 11 "
            "is the temperature");
  EXPECT_EQ(error_after("*EQUATION\n3\n5,1,1.,6,1,1.\n"),
            "deck.inp:24: *EQUATION: 3 terms asked for, 2 found; a term is a node, a degree of freedom and a "
            "coefficient; up to four a line");
  EXPECT_EQ(
      error_after("*TRANSFORM,NSET=TOP\n1,0,0,2,0,0\n"),
      "deck.inp:24: *TRANSFORM: the origin and the points a and b are on one line; a is on the local x axis "
      "and b beside it in the local x-y plane");
}

TEST(InpErrors, OfLocalSystemsThatSpanNoAxes) {
  const std::string on_one_line =
      ": the origin and the points a and b are on one line; a is on the local x axis and b beside it in the "
      "local x-y plane";
  const std::string coincide = ": the points a and b coincide; the axis goes from a to b";
  for (const char* points : {"1,0,0,2,0,0", "0,0,0,0,1,0", "1,0,0,0,0,0", "1,2,3,-2,-4,-6", "1,0,0,1,1e-13,0",
                             "1e200,0,0,1e200,0,0", "1e-200,0,0,1e-200,0,0"}) {
    EXPECT_EQ(error_after(std::string("*ORIENTATION,NAME=O\n") + points + "\n"),
              "deck.inp:24: *ORIENTATION" + on_one_line)
        << points;
    EXPECT_EQ(error_after(std::string("*TRANSFORM,NSET=TOP\n") + points + "\n"),
              "deck.inp:24: *TRANSFORM" + on_one_line)
        << points;
  }
  EXPECT_EQ(error_after("*ORIENTATION,NAME=O,SYSTEM=CYLINDRICAL\n1,2,3,1,2,3\n"),
            "deck.inp:24: *ORIENTATION" + coincide);
  EXPECT_EQ(error_after("*TRANSFORM,NSET=TOP,TYPE=C\n1,2,3,1,2,3\n"), "deck.inp:24: *TRANSFORM" + coincide);
}

TEST(InpErrors, AxesThatAreReadCanBeUsed) {
  // Sizes of vectors do not matter, not even where their squares are zero or infinite.
  for (const char* points : {"1,0,0,1,1e-11,0", "1e-200,0,0,0,1e-250,0", "1e200,0,0,1e250,1e250,0"}) {
    for (const char* kind : {"R", "C"}) {
      std::string text = cube + "*TRANSFORM,NSET=TOP,TYPE=";
      text.append(kind).append("\n").append(points).append("\n").append(pull);
      const auto deck = setka::test::read_text(text);
      const auto axes = setka::model::axes_at(deck.model.transforms.at(0).system, std::array{1.0, 2.0, 3.0});
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          const double product = axes[i][0] * axes[j][0] + axes[i][1] * axes[j][1] + axes[i][2] * axes[j][2];
          EXPECT_NEAR(product, i == j ? 1 : 0, 1e-15) << kind << " " << points;
        }
      }
    }
  }
}

TEST(InpErrors, OfBuckleSteps) {
  const auto error = [](const std::string& lines) {
    return error_of_deck(cube + "*STEP\n*BUCKLE\n" + lines + "*END STEP\n");
  };
  EXPECT_EQ(error(""),
            "deck.inp:24: *BUCKLE does not say how many factors; give their number on the line after it, "
            "usually 1");
  EXPECT_EQ(error("0\n"), "deck.inp:25: *BUCKLE: the number of factors is 0; it goes from 1 to 1000000");
  EXPECT_EQ(error("2,3.\n"), "deck.inp:25: *BUCKLE: the accuracy is 3; it is relative, between 0 and 1");
  EXPECT_EQ(
      error("5,0.01,5\n"),
      "deck.inp:25: *BUCKLE: 5 Lanczos vectors for 5 factors; there are more vectors than factors; leave "
      "their number out, and it is chosen");
  EXPECT_EQ(error("5,0.01,20,0\n"),
            "deck.inp:25: *BUCKLE: the largest number of iterations is 0; it is 1 or more");
}

TEST(InpErrors, OfFrequencySteps) {
  const auto error = [](const std::string& lines) {
    return error_of_deck(cube + "*STEP\n*FREQUENCY\n" + lines);
  };
  const std::string end = "*END STEP\n";
  EXPECT_EQ(error(end),
            "deck.inp:24: *FREQUENCY does not say how many modes; give their number on the line after it");
  EXPECT_EQ(error("0\n" + end),
            "deck.inp:25: *FREQUENCY: the number of modes is 0; it goes from 1 to 1000000, or is 0 with an "
            "upper frequency");
  EXPECT_EQ(
      error("0,-5,-1\n" + end),
      "deck.inp:25: *FREQUENCY: the upper frequency is not positive; give one above zero, or a number of "
      "modes");
  EXPECT_EQ(error("-3\n" + end),
            "deck.inp:25: *FREQUENCY: the number of modes is -3; it goes from 1 to 1000000, or is 0 with an "
            "upper frequency");
  EXPECT_EQ(
      error("2.5\n" + end),
      "deck.inp:25: the number of modes is '2.5', which is not a whole number; write digits, with a sign if "
      "needed");
  EXPECT_EQ(error("2,50,10\n" + end),
            "deck.inp:25: *FREQUENCY: the upper frequency 10 is below the lower one 50; give the number of "
            "modes, the "
            "lower frequency, then the upper one");
}

TEST(InpErrors, OfWholeDecks) {
  EXPECT_EQ(error_of_deck("1,2,3\n*NODE\n"),
            "deck.inp:1: data before any keyword: '1,2,3'; a deck begins with a keyword line such as *NODE");
  EXPECT_EQ(error_of_deck(""), "deck.inp: the file is empty; a deck begins with keywords such as *NODE");
  EXPECT_EQ(error_of_deck(cube), "deck.inp: the deck has no steps; end it with *STEP, *STATIC and *END STEP");
  EXPECT_EQ(error_of_deck("*NODE\n1\n" + std::string("*STEP\n*STATIC\n*END STEP\n")),
            "deck.inp: the deck has no elements; add them by *ELEMENT");
  EXPECT_EQ(error_of_deck(cube + "*STEP\n*STATIC\n*CLOAD\n"),
            "deck.inp:23: the step has no *END STEP; the deck may be cut off; end the step with *END STEP");
  EXPECT_EQ(error_of_deck(cube + "*STEP\n*STEP\n"),
            "deck.inp:24: *STEP inside a step; end the step before it with *END STEP");
  EXPECT_EQ(error_of_deck(cube + "*STEP\n*END STEP\n"),
            "deck.inp:23: the step has no procedure; add *STATIC, *FREQUENCY or another one after *STEP");
  EXPECT_EQ(error_of_deck(cube + "*CLOAD\n"),
            "deck.inp:23: *CLOAD outside a step; move it between *STEP and *END STEP");
  EXPECT_EQ(error_in_step("*MATERIAL,NAME=X\n"),
            "deck.inp:25: *MATERIAL inside a step; move it before the first *STEP");
  EXPECT_EQ(error_after("*ELEMENT,TYPE=C3D4\n2,1,2,3,5\n"),
            "deck.inp: element 2 of type C3D4 has no material; put it into the set of a *SOLID SECTION");
  EXPECT_EQ(error_after("*MATERIAL,NAME=X\n*SOLID SECTION,ELSET=EALL,MATERIAL=X\n"),
            "deck.inp:23: material X has no elastic constants; add *ELASTIC after it");
  EXPECT_EQ(error_of_deck("*ELASTIC\n1,2\n"),
            "deck.inp:1: *ELASTIC before any *MATERIAL; put it after *MATERIAL,NAME=name");
}

/// Wherever a deck is cut off before the word that ends its last step, reading it is an error.
TEST(InpErrors, OfDecksCutOffAnywhere) {
  const std::string whole = cube + pull;
  const std::size_t last = whole.rfind("*END STEP") + std::string("*END STEP").size();
  EXPECT_EQ(error_of_deck(whole.substr(0, last)), "no error");
  for (std::size_t size = 0; size < last; ++size) {
    const std::string message = error_of_deck(whole.substr(0, size));
    EXPECT_TRUE(message.starts_with("deck.inp:")) << "cut after " << size << " bytes: " << message;
  }
  EXPECT_EQ(error_of_deck(cube.substr(0, cube.find("5,6,7,8\n*NSET") + 4)),
            "deck.inp:12: element 1 has 6 nodes, but C3D8 has 8; give as many, or the TYPE that is meant");
}

TEST(InpErrors, OfFilesThatAreNoDecks) {
  EXPECT_EQ(error_of_deck("# pump\nlength = 3\n"),
            "deck.inp:1: data before any keyword: '# pump'; a deck begins with a keyword line such as *NODE");
  EXPECT_EQ(
      error_of_deck(std::string("\x7f"
                                "ELF\2\1\1\0",
                                8)),
      "deck.inp: is not text: byte 5 is 0x02; a deck is a text file in the format of CalculiX and Abaqus");
  EXPECT_EQ(error_of_deck("\x1f\x8b\x08"), "deck.inp: is compressed, not text; unpack it with gunzip first");
}

TEST(InpErrors, OfTables) {
  EXPECT_EQ(error_after("*MATERIAL,NAME=X\n*ELASTIC,TYPE=ORTHO\n1,2,3,4,5,6,7,8\n"),
            "deck.inp:25: *ELASTIC has 8 constants here, but needs 9; give the rest on the next lines");
  EXPECT_EQ(error_after("*MATERIAL,NAME=X\n*ELASTIC\n1.,.3,20.\n1.,.3,10.\n"),
            "deck.inp:26: *ELASTIC: the temperature 10 follows 20; order the lines by rising temperature");
  EXPECT_EQ(error_after("*MATERIAL,NAME=X\n*ELASTIC,TYPE=RUBBER\n1.\n"),
            "deck.inp:24: *ELASTIC: TYPE is RUBBER; it is ISO, ORTHO, ENGINEERING CONSTANTS or ANISO");
  EXPECT_EQ(error_after("*AMPLITUDE,NAME=A\n0.,0.,1.\n"),
            "deck.inp:24: *AMPLITUDE: a time without a value; give pairs of time and value");
  EXPECT_EQ(
      error_of_deck(cube + "*STEP\n*STATIC\n2.,1.\n*END STEP\n"),
      "deck.inp:25: *STATIC: the first increment 2 is longer than the step of 1; give the first increment, "
      "then the time period");
}

}  // namespace
