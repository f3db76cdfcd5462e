// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *RESPONSE SPECTRUM of decks, against sums by hand.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "dynamics/bar_deck.hpp"
#include "setka/dynamics/modal_sum.hpp"

namespace setka {
namespace {

using test::bar_deck;
using test::DeckRun;
using test::refusal_of_deck;
using test::run_deck_text;
using testing::AllOf;
using testing::HasSubstr;

const std::string flat = "*SPECTRUM,NAME=S\n4.5,0.1\n4.5,33\n";

std::string response(const std::string& parameters, const std::string& directions = "S,1,0,0\n",
                     const std::string& more = "") {
  return "*STEP\n*RESPONSE SPECTRUM" + parameters + "\n" + directions + more +
         "*NODE PRINT,NSET=ALL\nU,V,RF\n*EL PRINT,ELSET=E\nS\n*END STEP\n";
}

double base_force(const DeckRun& run, int component = 0) {
  double sum = 0;
  for (const int node : {1, 2, 3, 4}) sum += run.at_node("RF", node, component);
  return sum;
}

TEST(ResponseSpectrum, OneDegreeOfFreedom) {
  // w = 3, mass 1/3: a = 4.5 is 0.5 of displacement, 1.5 of velocity, 1.5 of force.
  for (const std::string& spectrum :
       {flat, std::string("*SPECTRUM,NAME=S,TYPE=G,G=9\n0.5,0.1\n0.5,33\n"),
        std::string("*SPECTRUM,NAME=S,TYPE=VELOCITY\n1.5,0.1\n1.5,33\n"),
        std::string("*SPECTRUM,NAME=S,TYPE=DISPLACEMENT\n0.5,0.1\n0.5,33\n"),
        std::string("*SPECTRUM,NAME=S,PERIOD\n9,33,0\n0,33,0.1\n9,0.1,0\n0,0.1,0.1\n")}) {
    const DeckRun run =
        run_deck_text(bar_deck(1, response("", "S,-2,0,0\n", "*MODAL DAMPING\n1,1,0.05\n"), spectrum));
    EXPECT_NEAR(run.at_node("U", 5, 0), 0.5, 1e-9) << spectrum;
    EXPECT_NEAR(run.at_node("V", 5, 0), 1.5, 1e-9) << spectrum;
    EXPECT_NEAR(base_force(run), 1.5, 1e-9) << spectrum;
    EXPECT_NEAR(run.frames.back().point_field("S")->values[0], 1.5, 1e-9) << spectrum;
    EXPECT_EQ(run.at_node("U", 1, 0), 0);
  }
}

/// Two bricks: K = 3 (2 -1, -1 1), M = (4 1, 1 2) / 6.
struct TwoDegrees {
  std::array<double, 2> lambda{};
  std::array<std::array<double, 2>, 2> answer{};  // [modes, unknowns] shape times participation / lambda
  std::array<double, 2> mass{};                   // effective
  TwoDegrees() {
    for (std::size_t j = 0; j < 2; ++j) {
      lambda[j] = (5 + (j == 0 ? -1 : 1) * std::sqrt(18.0)) / (7.0 / 18);
      const std::array<double, 2> x{3 + lambda[j] / 6, 6 - 2 * lambda[j] / 3};
      const std::array<double, 2> mx{(4 * x[0] + x[1]) / 6, (x[0] + 2 * x[1]) / 6};
      const double norm = x[0] * mx[0] + x[1] * mx[1];
      const double participation = mx[0] + mx[1];
      mass[j] = participation * participation / norm;
      for (std::size_t i = 0; i < 2; ++i) answer[j][i] = x[i] * participation / norm / lambda[j];
    }
  }
};

TEST(ResponseSpectrum, TwoDegreesOfFreedomByHand) {
  const TwoDegrees two;
  const double z = 0.3;  // so that modes know of each other
  const double r = std::sqrt(two.lambda[1] / two.lambda[0]);
  const double rho =
      8 * z * z * (1 + r) * std::pow(r, 1.5) / (std::pow(1 - r * r, 2) + 4 * z * z * r * std::pow(1 + r, 2));
  EXPECT_GT(rho, 0.05);
  const auto answers = [&](const std::string& sum) {
    return run_deck_text(
        bar_deck(2, response(",SUM=" + sum, "S,1,0,0,2\n", "*MODAL DAMPING\n1,2,0.3\n"), flat));
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const double a = 9 * two.answer[0][i];
    const double b = 9 * two.answer[1][i];
    const int node = 4 * static_cast<int>(i) + 5;
    EXPECT_NEAR(answers("SRSS").at_node("U", node, 0), std::hypot(a, b), 1e-9);
    EXPECT_NEAR(answers("TENP").at_node("U", node, 0), std::hypot(a, b), 1e-9);
    EXPECT_NEAR(answers("ABS").at_node("U", node, 0), std::abs(a) + std::abs(b), 1e-9);
    EXPECT_NEAR(answers("CQC").at_node("U", node, 0), std::sqrt(a * a + b * b + 2 * rho * a * b), 1e-9);
  }
  // Each mode's stress is combined, not the stress of the displacements that were.
  const double first = 3 * 9 * (two.answer[0][1] - two.answer[0][0]);
  const double second = 3 * 9 * (two.answer[1][1] - two.answer[1][0]);
  // xx at the first of the eight points of the second brick.
  const auto stress = answers("SRSS").frames.back().point_field("S")->values;
  EXPECT_NEAR(stress[48], std::hypot(first, second), 1e-9);
}

TEST(ResponseSpectrum, MissingMassMakesTheBaseShearWhole) {
  const TwoDegrees two;
  const double whole = 4.0 / 3;  // of what is free to move
  EXPECT_NEAR(two.mass[0] + two.mass[1], whole, 1e-12);
  const auto force = [&](const std::string& parameters) {
    return base_force(run_deck_text(bar_deck(2, response(parameters), flat, 1)));
  };
  EXPECT_NEAR(force(",SUM=ABS"), 4.5 * two.mass[0], 1e-9);
  EXPECT_NEAR(force(",SUM=ABS,MISSING MASS"), 4.5 * whole, 1e-9);
  EXPECT_NEAR(force(",MISSING MASS=YES"), 4.5 * std::hypot(two.mass[0], two.mass[1]), 1e-9);
  EXPECT_NEAR(force(",MISSING MASS=NO"), 4.5 * two.mass[0], 1e-9);
  // With all modes nothing is missing.
  EXPECT_NEAR(base_force(run_deck_text(bar_deck(2, response(",SUM=ABS,MISSING MASS"), flat))), 4.5 * whole,
              1e-9);
  // It is as large as the spectrum is at its highest frequency, whatever the modes have.
  const DeckRun rigid = run_deck_text(
      bar_deck(2, response(",SUM=ABS,MISSING MASS"), "*SPECTRUM,NAME=S\n4.5,0.1\n4.5,3\n2,33\n", 1));
  EXPECT_NEAR(base_force(rigid), 4.5 * two.mass[0] + 2 * two.mass[1], 1e-9);
}

/// A cantilever of three bricks along x.
std::string beam(const std::string& steps, int modes) {
  std::string text = bar_deck(3, steps, flat);
  const std::size_t equations = text.find("*EQUATION");
  text.erase(equations, text.find("*SPECTRUM") - equations);
  text.replace(text.find("BASE,1,1\nALL,2,3"), 16, "BASE,1,3");
  text.replace(text.find("*ELASTIC\n3,0"), 12, "*ELASTIC\n100,0.3");
  return text.replace(text.find("*FREQUENCY\n3"), 12, "*FREQUENCY\n" + std::to_string(modes));
}

TEST(ResponseSpectrum, Accelerations) {
  const TwoDegrees two;
  const auto run = [&](const std::string& parameters) {
    std::string step = response(parameters);
    step.replace(step.find("U,V,RF"), 6, "U,A");
    return run_deck_text(bar_deck(2, step, flat, 1));
  };
  const DeckRun modes = run("");
  const DeckRun whole = run(",SUM=ABS,MISSING MASS");
  for (std::size_t i = 0; i < 2; ++i) {
    const double part = two.answer[0][i] * two.lambda[0];
    const int node = 4 * static_cast<int>(i) + 5;
    EXPECT_NEAR(modes.at_node("A", node, 0), 4.5 * std::abs(part), 1e-9);
    EXPECT_NEAR(whole.at_node("A", node, 0), 4.5 * (std::abs(part) + std::abs(1 - part)), 1e-9);
  }
  EXPECT_NEAR(whole.at_node("A", 1, 0), 4.5, 1e-12);  // the base
}

TEST(ResponseSpectrum, FirstModeOfACantilever) {
  const DeckRun run = run_deck_text(beam(response("", "S,0,1,0\n"), 1));
  const model::Mode mode = *run.frames[0].mode;
  for (const int node : {5, 9, 13}) {
    EXPECT_NEAR(run.at_node("U", node, 1),
                std::abs(run.at_node("U", node, 1, 1) * mode.participation[1]) * 4.5 / mode.eigenvalue, 1e-9);
  }
}

TEST(ResponseSpectrum, DirectionsAreCombined) {
  const auto at_end = [&](const std::string& parameters, const std::string& directions) {
    return run_deck_text(beam(response(parameters, directions), 8)).at_node("U", 13, 0);
  };
  const double x = at_end("", "S,1,0,0\n");
  const double y = at_end("", "S,0,1,0,0.7\n");
  const double z = at_end("", "S,0,0,1,0.5\n");
  const std::string all = "S,1,0,0\nS,0,1,0,0.7\nS,0,0,1,0.5\n";
  const double largest = std::max({x, y, z});
  EXPECT_NEAR(at_end(",COMP=SRSS", all), std::sqrt(x * x + y * y + z * z), 1e-9);
  EXPECT_NEAR(at_end(",COMP=R30", all), largest + 0.3 * (x + y + z - largest), 1e-9);
  EXPECT_NEAR(at_end(",COMP=MULTIPLE DIRECTION FORTY PERCENT RULE", all),
              largest + 0.4 * (x + y + z - largest), 1e-9);
  EXPECT_NEAR(at_end(",COMP=ABS", all), x + y + z, 1e-9);
  // One direction along a diagonal is the algebraic sum along two axes.
  EXPECT_NEAR(at_end(",COMP=ALGEBRAIC", "S,1,0,0\nS,0,1,0\n"), at_end("", "S,1,1,0,1.4142135623730951\n"),
              1e-9);
}

TEST(ResponseSpectrum, SaysWhatIsWrong) {
  std::string without = bar_deck(1, response(""), flat);
  const std::size_t begin = without.find("*STEP");
  without.erase(begin, without.find("*STEP", begin + 1) - begin);
  EXPECT_THAT(refusal_of_deck(without),
              AllOf(HasSubstr("*RESPONSE SPECTRUM is a sum of modes, but no step before it finds any"),
                    HasSubstr("add a step with *FREQUENCY before it")));
  const auto told = [&](const std::string& parameters, const std::string& directions = "S,1,0,0\n",
                        const std::string& more = "", const std::string& spectrum = flat) {
    return refusal_of_deck(bar_deck(1, response(parameters, directions, more), spectrum));
  };
  EXPECT_THAT(told("", "T,1,0,0\n"), HasSubstr("T"));
  EXPECT_THAT(told("", ""), HasSubstr("has 0 directions"));
  EXPECT_THAT(told("", "S,0,0,0\n"), HasSubstr("the direction has no length"));
  EXPECT_THAT(told("", "S,1,0,0\nS,0,1,0\n"), HasSubstr("does not say how directions are combined"));
  EXPECT_THAT(told(",SUM=MEAN"), AllOf(HasSubstr("SUM is MEAN"), HasSubstr("SRSS, CQC, TENP or ABS")));
  EXPECT_THAT(told("", "S,1,0,0\n", "*CLOAD\n5,1,1\n"),
              HasSubstr("loads and prescribed values have no part"));
  EXPECT_THAT(told("", "S,1,0,0\n", "*EL FILE\nS,ENER\n"), HasSubstr("ENER is not computed in it"));
  EXPECT_THAT(told("", "S,1,0,0\n", "", "*SPECTRUM,NAME=S\n"), HasSubstr("spectrum S has no points"));
  EXPECT_THAT(told("", "S,1,0,0\n", "", "*SPECTRUM,NAME=S\n1,0\n"), HasSubstr("a frequency above zero"));
  EXPECT_THAT(told("", "S,1,0,0\n", "", "*SPECTRUM,NAME=S\n1,2\n3,2\n"),
              HasSubstr("frequency 2 with damping 0 twice"));
}

}  // namespace
}  // namespace setka
