// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Trusses and springs against what statics says by hand. Comparisons with CalculiX: tests/calculix/own.
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
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

/// As CalculiX 2.20 has it: the slope at rest moves it, the curve gives the force.
TEST(Spring, ACurveHasItsSlopeAtRestInLinearSteps) {
  const std::string elements =
      "*NODE\n2,1,0,0\n*ELEMENT,TYPE=SPRINGA,ELSET=S\n1,1,2\n*SPRING,ELSET=S,NONLINEAR\n\n-30,-.5\n0,0\n10,"
      "1\n"
      "100,20\n*BOUNDARY\n1,1,3\n2,2,3\n";
  const auto pulled = [&](const std::string& force) {
    return test::run_deck_text(springs(elements, "*CLOAD\n2,1," + force + "\n*EL PRINT,ELSET=S\nELSE\n"));
  };
  const DeckRun beyond = pulled("11");
  EXPECT_NEAR(beyond.at_node("U", 2, 0), 1.1, 1e-12);
  EXPECT_NEAR(beyond.at_node("RF", 2, 0), 10 + 9.0 / 19, 1e-11);
  EXPECT_NEAR(beyond.frames.back().element_energy.front(), 5 + 0.1 * (20 + 9.0 / 19) / 2, 1e-11);
  EXPECT_NEAR(pulled("300").at_node("RF", 2, 0), 100, 1e-11);  // constant beyond the last point
  const DeckRun pressed = pulled("-5");
  EXPECT_NEAR(pressed.at_node("U", 2, 0), -0.5, 1e-12);
  EXPECT_NEAR(pressed.at_node("RF", 2, 0), -30, 1e-11);
  EXPECT_NEAR(pressed.frames.back().element_energy.front(), 7.5, 1e-11);
}

/// Two springs of 10, along (1, 1) and along the radius to (1, 2): CalculiX 2.20 prints the same.
TEST(Spring, OrientationTurnsItsDirections) {
  const DeckRun run = test::run_deck_text(
      springs("*NODE\n2,1,2,0\n*ELEMENT,TYPE=SPRING1,ELSET=A\n1,2\n*ELEMENT,TYPE=SPRING1,ELSET=B\n2,2\n"
              "*ORIENTATION,NAME=O\n1,1,0,-1,1,0\n*ORIENTATION,NAME=C,SYSTEM=CYLINDRICAL\n0,0,0,0,0,1\n"
              "*SPRING,ELSET=A,ORIENTATION=O\n1\n10\n*SPRING,ELSET=B,ORIENTATION=C\n1\n10\n"
              "*BOUNDARY\n2,3,3\n",
              "*CLOAD\n2,1,11\n"));
  EXPECT_NEAR(run.at_node("U", 2, 0), 14.3, 1e-11);
  EXPECT_NEAR(run.at_node("U", 2, 1), -9.9, 1e-11);
  EXPECT_NEAR(run.at_node("RF", 2, 0), 11, 1e-11);
}

TEST(Spring, WrongOnesAreRefused) {
  const std::string element = "*ELEMENT,TYPE=SPRINGA,ELSET=S\n1,1,2\n";
  const auto curve = [&](const std::string& points) {
    return test::refusal_of_deck(springs(element + "*SPRING,ELSET=S,NONLINEAR\n\n" + points, ""));
  };
  EXPECT_THAT(curve("0,0\n"), HasSubstr("deck.inp:6: *SPRING, NONLINEAR: 1 point; give two or more pairs"));
  EXPECT_THAT(curve("0,0\n1,1\n2,1\n"),
              HasSubstr("deck.inp:10: *SPRING, NONLINEAR: elongation 1 follows 1; give pairs"));
  EXPECT_THAT(curve("0,0\n1,1\n0,0,100\n1,2,100\n"),
              HasSubstr("deck.inp:10: *SPRING, NONLINEAR: curves that depend on temperature"));
  EXPECT_THAT(test::refusal_of_deck(springs(element + "*SPRING,ELSET=S,ORIENTATION=NONE\n\n5\n", "")),
              HasSubstr("deck.inp:6: *SPRING names orientation NONE, which does not exist"));
  EXPECT_THAT(test::refusal_of_deck(springs("*NODE\n2,0,0,0\n" + element + "*SPRING,ELSET=S\n\n5\n", "")),
              HasSubstr("element 1 (SPRINGA) is without length"));
  EXPECT_THAT(test::refusal_of_deck(
                  springs("*ELEMENT,TYPE=SPRING1,ELSET=S\n1,1\n*SPRING,ELSET=S\n1\n5\n", "*CLOAD\n1,2,1\n")),
              HasSubstr("free to move by translation along z and translation along y, and the loads would"));
}

TEST(Mass, WeighsAndSwings) {
  // On a spring to the ground along z: u = m g / k, and the square of the frequency is k / m.
  const std::string deck =
      "*NODE\n1,0,0,0\n2,0,0,1\n3,1,0,1\n4,0,1,1\n5,0,0,2\n*ELEMENT,TYPE=C3D4,ELSET=E\n9,2,3,4,5\n"
      "*MATERIAL,NAME=A\n*ELASTIC\n1e-9,0\n*DENSITY\n1e-9\n*SOLID SECTION,ELSET=E,MATERIAL=A\n"
      "*ELEMENT,TYPE=MASS,ELSET=M\n1,2\n*MASS,ELSET=M\n3\n*ELEMENT,TYPE=SPRING1,ELSET=S\n2,2\n"
      "*SPRING,ELSET=S\n3\n50\n*BOUNDARY\n2,1,2\n3,1,3\n4,1,3\n5,1,3\n";
  const DeckRun hung =
      test::run_deck_text(deck + "*STEP\n*STATIC\n*DLOAD\nM,GRAV,10,0,0,-1\n*NODE FILE\nU\n*END STEP\n");
  EXPECT_NEAR(hung.at_node("U", 2, 2), -3.0 * 10 / 50, 1e-9);
  const DeckRun swung = test::run_deck_text(deck + "*STEP\n*FREQUENCY\n1\n*NODE FILE\nU\n*END STEP\n");
  EXPECT_NEAR(swung.frames.at(0).mode->eigenvalue, 50.0 / 3, 1e-3);
}

/// Two masses in a row on springs, 1 from the wall and 2 between them, the second with a dashpot to the wall.
std::string swing(const std::string& steps) {
  return "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n11,9,9,9\n12,9,9,8\n13,9,8,9\n14,8,9,9\n*ELEMENT,TYPE=C3D4,ELSET="
         "E\n"
         "9,11,13,14,12\n*MATERIAL,NAME=A\n*ELASTIC\n1,0\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=A\n"
         "*ELEMENT,TYPE=MASS,ELSET=M1\n1,2\n*ELEMENT,TYPE=MASS,ELSET=M2\n2,3\n*MASS,ELSET=M1\n2\n"
         "*MASS,ELSET=M2\n3\n*ELEMENT,TYPE=SPRINGA,ELSET=S1\n3,1,2\n*ELEMENT,TYPE=SPRINGA,ELSET=S2\n4,2,3\n"
         "*SPRING,ELSET=S1\n\n40\n*SPRING,ELSET=S2\n\n25\n*ELEMENT,TYPE=DASHPOTA,ELSET=D\n5,1,3\n"
         "*DASHPOT,ELSET=D\n\n4,0\n2,1\n*BOUNDARY\n1,1,3\n2,2,3\n3,2,3\n11,1,3\n12,1,3\n13,1,3\n14,1,3\n" +
         steps;
}

TEST(Dashpot, CouplesModesUnderPeriodicLoads) {
  const DeckRun run =
      test::run_deck_text(swing("*STEP\n*FREQUENCY,STORAGE=YES\n2\n*END STEP\n*STEP\n*STEADY STATE "
                                "DYNAMICS\n.5,.5,1\n*CLOAD\n3,1,1e-3\n"
                                "*NODE FILE\nU\n*END STEP\n"));
  using Complex = std::complex<double>;
  const double w = std::numbers::pi;
  const Complex a(40 + 25 - 2 * w * w, 0);
  const Complex b(25 - 3 * w * w, 3 * w);  // the constant is halfway between two lines
  const Complex second = 1e-3 * a / (a * b - 25.0 * 25.0);
  const model::Frame& frame = run.frames.back();
  const auto at = static_cast<std::size_t>(run.deck->model.mesh.find_node(3));
  EXPECT_NEAR(frame.node_field("U")->values[3 * at], second.real(), 1e-9 * std::abs(second));
  EXPECT_NEAR(frame.imaginary.at(0).node_field("U")->values[3 * at], second.imag(), 1e-9 * std::abs(second));
}

TEST(Dashpot, ModesInTimeMoveAsTheWholeModel) {
  const std::string load = "*CLOAD\n3,1,1e-3\n*NODE FILE\nU\n*END STEP\n";
  const DeckRun modes = test::run_deck_text(
      swing("*STEP\n*FREQUENCY,STORAGE=YES\n2\n*END STEP\n*STEP,INC=1000\n*MODAL DYNAMIC\n.25,1.\n" + load));
  const DeckRun whole =
      test::run_deck_text(swing("*STEP,INC=100000\n*DYNAMIC,DIRECT,ALPHA=0\n1e-4,1.\n" + load));
  for (const int label : {2, 3}) {
    const double expected = whole.at_node("U", label, 0);
    EXPECT_NEAR(modes.at_node("U", label, 0), expected, 1e-6 * std::abs(expected)) << label;
  }
}

TEST(Dashpot, ABaseThatMovesItIsRefused) {
  const std::string moved =
      "*AMPLITUDE,NAME=A\n0,0,1,1\n*STEP\n*FREQUENCY,STORAGE=YES\n2\n*END STEP\n*STEP\n*MODAL "
      "DYNAMIC\n.1,1.\n*BOUNDARY,AMPLITUDE=A\n1,1,1,1.\n*END STEP\n";
  EXPECT_THAT(test::refusal_of_deck(swing("*ELEMENT,TYPE=DASHPOTA,ELSET=D\n6,1,11\n" + moved)),
              HasSubstr("a base that moves dashpots, as element 6, is not computed"));
  // All nodes of the others follow the base.
  EXPECT_EQ(test::refusal_of_deck(swing(moved)), "nothing was thrown");
}

TEST(Mass, WrongOnesAreRefused) {
  const std::string start =
      "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=MASS,ELSET=M\n1,1\n*ELEMENT,TYPE=DASHPOTA,ELSET=D\n2,1,2\n";
  const std::string step = "*STEP\n*STATIC\n*END STEP\n";
  EXPECT_THAT(test::refusal_of_deck(start + "*MASS,ELSET=M\n-1\n" + step),
              HasSubstr("*MASS: the mass is -1"));
  EXPECT_THAT(test::refusal_of_deck(start + "*MASS,ELSET=D\n1\n" + step),
              HasSubstr("element 2 is of type DASHPOTA; the set holds elements of type MASS"));
  EXPECT_THAT(test::refusal_of_deck(start + "*DASHPOT,ELSET=D\n\n" + step),
              HasSubstr("*DASHPOT without a constant"));
  EXPECT_THAT(test::refusal_of_deck(start + "*DASHPOT,ELSET=D\n\n1,3\n2,3\n" + step),
              HasSubstr("*DASHPOT: frequency 3 after 3"));
  EXPECT_THAT(test::refusal_of_deck(start + "*MASS,ELSET=M\n1\n*DASHPOT,ELSET=D\n\n1,,0\n2,,10\n" + step),
              HasSubstr("*DASHPOT: constants that depend on temperature"));
}

}  // namespace
}  // namespace setka
