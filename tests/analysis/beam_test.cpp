// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Beams against theory. Comparisons with CalculiX: tests/calculix/own.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka {
namespace {

using test::DeckRun;
using ::testing::HasSubstr;
using Point = std::array<double, 3>;

constexpr double young = 2e5;

/// A line of elements through places by arc length from 0 to 1, held at node 1; `sets` before the step.
std::string line(const std::string& type, int elements, const std::function<Point(double)>& place,
                 const std::string& profile) {
  const int m = type[2] == '2' ? 2 : 1;
  std::string text = "*NODE,NSET=NALL\n";
  for (int i = 0; i <= m * elements; ++i) {
    const Point x = place(static_cast<double>(i) / (m * elements));
    text += fmt::format("{},{:.14g},{:.14g},{:.14g}\n", i + 1, x[0], x[1], x[2]);
  }
  text += "*ELEMENT,TYPE=" + type + ",ELSET=E\n";
  for (int e = 0; e < elements; ++e) {
    text += std::to_string(e + 1);
    for (int i = 0; i <= m; ++i) text += "," + std::to_string(m * e + i + 1);
    text += "\n";
  }
  return text + fmt::format(
                    "*MATERIAL,NAME=M\n*ELASTIC\n{},0\n*DENSITY\n1e-8\n*BEAM SECTION,ELSET=E,MATERIAL=M,{}\n",
                    young, profile);
}

Point straight(double s) {
  return {100 * s, 0, 0};
}

std::string statics(const std::string& loads, const std::string& held = "1,1,6\n") {
  return "*STEP\n*STATIC\n*BOUNDARY\n" + held + loads + "*NODE FILE\nU,RF\n*EL FILE\nS\n*END STEP\n";
}

TEST(Beam, BendsTwistsAndStretches) {
  // A section of 4 along y, axis 1, and 2 along z.
  for (const auto& [type, tolerance] :
       {std::pair{"B32", 5e-3}, std::pair{"B32R", 5e-3}, std::pair{"B31", 2e-2}}) {
    const int elements = 10;
    const int tip = type[2] == '2' ? 2 * elements + 1 : elements + 1;
    const std::string model = line(type, elements, straight, "SECTION=RECT\n4,2\n0,1,0");
    const DeckRun run =
        test::run_deck_text(model + statics(fmt::format("*CLOAD\n{},1,80\n{},2,4\n{},3,4\n", tip, tip, tip)));
    const auto bent = [](double width, double height) {
      return 4 * 1e6 / (3 * young * width * height * height * height / 12) +
             1.2 * 4 * 100 / (young / 2 * width * height);
    };
    EXPECT_NEAR(run.at_node("U", tip, 0), 80 * 100 / (young * 8), 0.02 * 80 * 100 / (young * 8)) << type;
    EXPECT_NEAR(run.at_node("U", tip, 1), bent(2, 4), tolerance * bent(2, 4)) << type;
    EXPECT_NEAR(run.at_node("U", tip, 2), bent(4, 2), tolerance * bent(4, 2)) << type;
    EXPECT_NEAR(run.at_node("RF", 1, 2), -4, 1e-6) << type;
    // Moments about both axes: M L^2 / 2 E I.
    const DeckRun turned =
        test::run_deck_text(model + statics(fmt::format("*CLOAD\n{},5,-60\n{},6,60\n", tip, tip)));
    EXPECT_NEAR(turned.at_node("U", tip, 2), 60 * 1e4 / (2 * young * 4 * 8 / 12), tolerance * 0.57) << type;
    EXPECT_NEAR(turned.at_node("U", tip, 1), 60 * 1e4 / (2 * young * 2 * 64 / 12), tolerance * 0.15) << type;
  }
}

TEST(Beam, ARoundSectionHasItsAreaAndInertia) {
  // One solid over the section has eight nodes round a circle: its area lacks little.
  const DeckRun run = test::run_deck_text(line("B32", 10, straight, "SECTION=CIRC\n3,3\n0,1,0") +
                                          statics("*CLOAD\n21,1,80\n21,3,1\n"));
  const double area = std::numbers::pi * 9 / 4;
  const double inertia = std::numbers::pi * 81 / 64;
  EXPECT_NEAR(run.at_node("U", 21, 0), 80 * 100 / (young * area), 0.03 * 80 * 100 / (young * area));
  EXPECT_NEAR(run.at_node("U", 21, 2), 1e6 / (3 * young * inertia), 0.05 * 1e6 / (3 * young * inertia));
}

TEST(Beam, HollowSectionsBendAndStretch) {
  // Axis 1 is y, axis 2 is z. Walls of the box: towards y, z, -y and -z.
  const double outer = 2;
  const double inner = 1.8;
  const double box_area = 2 * 0.2 * (3 - 0.1) + 2 * 0.1 * (4 - 0.2);
  struct Case {
    std::string profile;
    double area;
    double about_z;  // second moments of area
    double about_y;
  };
  const std::array cases{Case{"SECTION=PIPE\n2,.2\n0,1,0", std::numbers::pi * (outer * outer - inner * inner),
                              std::numbers::pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4)),
                              std::numbers::pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4))},
                         Case{"SECTION=BOX\n4,3,.2,.1,.2,.1\n0,1,0", box_area,
                              2 * 0.2 * 2.9 * 1.9 * 1.9 + 2 * 0.1 * std::pow(3.8, 3) / 12,
                              2 * 0.1 * 3.8 * 1.45 * 1.45 + 2 * 0.2 * std::pow(2.9, 3) / 12}};
  for (const Case& own : cases) {
    const DeckRun run =
        test::run_deck_text(line("B32R", 10, straight, own.profile) +
                            statics("*CLOAD\n21,1,80\n21,5,-60\n21,6,60\n*EL PRINT,ELSET=E\nS,EVOL\n"));
    EXPECT_NEAR(run.at_node("U", 21, 0), 80 * 100 / (young * own.area), 0.02 * 80 * 100 / (young * own.area));
    const double along_y = 60 * 1e4 / (2 * young * own.about_z);
    const double along_z = 60 * 1e4 / (2 * young * own.about_y);
    EXPECT_NEAR(run.at_node("U", 21, 1), along_y, 0.02 * along_y) << own.profile;
    EXPECT_NEAR(run.at_node("U", 21, 2), along_z, 0.02 * along_z) << own.profile;
    // Ten elements of two sections, however many parts they have.
    const std::vector<double>& volume = run.frames.back().element_volume;
    ASSERT_EQ(volume.size(), 10u);
    for (const double value : volume) EXPECT_NEAR(value, 10 * own.area, 1e-9 * own.area);
    const std::size_t fibres = own.profile.find("PIPE") == std::string::npos ? 16 : 8;
    EXPECT_EQ(run.frames.back().point_field("S")->values.size(), 10 * 2 * fibres * 6);
  }
}

TEST(Beam, SectionForcesBalanceTheLoads) {
  // Axis 1 is y, axis 2 is z; clamped at x = 0.
  for (const char* profile : {"RECT\n4,2", "PIPE\n2,.2", "BOX\n4,3,.2,.1,.2,.1"}) {
    const std::string model = line("B32R", 4, straight, fmt::format("SECTION={}\n0,1,0", profile));
    const DeckRun run =
        test::run_deck_text(model +
                            "*STEP\n*STATIC\n*BOUNDARY\n1,1,6\n*CLOAD\n9,1,80\n9,2,4\n9,3,3\n9,4,50\n"
                            "*EL FILE,SECTION FORCES\nS\n*END STEP\n");
    const std::array<double, 6> at_middle{4, 3, 80, 50, 4 * 50, -3 * 50};
    // Stresses of a solid section are extrapolated; those of fibres balance the loads to the rounding of
    // slender solids.
    const bool solid = profile[0] == 'R';
    for (int k = 0; k < 6; ++k) {
      const double expected = at_middle[static_cast<std::size_t>(k)];
      EXPECT_NEAR(run.at_node("SF", 5, k), expected, solid ? 0.01 * std::abs(expected) + 0.05 : 1e-5)
          << profile << ", " << k;
    }
  }
}

TEST(Beam, AFrameIsStiffAtItsKnot) {
  // Two legs of 50 at a right angle; a force across the second bends both: F h^3 / 3 + F h^2 L over E I.
  const std::string model = line(
      "B32", 10,
      [](double s) {
        return Point{std::min(100 * s, 50.0), 0, std::max(100 * s - 50, 0.0)};
      },
      "SECTION=RECT\n1,1\n0,1,0");
  const double expected = (125000 / 3.0 + 125000) / (young / 12);
  const DeckRun run = test::run_deck_text(model + statics("*CLOAD\n21,1,1\n"));
  EXPECT_NEAR(run.at_node("U", 21, 0), expected, 0.03 * expected);  // the knot is stiff over half a thickness
  // A moment on the knot itself: angle M L / E I of the first leg.
  const DeckRun turned = test::run_deck_text(model + statics("*CLOAD\n11,5,100\n"));
  const double angle = 100 * 50 / (young / 12);
  EXPECT_NEAR(turned.at_node("U", 21, 0), angle * 50, 0.03 * angle * 50);
}

TEST(Beam, TurnsAsARigidBodyWithoutStress) {
  const std::string model = line(
      "B32", 4,
      [](double s) {
        return Point{std::min(100 * s, 50.0), 0, std::max(100 * s - 50, 0.0)};
      },
      "SECTION=RECT\n3,2\n0,1,0");
  // Held at its end and at its knot, in turn.
  for (const int held : {1, 5}) {
    const DeckRun run = test::run_deck_text(
        model + statics("", fmt::format("{0},1,3\n{0},4,4,1e-3\n{0},5,5,2e-3\n{0},6,6,3e-3\n", held)));
    const Point arm{held == 1 ? 50.0 : 0.0, 0, 50};
    EXPECT_NEAR(run.at_node("U", 9, 0), 2e-3 * arm[2], 1e-8);
    EXPECT_NEAR(run.at_node("U", 9, 1), 3e-3 * arm[0] - 1e-3 * arm[2], 1e-8);
    EXPECT_NEAR(run.at_node("U", 9, 2), -2e-3 * arm[0], 1e-8);
    const std::vector<double>& s = run.frames.back().node_field("S")->values;
    EXPECT_LT(std::ranges::max(s, {}, [](double v) { return std::abs(v); }), 1e-5);
  }
}

TEST(Beam, CarriesPressureAndWeight) {
  const DeckRun run = test::run_deck_text(line("B32", 4, straight, "SECTION=RECT\n4,2\n0,1,0") +
                                          statics("*DLOAD\n4,P1,0.1\n4,P2,0.3\n4,GRAV,1e6,-1,0,0\n"));
  EXPECT_NEAR(run.at_node("RF", 1, 1), -0.1 * 50, 1e-6);   // on the side across axis 1, 2 wide
  EXPECT_NEAR(run.at_node("RF", 1, 2), -0.3 * 100, 1e-6);  // axis 2 is x cross y
  EXPECT_NEAR(run.at_node("RF", 1, 0), 1e-8 * 1e6 * 200, 1e-6);
}

TEST(Beam, VibratesInBothPlanes) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "no factorisation";
  Monitor monitor(ProgressDisplay::silent());
  const deck::Deck read = deck::read_inp_text(line("B32", 20, straight, "SECTION=RECT\n2,1\n0,1,0") +
                                                  "*BOUNDARY\n1,1,6\n*STEP\n*FREQUENCY\n2\n*END STEP\n",
                                              "deck.inp", monitor);
  const analysis::Setup setup = analysis::prepare(read.model, monitor);
  std::vector<double> found;
  analysis::run_steps(
      setup, analysis::Computing::on_cpu(1), [](const model::Step&, const model::Frame&) {}, monitor,
      [&](const model::ModeTable& table) {
        for (const model::Mode& mode : table.modes) found.push_back(mode.frequency());
      });
  ASSERT_EQ(found.size(), 2u);
  const double root = 1.8751040687;
  for (int k = 0; k < 2; ++k) {
    const double thickness = 1 + k;
    const double expected =
        root * root / (2 * std::numbers::pi * 1e4) * std::sqrt(young * thickness * thickness / 12 / 1e-8);
    EXPECT_NEAR(found[static_cast<std::size_t>(k)], expected, 3e-3 * expected);
  }
}

TEST(Beam, WhatIsNotComputedIsRefusedByName) {
  const auto refusal = [](const std::string& type, const std::string& profile,
                          const std::string& loads = "") {
    return test::refusal_of_deck(line(type, 2, straight, profile) + statics(loads));
  };
  EXPECT_THAT(refusal("B32", "SECTION=PIPE\n4,.2\n0,1,0"), HasSubstr("element 1 is of type B32"));
  EXPECT_THAT(refusal("B31R", "SECTION=BOX\n4,3,.2,.2,.2,.2\n0,1,0"),
              HasSubstr("pipes and boxes are of B32R"));
  EXPECT_THAT(refusal("B32R", "SECTION=PIPE\n4,5\n0,1,0"), HasSubstr("a pipe of radius 4 is 5 thick"));
  EXPECT_THAT(refusal("B32R", "SECTION=BOX\n4,3,.2,3,.2,.2\n0,1,0"),
              HasSubstr("a wall of the box is 3 thick"));
  EXPECT_THAT(refusal("B32R", "SECTION=BOX\n4,3,0,0,0,0\n0,1,0"), HasSubstr("the box has no walls"));
  EXPECT_THAT(refusal("B32", "SECTION=STAR\n4,.2\n0,1,0"), HasSubstr("SECTION is STAR"));
  EXPECT_THAT(refusal("B31", "SECTION=CIRC\n4,4\n0,1,0"), HasSubstr("element 1 is of type B31"));
  EXPECT_THAT(refusal("B32", "SECTION=RECT\n-4\n0,1,0"), HasSubstr("the thickness is -4"));
  EXPECT_THAT(refusal("B32", "SECTION=RECT\n4,2\n0,0,0"), HasSubstr("axis 1 has no length"));
  EXPECT_THAT(refusal("B32", "SECTION=RECT\n4,2\n1,0,0"), HasSubstr("its axis 1 lies along it"));
  EXPECT_THAT(refusal("B32", "SECTION=RECT\n4,2\n0,1,0", "*DLOAD\nE,P3,1\n"), HasSubstr("has no load 'P3'"));
}

}  // namespace
}  // namespace setka
