// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Trusses and springs against what statics says by hand. Comparisons with CalculiX: tests/calculix/own.
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka {
namespace {

using test::DeckRun;
using ::testing::HasSubstr;

/// A bar from the origin to (3, 4, 0), of section 2 and modulus 1000, held at the origin and led along x.
std::string bar(const std::string& before_step, const std::string& in_step) {
  return "*NODE,NSET=N\n1,0,0,0\n2,3,4,0\n*ELEMENT,TYPE=T3D2,ELSET=E\n1,1,2\n*MATERIAL,NAME=M\n*ELASTIC\n"
         "1000,.3\n*EXPANSION\n1e-3\n*DENSITY\n6\n*SOLID SECTION,ELSET=E,MATERIAL=M\n2\n*BOUNDARY\n1,1,3\n" +
         before_step + "*STEP\n*STATIC\n" + in_step + "*NODE FILE\nU,RF\n*EL FILE\nS\n*END STEP\n";
}

TEST(Truss, CarriesAlongItsAxisAlone) {
  // Along x with y and z held: N = EA/L (3/5 u), its x component is the load.
  const DeckRun run = test::run_deck_text(bar("2,2,3\n", "*CLOAD\n2,1,9\n"));
  const double tension = 9 / 0.6;
  EXPECT_NEAR(run.at_node("U", 2, 0), tension * 5 / (1000 * 2) / 0.6, 1e-12);
  EXPECT_NEAR(run.at_node("RF", 2, 1), tension * 0.8, 1e-9);
  EXPECT_NEAR(run.at_node("RF", 1, 0), -9, 1e-9);
  // Weights from points to nodes are decimals of four or five places.
  EXPECT_NEAR(run.at_node("S", 2, 0), tension / 2 * 0.36, 1e-3);
  EXPECT_NEAR(run.at_node("S", 1, 3), tension / 2 * 0.48, 1e-3);
}

TEST(Truss, HeatStretchesItAndHoldingItPresses) {
  const std::string cold = "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nN,0\n";
  const std::string warm = "*TEMPERATURE\n1,10\n2,30\n";  // 20 on the mean
  const DeckRun free = test::run_deck_text(bar("2,2,3\n" + cold, warm));
  EXPECT_NEAR(free.at_node("U", 2, 0), 1e-3 * 20 * 5 / 0.6, 1e-12);
  const DeckRun held = test::run_deck_text(bar("2,1,3\n" + cold, warm));
  EXPECT_NEAR(held.at_node("RF", 2, 0), -1000 * 1e-3 * 20 * 2 * 0.6, 1e-9);
  EXPECT_NEAR(held.at_node("RF", 2, 1), -1000 * 1e-3 * 20 * 2 * 0.8, 1e-9);
}

TEST(Truss, WeighsItsVolume) {
  const DeckRun run = test::run_deck_text(bar("2,1,3\n", "*DLOAD\nE,GRAV,10,0,0,-1\n"));
  const double weight = 6 * 10 * 2 * 5;
  // CalculiX's reactions are what the element exerts: a load between held nodes is not in them.
  EXPECT_NEAR(run.at_node("RF", 1, 2) + run.at_node("RF", 2, 2), 0, 1e-9);
  const DeckRun hung = test::run_deck_text(
      "*NODE\n1,0,0,0\n2,0,0,-5\n*ELEMENT,TYPE=T3D2,ELSET=E\n1,1,2\n*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n"
      "*DENSITY\n6\n*SOLID SECTION,ELSET=E,MATERIAL=M\n2\n*BOUNDARY\n1,1,3\n2,1,2\n*STEP\n*STATIC\n"
      "*DLOAD\nE,GRAV,10,0,0,-1\n*NODE FILE\nU\n*END STEP\n");
  EXPECT_NEAR(hung.at_node("U", 2, 2), -weight / 2 * 5 / (1000 * 2), 1e-12);
}

TEST(Truss, FollowsTheAxesOfItsNodeAndEquations) {
  // Led along its own axis by *TRANSFORM: u = F L / EA there. The third node follows by an equation.
  const DeckRun run = test::run_deck_text(
      bar("2,2,3\n*NODE\n3,0,0,9\n*NSET,NSET=T\n2\n*TRANSFORM,NSET=T,TYPE=R\n3,4,0,-4,3,0\n*EQUATION\n2\n"
          "3,3,1,2,1,-2\n",
          "*CLOAD\n2,1,10\n"));
  const double stretch = 10 * 5 / (1000.0 * 2);
  EXPECT_NEAR(run.at_node("U", 2, 0), 0.6 * stretch, 1e-12);
  EXPECT_NEAR(run.at_node("U", 2, 1), 0.8 * stretch, 1e-12);
  EXPECT_NEAR(run.at_node("U", 3, 2), 2 * stretch, 1e-12);
}

TEST(Truss, AMechanismIsRefused) {
  EXPECT_THAT(test::refusal_of_deck(bar("", "*CLOAD\n2,1,1\n")), HasSubstr("would set it moving"));
  EXPECT_THAT(test::refusal_of_deck(bar("*NODE\n2,0,0,0\n", "*CLOAD\n2,1,1\n")),
              HasSubstr("element 1 (T3D2) is without length"));
}

std::string springs(const std::string& cards, const std::string& in_step) {
  return "*NODE,NSET=N\n1,0,0,0\n2,3,4,0\n" + cards + "*STEP\n*STATIC\n" + in_step +
         "*NODE FILE\nU,RF\n*END STEP\n";
}

TEST(Spring, SpringaPullsAlongItsLine) {
  // Displacements of 1e-6: what CalculiX computes on the displaced nodes differs by about as much.
  const DeckRun run = test::run_deck_text(
      springs("*ELEMENT,TYPE=SPRINGA,ELSET=S\n1,1,2\n*SPRING,ELSET=S\n\n50\n*BOUNDARY\n1,1,3\n2,2,3\n",
              "*CLOAD\n2,1,1e-6\n*EL PRINT,ELSET=S\nELSE\n"));
  EXPECT_NEAR(run.at_node("U", 2, 0), 1e-6 / (50 * 0.36), 1e-18);
  EXPECT_NEAR(run.at_node("RF", 2, 1), 1e-6 * 0.8 / 0.6, 1e-11);
  EXPECT_NEAR(run.frames.back().element_energy.front(), 0.5 * 1e-6 * 1e-6 / (50 * 0.36), 1e-18);
}

TEST(Spring, Spring1AndSpring2ActAtTheirDirections) {
  const DeckRun run = test::run_deck_text(springs(
      "*ELEMENT,TYPE=SPRING1,ELSET=A\n1,1\n*ELEMENT,TYPE=SPRING2,ELSET=B\n2,1,2\n*SPRING,ELSET=A\n3\n10\n"
      "*SPRING,ELSET=B\n3,1\n40\n*BOUNDARY\n1,1,2\n2,2,3\n",
      "*CLOAD\n2,1,2\n"));
  EXPECT_NEAR(run.at_node("U", 1, 2), 2.0 / 10, 1e-12);  // in series: both carry the load
  EXPECT_NEAR(run.at_node("U", 2, 0), 2.0 / 10 + 2.0 / 40, 1e-12);
  EXPECT_NEAR(run.at_node("RF", 2, 0), 2, 1e-12);
}

TEST(Spring, ConstantFollowsTheMeanTemperature) {
  const DeckRun run = test::run_deck_text(springs(
      "*ELEMENT,TYPE=SPRINGA,ELSET=S\n1,1,2\n*SPRING,ELSET=S\n\n50,,0\n150,,100\n*BOUNDARY\n1,1,3\n2,2,3\n"
      "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nN,0\n",
      "*TEMPERATURE\n1,20\n2,60\n*CLOAD\n2,1,1e-6\n"));
  EXPECT_NEAR(run.at_node("U", 2, 0), 1e-6 / (90 * 0.36), 1e-18);
}

TEST(Spring, WrongOnesAreRefused) {
  const std::string element = "*ELEMENT,TYPE=SPRINGA,ELSET=S\n1,1,2\n";
  EXPECT_THAT(test::refusal_of_deck(springs(element + "*SPRING,ELSET=S,NONLINEAR\n\n0,0\n1,1\n", "")),
              HasSubstr("deck.inp:6: *SPRING, parameter NONLINEAR"));
  EXPECT_THAT(test::refusal_of_deck(springs("*NODE\n2,0,0,0\n" + element + "*SPRING,ELSET=S\n\n5\n", "")),
              HasSubstr("element 1 (SPRINGA) is without length"));
  EXPECT_THAT(test::refusal_of_deck(
                  springs("*ELEMENT,TYPE=SPRING1,ELSET=S\n1,1\n*SPRING,ELSET=S\n1\n5\n", "*CLOAD\n1,2,1\n")),
              HasSubstr("free to move by translation along z and translation along y, and the loads would"));
}

}  // namespace
}  // namespace setka
