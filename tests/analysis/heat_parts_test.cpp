// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *HEAT TRANSFER in elements that are made of parts: layers of shells, fibres of pipes and boxes. CalculiX:
// tests/calculix/own/beam_heat_hollow.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"

namespace setka {
namespace {

using test::DeckRun;

const std::string materials =
    "*MATERIAL,NAME=STEEL\n*CONDUCTIVITY\n50.\n*DENSITY\n7800.\n*SPECIFIC HEAT\n450.\n"
    "*MATERIAL,NAME=FOAM\n*CONDUCTIVITY\n2.\n*DENSITY\n800.\n*SPECIFIC HEAT\n900.\n";
const std::string cold = "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,20.\n";

/// A strip of shells of second order along x, 0.4 by 0.1, with the sets ALL and END at x = 0; node 8 i + 1 is
/// the corner at x = 0.1 i, y = 0.
std::string strip(const std::string& type, const std::string& section) {
  std::string text = "*NODE,NSET=ALL\n";
  for (int i = 0; i <= 4; ++i) {
    for (int j = 0; j <= 2; ++j) text += fmt::format("{},{},{}\n", 8 * i + j + 1, 0.1 * i, 0.05 * j);
    for (int j = 0; j <= 2 && i < 4; j += type == "S8R" ? 2 : 1)
      text += fmt::format("{},{},{}\n", 8 * i + j + 4, 0.1 * i + 0.05, 0.05 * j);
  }
  text += "*ELEMENT,TYPE=" + type + ",ELSET=E\n";
  for (int i = 0; i < 4; ++i) {
    const int n = 8 * i;
    if (type == "S8R") {
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", i + 1, n + 1, n + 9, n + 11, n + 3, n + 4, n + 10,
                          n + 6, n + 2);
    } else {
      text += fmt::format("{},{},{},{},{},{},{}\n", 2 * i + 1, n + 1, n + 9, n + 11, n + 4, n + 10, n + 5);
      text += fmt::format("{},{},{},{},{},{},{}\n", 2 * i + 2, n + 1, n + 11, n + 3, n + 5, n + 6, n + 2);
    }
  }
  return text + "*NSET,NSET=END\n1,2,3\n" + materials + "*SHELL SECTION,ELSET=E," + section + cold;
}

constexpr int far_corner = 33;

/// A straight line of B32R along x, 0.4 long, with its first node 1 and its last 5.
std::string line(const std::string& profile) {
  return "*NODE,NSET=ALL\n1,0,0,0\n2,.1,0,0\n3,.2,0,0\n4,.3,0,0\n5,.4,0,0\n"
         "*ELEMENT,TYPE=B32R,ELSET=E\n1,1,2,3\n2,3,4,5\n" +
         materials + "*BEAM SECTION,ELSET=E,MATERIAL=STEEL,SECTION=" + profile + "\n0,1,0\n" + cold;
}

double area_of_box(double a, double b, const std::vector<double>& wall) {
  return a * b - (a - wall[0] - wall[2]) * (b - wall[1] - wall[3]);
}

/// Heat by volume that nothing leads away: T = 20 + q t / (density times specific heat), whatever the
/// section.
TEST(HeatParts, StoreTheHeatOfTheirVolume) {
  const std::string step =
      "*STEP\n*HEAT TRANSFER,DIRECT\n5.,10.\n*DFLUX\nE,BF,1e6\n*NODE FILE\nNT\n*END STEP\n";
  const double steel = 20 + 1e6 * 10 / (7800 * 450.0);
  for (const char* profile : {"PIPE\n.04,.005", "BOX\n.08,.06,.002,.003,.004,.005"}) {
    const DeckRun run = test::run_deck_text(line(profile) + step);
    for (int node = 1; node <= 5; ++node) EXPECT_NEAR(run.at_node("NT", node, 0), steel, 1e-6) << profile;
  }
  for (const char* type : {"S8R", "S6"}) {
    const DeckRun run =
        test::run_deck_text(strip(type, "COMPOSITE\n.004,,STEEL\n.012,,STEEL\n.006,,STEEL\n") + step);
    EXPECT_NEAR(run.at_node("NT", 1, 0), steel, 1e-6) << type;
    EXPECT_NEAR(run.at_node("NT", far_corner, 0), steel, 1e-6) << type;
  }
}

/// Layers side by side: heat along them is shared as k t, and a step of temperature is the same in all.
TEST(HeatParts, LayersConductSideBySide) {
  const double together = 50 * .004 + 2 * .012 + 50 * .006;
  for (const char* type : {"S8R", "S6"}) {
    // 12 W come in all along the far edge, weighted as a parabola has it.
    const DeckRun run =
        test::run_deck_text(strip(type, "COMPOSITE\n.004,,STEEL\n.012,,FOAM\n.006,,STEEL\n") +
                            "*STEP\n*HEAT TRANSFER,STEADY "
                            "STATE\n*BOUNDARY\nEND,11,11,100.\n*CFLUX\n33,11,2.\n34,11,8.\n35,11,2.\n"
                            "*NODE FILE\nNT,RFL\n*EL PRINT,ELSET=E\nHFL\n*END STEP\n");
    const double slope = 12 / (together * 0.1);
    // At its ends heat goes from layer to layer.
    EXPECT_NEAR(run.at_node("NT", 25, 0) - run.at_node("NT", 9, 0), slope * 0.2, 5e-3 * slope * 0.2) << type;
    EXPECT_NEAR(run.at_node("RFL", 1, 0) + run.at_node("RFL", 2, 0) + run.at_node("RFL", 3, 0), -12, 1e-8)
        << type;
    // Points of all three layers, from below.
    const std::size_t points = type == std::string("S8R") ? 4 * 8 : 8 * 6;
    EXPECT_EQ(run.frames.back().point_field("HFL")->values.size(), 3 * 3 * points) << type;
  }
}

/// Layers of one material are the shell of that material: S8R has two points in each, where a parabola is
/// exact.
TEST(HeatParts, LayersOfOneMaterialAreOneShell) {
  const std::string step =
      "*STEP\n*HEAT "
      "TRANSFER,DIRECT\n5.,25.\n*BOUNDARY\nEND,11,11,100.\n*FILM\nE,FPOS,20.,200.\n2,F3,20.,100.\n"
      "*DFLUX\nE,SNEG,1e4\n3,BF,1e5\n*NODE FILE\nNT\n*END STEP\n";
  const DeckRun one = test::run_deck_text(strip("S8R", "MATERIAL=STEEL\n.022\n") + step);
  const DeckRun two = test::run_deck_text(strip("S8R", "COMPOSITE\n.022,,STEEL\n") + step);
  const DeckRun three =
      test::run_deck_text(strip("S8R", "COMPOSITE\n.004,,STEEL\n.012,,STEEL\n.006,,STEEL\n") + step);
  for (const int node : {9, 17, 25, far_corner}) {
    EXPECT_NEAR(two.at_node("NT", node, 0), one.at_node("NT", node, 0), 1e-9) << node;
    EXPECT_NEAR(three.at_node("NT", node, 0), one.at_node("NT", node, 0), 0.05) << node;
  }
  EXPECT_GT(one.at_node("NT", far_corner, 0), 21);
}

/// A rise along the line as its area has it; the corners by which a node is heated are not the fibres.
TEST(HeatParts, PipesAndBoxesConductByTheirWalls) {
  struct Case {
    const char* profile;
    double area;
  };
  for (const Case& own :
       {Case{"PIPE\n.04,.005", std::numbers::pi * (.04 * .04 - .035 * .035)},
        Case{"BOX\n.08,.06,.002,.003,.004,.005", area_of_box(.08, .06, {.002, .003, .004, .005})}}) {
    const DeckRun run = test::run_deck_text(
        line(own.profile) +
        "*STEP\n*HEAT TRANSFER,STEADY STATE\n*BOUNDARY\n1,11,11,100.\n*CFLUX\n5,11,4.\n*NODE FILE\nNT,RFL\n"
        "*END STEP\n");
    const double rise = 4 * 0.4 / (50 * own.area);
    EXPECT_NEAR(run.at_node("NT", 5, 0) - 100, rise, 0.05 * rise) << own.profile;
    EXPECT_NEAR(run.at_node("RFL", 1, 0), -4, 1e-8) << own.profile;
  }
}

}  // namespace
}  // namespace setka
