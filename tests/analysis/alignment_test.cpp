// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *MPC, PLANE, STRAIGHT and BEAM against what is known by hand. Comparison with CalculiX: tests/calculix/own.
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "deck/deck_text.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

/// The cube, held below, under a force that bends its top; extra: nodes and constraints before the step.
std::string bent_cube(const std::string& constraints, const std::string& in_step = "") {
  return test::cube + constraints + "*STEP\n*STATIC\n" + in_step +
         "*CLOAD\n5,3,-100\n7,1,300\n*NODE FILE\nU\n*END STEP\n";
}

TEST(Alignment, ATopStaysPlane) {
  const test::DeckRun run = test::run_deck_text(bent_cube("*MPC\nPLANE,5,6,7,8\n"));
  const auto w = [&](int node) { return run.at_node("U", node, 2); };
  EXPECT_NEAR(w(5) + w(7), w(6) + w(8), 1e-12 * std::abs(w(5)));
  EXPECT_GT(std::abs(w(5) - w(7)), 0.01 * std::abs(w(5)));  // the plane turns
}

TEST(Alignment, ALineTurnsAndStretches) {
  const test::DeckRun run =
      test::run_deck_text(bent_cube("*NODE\n9,.25,.25,1\n*MPC\nSTRAIGHT,5,7,9\n*BOUNDARY\n9,1,1\n"));
  for (const int across : {1, 2}) {
    const auto u = [&](int node) {
      return across == 2 ? run.at_node("U", node, 2) : run.at_node("U", node, 1) - run.at_node("U", node, 0);
    };
    EXPECT_NEAR(u(9), 0.75 * u(5) + 0.25 * u(7), 1e-12 * (std::abs(u(5)) + std::abs(u(7)))) << across;
  }
}

TEST(Alignment, ABeamKeepsItsLength) {
  const test::DeckRun run = test::run_deck_text(bent_cube("*MPC\nBEAM,5,7\n"));
  double stretch = 0;
  for (const int k : {0, 1}) stretch += run.at_node("U", 7, k) - run.at_node("U", 5, k);
  EXPECT_NEAR(stretch, 0, 1e-12 * std::abs(run.at_node("U", 7, 0)));
}

TEST(Alignment, WhatIsOffThePlaneIsMovedThere) {
  const test::DeckRun run = test::run_deck_text(bent_cube("*NODE\n7,1,1,1.001\n*MPC\nPLANE,5,6,8,7\n"));
  EXPECT_THAT(run.deck->warnings, testing::Contains(HasSubstr("node 7 is 0.001 away from the plane")));
  const auto w = [&](int node) { return run.at_node("U", node, 2); };
  EXPECT_NEAR(w(7) + 0.001, w(6) + w(8) - w(5), 1e-5);
}

TEST(Alignment, WrongOnesAreRefused) {
  const auto refusal = [](const std::string& nodes) {
    return test::refusal_of_deck(bent_cube("*MPC\n" + nodes + "\n"));
  };
  EXPECT_THAT(refusal("PLANE,5,6,7"), HasSubstr("deck.inp:23: *MPC PLANE: 3 nodes; give three nodes"));
  EXPECT_THAT(refusal("STRAIGHT,5"), HasSubstr("deck.inp:23: *MPC STRAIGHT: 1 node; give two nodes"));
  EXPECT_THAT(refusal("BEAM,5,6,7"), HasSubstr("deck.inp:23: *MPC BEAM: 3 nodes; give the two nodes"));
  EXPECT_THAT(refusal("PLANE,5,6,7,5"), HasSubstr("deck.inp:24: *MPC PLANE: node 5 is there twice"));
  EXPECT_THAT(refusal("PLANE,5,6,7,99"), HasSubstr("deck.inp:24: *MPC PLANE names node 99"));
  EXPECT_THAT(
      test::refusal_of_deck(bent_cube("*NODE\n9,.5,0,1\n*MPC\nPLANE,5,6,9,7\n")),
      HasSubstr("*MPC PLANE: nodes 5, 6 and 9 lie in one line and define no plane; begin with others"));
  EXPECT_THAT(test::refusal_of_deck(bent_cube("*NODE\n9,0,0,1\n*MPC\nSTRAIGHT,5,9,7\n")),
              HasSubstr("*MPC STRAIGHT: nodes 5 and 9 coincide and define no line"));
  EXPECT_THAT(test::refusal_of_deck(bent_cube("*NODE\n9,0,0,1\n*MPC\nBEAM,5,9\n")),
              HasSubstr("*MPC BEAM: nodes 5 and 9 coincide and have no distance to keep"));
  EXPECT_THAT(refusal("PLANE,1,2,3,4"),
              HasSubstr("deck.inp:23: *MPC PLANE: all displacements of an equation are prescribed or tied "
                        "already, that of node 4, direction 3, at deck.inp:"));
  EXPECT_THAT(refusal("DIST,5,5,5,6,6,6,7"), HasSubstr("deck.inp:23: *MPC DIST: a limit of a distance"));
}

}  // namespace
}  // namespace setka
