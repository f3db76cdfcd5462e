// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *TIE in decks: what is read, warned of and refused.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deck/deck_text.hpp"

namespace setka {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two cubes, the second one on the first, `gap` above it and turned so much that two of its nodes are
/// higher.
std::string cubes(const std::string& tie, const std::string& gap = "1", const std::string& higher = "1",
                  const std::string& more = "") {
  return test::cube + "*NODE\n11,0,0," + gap + "\n12,1,0," + gap + "\n13,1,1," + higher + "\n14,0,1," +
         higher +
         "\n15,0,0,2\n16,1,0,2\n17,1,1,2\n18,0,1,2\n*ELEMENT,TYPE=C3D8,ELSET=EALL\n2,11,12,13,14,15,16,17,"
         "18\n"
         "*SURFACE,NAME=LOW\n1,S2\n*SURFACE,NAME=HIGH\n2,S1\n*SURFACE,NAME=POINTS,TYPE=NODE\n11\n12\n" +
         more + tie + "\n" + test::pull;
}

TEST(TieDeck, EachNodeHasAnEquationInEachDirection) {
  const deck::Deck deck = test::read_text(cubes("*TIE,NAME=T1\nHIGH,LOW"));
  EXPECT_THAT(deck.warnings, IsEmpty());
  ASSERT_EQ(deck.model.equations.size(), 12U);
  EXPECT_EQ(deck.model.equations[0].line.number, deck.model.equations[11].line.number);
  EXPECT_EQ(test::read_text(cubes("*TIE,NAME=T1\nPOINTS,LOW")).model.equations.size(), 6U);
}

TEST(TieDeck, ToleranceAndAdjustAreObeyed) {
  const deck::Deck moved = test::read_text(cubes("*TIE,POSITION TOLERANCE=0.2\nHIGH,LOW", "1.1", "1.1"));
  EXPECT_EQ(moved.model.equations.size(), 12U);
  EXPECT_NEAR(moved.model.mesh.coordinates(moved.model.mesh.find_node(11))[2], 1, 1e-14);
  const deck::Deck stays =
      test::read_text(cubes("*TIE,POSITION TOLERANCE=0.2,ADJUST=NO\nHIGH,LOW", "1.1", "1.1"));
  EXPECT_EQ(stays.model.equations.size(), 12U);
  EXPECT_EQ(stays.model.mesh.coordinates(stays.model.mesh.find_node(11))[2], 1.1);
}

TEST(TieDeck, NodesThatAreTooFarAwayAreNamed) {
  const deck::Deck deck = test::read_text(cubes("*TIE\nHIGH,LOW", "1.01", "1.1"));
  EXPECT_EQ(deck.model.equations.size(), 6U);
  EXPECT_THAT(deck.warnings,
              ElementsAre(HasSubstr("*TIE: nodes 13 and 14 of surface HIGH are farther than 0.025 "
                                    "from surface LOW and not tied")));
  EXPECT_THAT(
      test::error_of_deck(cubes("*TIE\nHIGH,LOW", "1.1", "1.2")),
      HasSubstr("*TIE: surfaces HIGH and LOW do not face each other: no node is nearer than 0.1, and the "
                "tolerance is 0.025; check the surfaces"));
}

TEST(TieDeck, WhatIsPrescribedIsNotTied) {
  const deck::Deck deck = test::read_text(cubes("*TIE\nHIGH,LOW", "1", "1", "*BOUNDARY\n11,1,2\n"));
  EXPECT_EQ(deck.model.equations.size(), 10U);
  EXPECT_THAT(deck.warnings,
              ElementsAre(HasSubstr("*TIE: node 11 of surface HIGH: directions that are prescribed")));
}

TEST(TieDeck, WrongOnesAreRefused) {
  EXPECT_THAT(
      test::error_of_deck(cubes("*TIE\nHIGH,POINTS")),
      HasSubstr("*TIE: the independent surface, POINTS, is one of nodes; give a surface of element faces"));
  EXPECT_THAT(test::error_of_deck(cubes("*TIE\nHIGH")), HasSubstr("*TIE names one surface"));
  EXPECT_THAT(test::error_of_deck(cubes("*TIE")), HasSubstr("*TIE without surfaces"));
  EXPECT_THAT(test::error_of_deck(cubes("*TIE\nHIGH,LOW\nLOW,HIGH")), HasSubstr("*TIE with a second line"));
  EXPECT_THAT(test::error_of_deck(cubes("*TIE\nHIHG,LOW")), HasSubstr("did you mean HIGH?"));
  EXPECT_THAT(test::error_of_deck(cubes("*TIE,ADJUST=MAYBE\nHIGH,LOW")),
              HasSubstr("ADJUST is MAYBE; it is YES or NO"));
  EXPECT_THAT(test::error_of_deck(cubes("*TIE,POSITION TOLERANCE=-1\nHIGH,LOW")),
              HasSubstr("POSITION TOLERANCE is -1"));
  EXPECT_THAT(test::error_of_deck(cubes("*TIE,NAME=A\nHIGH,LOW\n*TIE,NAME=A\nPOINTS,LOW")),
              HasSubstr("tie A is defined twice"));
}

TEST(TieDeck, SeveralStagesAreNotSupportedYet) {
  for (const std::string parameter : {"FLUID CYCLIC", "MULTISTAGE"}) {
    const deck::Deck deck = test::read_text(cubes("*TIE," + parameter + "\nHIGH,LOW"));
    ASSERT_EQ(deck.unsupported.size(), 1U);
    EXPECT_THAT(deck.unsupported[0].what, HasSubstr("*TIE, parameter"));
  }
}

TEST(TieDeck, EdgesOfPlaneElementsAreNotSupportedYet) {
  const deck::Deck deck = test::read_text(
      "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,0,1\n6,1,1\n7,1,2\n8,0,2\n*ELEMENT,TYPE=CPE4,ELSET=E\n1,1,2,3,4\n"
      "2,5,6,7,8\n*SURFACE,NAME=A\n1,S3\n*SURFACE,NAME=B\n2,S1\n*TIE\nB,A\n*MATERIAL,NAME=M\n*ELASTIC\n1,0\n"
      "*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*STATIC\n*END STEP\n");
  ASSERT_EQ(deck.unsupported.size(), 1U);
  EXPECT_EQ(deck.unsupported[0].what, "*TIE of elements CPE4");
}

}  // namespace
}  // namespace setka
