// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Membranes against theory, and in their plane against plane stress. Comparisons with CalculiX:
// tests/calculix/own.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "analysis/surface_mesh.hpp"

namespace setka {
namespace {

using test::DeckRun;
using test::Point;
using test::Surface;
using ::testing::HasSubstr;

constexpr std::array all_types{"M3D3", "M3D4", "M3D4R", "M3D6", "M3D8", "M3D8R"};

std::string section(double poisson, double thickness, const std::string& options = "") {
  return fmt::format(
      "*MATERIAL,NAME=M\n*ELASTIC\n210000,{}\n*DENSITY\n7.8E-9\n*MEMBRANE SECTION,ELSET=E,MATERIAL=M{}\n{}\n",
      poisson, options, thickness);
}

/// A skew sheet of three by two elements or pairs of triangles, from x = 0 to 2.
Surface skew_sheet(const std::string& type) {
  Surface sheet(type);
  sheet.add(3, 2, [](double a, double b) {
    const double inside = 4 * a * (1 - a) * b * (1 - b);
    return Point{2 * a + 0.3 * inside, b - 0.2 * inside + 0.1 * a * b, 0};
  });
  sheet.set("LEFT", [](const Point& x) { return x[0] == 0; });
  sheet.set("RIGHT", [](const Point& x) { return std::abs(x[0] - 2) < 1e-9; });
  return sheet;
}

class MembraneOfType : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, MembraneOfType, testing::ValuesIn(all_types),
                         [](const auto& type) { return std::string(type.param); });

TEST_P(MembraneOfType, HasConstantStressUnderConstantStrain) {
  // In a plane that leans: x' = (x, y c, y s), and displacements linear in x and y.
  const double c = 0.6;
  const double s = 0.8;
  const auto leaning = [&](const Point& x) { return Point{x[0], c * x[1], s * x[1]}; };
  // Hourglasses of C3D8R resist linear fields where elements are not parallelograms (docs/elements.md).
  const double skew = std::string(GetParam()) == "M3D4R" ? 0 : 4;
  Surface sheet(GetParam());
  sheet.add(3, 2, [&](double a, double b) {
    const double inside = skew * a * (1 - a) * b * (1 - b);
    return leaning({2 * a + 0.3 * inside, b - 0.2 * inside, 0});
  });
  const auto moved = [&](const Point& x) {
    const double y = x[1] / c;
    return leaning({1e-3 * x[0] + 4e-4 * y, 2e-4 * x[0] - 5e-4 * y, 0});
  };
  // What is held at the border, and across the plane; the rest finds its place.
  std::string held;
  for (std::size_t n = 0; n < sheet.nodes().size(); ++n) {
    const Point& x = sheet.nodes()[n];
    const Point u = moved(x);
    const bool border = x[0] < 1e-9 || x[0] > 2 - 1e-9 || x[1] < 1e-9 || x[1] > c - 1e-9;
    if (border) held += fmt::format("{0},1,1,{1:.12g}\n{0},2,2,{2:.12g}\n", n + 1, u[0], u[1] * c + u[2] * s);
    held += fmt::format("{},3,3,0.\n", n + 1);
  }
  const DeckRun run =
      test::run_deck_text(sheet.text() + "*TRANSFORM,NSET=NALL,TYPE=R\n1,0,0,0,.6,.8\n" + section(0.3, 2e-3) +
                          "*STEP\n*STATIC\n*BOUNDARY\n" + held + "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n");
  const double stiff = 210000 / (1 - 0.09);
  const double along = stiff * (1e-3 - 0.3 * 5e-4);
  const double across = stiff * (0.3 * 1e-3 - 5e-4);
  const double shear = 210000 / 2.6 * 6e-4;
  const std::array<double, 6> expected{along,     across * c * c, across * s * s,
                                       shear * c, shear * s,      across * c * s};  // xx yy zz xy xz yz
  // The middle of M3D8 moves a little, by the square of thickness over length.
  const double accuracy = std::string(GetParam()) == "M3D8" ? 2e-8 : 1e-9;
  for (std::size_t n = 0; n < sheet.nodes().size(); ++n) {
    const Point u = moved(sheet.nodes()[n]);
    const int node = static_cast<int>(n) + 1;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(run.at_node("U", node, k), u[static_cast<std::size_t>(k)], accuracy) << node << " " << k;
    // Weights from points to nodes are decimals of four or five places (docs/elements.md).
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(run.at_node("S", node, k), expected[static_cast<std::size_t>(k)], 1e-4 * along)
          << node << " " << k;
  }
}

class Drum : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Drum, testing::Values("M3D3", "M3D4", "M3D6", "M3D8", "M3D8R"),  // not M3D4R:
                         [](const auto& type) {
                           return std::string(type.param);
                         });  // its hourglasses are stiff

TEST_P(Drum, SoundsAsTheoryHasIt) {
  // A square under a stress s all around: sqrt(s / density) / 2 sqrt(m^2 + n^2) cycles per time.
  const std::string type = GetParam();
  Surface square(type);
  const int count = square.quadratic() ? 8 : 16;
  square.add(count, count, [](double a, double b) { return Point{a, b, 0}; });
  const auto side = [](std::size_t axis, double at) {
    return [=](const Point& x) { return std::abs(x[axis] - at) < 1e-9; };
  };
  square.set("X0", side(0, 0));
  square.set("X1", side(0, 1));
  square.set("Y0", side(1, 0));
  square.set("Y1", side(1, 1));
  const DeckRun run = test::run_deck_text(
      square.text() + section(0.3, 1e-3) +
      "*STEP\n*STATIC\n*BOUNDARY\nNALL,3,3\nX0,1,1\nX1,1,1,1E-4\nY0,2,2\nY1,2,2,1E-4\n*END STEP\n"
      "*STEP,PERTURBATION\n*FREQUENCY\n4\n*BOUNDARY,OP=NEW\nX0,1,3\nX1,1,3\nY0,1,3\nY1,1,3\n"
      "*NODE FILE\nU\n*END STEP\n");
  const double stress = 210000 / 0.7 * 1e-4;
  ASSERT_EQ(run.frames.size(), 5u);
  const std::array<double, 4> waves{2, 5, 5, 8};  // m^2 + n^2
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double expected = std::sqrt(stress / 7.8e-9) / 2 * std::sqrt(waves[i]);
    EXPECT_NEAR(run.frames[1 + i].mode->frequency(), expected, 0.03 * expected) << type << " " << i;
  }
}

TEST(Membrane, IsPlaneStressInItsPlane) {
  // Without Poisson's ratio, where layers of plane stress do not hold the thickness of their neighbours, and
  // but for M3D8, whose middle moves.
  for (const auto& [membrane, plane] :
       {std::pair{"M3D3", "CPS3"}, std::pair{"M3D4", "CPS4"}, std::pair{"M3D4R", "CPS4R"},
        std::pair{"M3D6", "CPS6"}, std::pair{"M3D8R", "CPS8R"}}) {
    const auto tip = [](const std::string& type) {
      Surface sheet = skew_sheet(type);
      const std::string card = type[0] == 'M' ? section(0, 0.05)
                                              : "*MATERIAL,NAME=M\n*ELASTIC\n210000,0\n*SOLID "
                                                "SECTION,ELSET=E,MATERIAL=M\n.05\n";
      const DeckRun run = test::run_deck_text(
          sheet.text() + card +
          "*STEP\n*STATIC\n*BOUNDARY\nLEFT,1,2\nNALL,3,3\n*CLOAD\nRIGHT,2,1.\nRIGHT,1,.5\n"
          "*NODE FILE\nU\n*END STEP\n");
      return run.at_node("U", sheet.number({2, 0, 0}), 1);
    };
    const double expected = tip(plane);
    EXPECT_GT(expected, 1e-4);
    EXPECT_NEAR(tip(membrane), expected, 1e-7 * expected) << membrane;
  }
}

TEST(Membrane, CarriesPressuresAndEdgeLoads) {
  Surface sheet = skew_sheet("M3D8");
  const auto reaction = [&](const std::string& load) {
    const DeckRun run = test::run_deck_text(sheet.text() + section(0.3, 0.05) +
                                            "*STEP\n*STATIC\n*BOUNDARY\nLEFT,1,2\nNALL,3,3\n*DLOAD\n" + load +
                                            "\n*NODE FILE\nRF\n*END STEP\n");
    double sum = 0;
    for (std::size_t n = 0; n < sheet.nodes().size(); ++n) {
      if (sheet.nodes()[n][0] == 0) sum += run.at_node("RF", static_cast<int>(n) + 1, 0);
    }
    return sum;
  };
  EXPECT_NEAR(reaction("3,EDNOR2,4.\n6,EDNOR2,4."), 4 * 1.1, 1e-6);  // into the edge, by length

  Surface dome("M3D4");
  dome.add(2, 2, [](double a, double b) { return Point{a, b, a * (1 - a) + b * (1 - b)}; });
  const int crown = dome.number({0.5, 0.5, 0.5});
  const auto rise = [&](const std::string& load) {
    std::string held;
    for (std::size_t n = 1; n <= dome.nodes().size(); ++n)
      held += std::cmp_equal(n, crown) ? "" : fmt::format("{},1,3\n", n);
    return test::run_deck_text(dome.text() + section(0.3, 0.05) + "*STEP\n*STATIC\n*BOUNDARY\n" + held +
                               "*DLOAD\nE," + load + "\n*NODE FILE\nU\n*END STEP\n")
        .at_node("U", crown, 2);
  };
  const double along = rise("P,2.");  // along the normal, which points up
  EXPECT_GT(along, 1e-7);
  EXPECT_EQ(rise("P1,2."), along);
  EXPECT_NEAR(rise("P2,2."), -along, 0.1 * along);  // the other side is a little larger
}

TEST(Membrane, FoldsWithoutResistance) {
  // Two halves of a strip, one held: the other is free to turn about the fold, and a force across would.
  Surface strip("M3D4");
  strip.add(2, 1, [](double a, double b) { return Point{2 * a, b, 0}; });
  strip.set("HALF", [](const Point& x) { return x[0] < 1.5; });
  const std::string begin =
      strip.text() + section(0.3, 0.05) + "*STEP\n*STATIC\n*BOUNDARY\nHALF,1,3\n*CLOAD\n";
  const std::string end = "*NODE FILE\nU\n*END STEP\n";
  const int corner = strip.number({2, 0, 0});
  const int other = strip.number({2, 1, 0});
  const DeckRun pulled = test::run_deck_text(begin + fmt::format("{},1,1.\n{},1,1.\n", corner, other) + end);
  EXPECT_NEAR(pulled.at_node("U", corner, 0), 2 / (0.05 * 210000), 5e-5);
  EXPECT_THAT(test::refusal_of_deck(begin + fmt::format("{},3,1.\n{},3,1.\n", corner, other) + end),
              HasSubstr("look for parts that hang together by nothing, or by a hinge"));
}

TEST(Membrane, HangsBetweenShellsBeamsAndSolids) {
  // Each holds the sheet by the displacements of its nodes; turned as a whole nothing has stress.
  for (const char* frame :
       {"*ELEMENT,TYPE=S4,ELSET=F\n20,2,101,102,3\n*SHELL SECTION,ELSET=F,MATERIAL=M\n.2\n",
        "*ELEMENT,TYPE=B31,ELSET=F\n20,2,3\n*BEAM SECTION,ELSET=F,MATERIAL=M,SECTION=RECT\n.2,.2\n1,0,0\n",
        "*ELEMENT,TYPE=C3D8,ELSET=F\n20,103,104,105,106,2,101,102,3\n*SOLID SECTION,ELSET=F,MATERIAL=M\n"}) {
    const std::string nodes =
        "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n101,2,0,0\n102,2,1,0\n103,1,0,-1\n104,2,0,-1\n105,2,1,-"
        "1\n"
        "106,1,1,-1\n*ELEMENT,TYPE=M3D4,ELSET=E\n1,1,2,3,4\n";
    const DeckRun run = test::run_deck_text(nodes + section(0.3, 0.05) + frame +
                                            "*STEP\n*STATIC\n*BOUNDARY\n1,1,3\n2,3,3,-1E-3\n2,2,2,0.\n4,3,3\n"
                                            "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n");
    EXPECT_NEAR(run.at_node("U", 3, 2), -1e-3, 1e-9);
    const auto& stress = run.frames.back().node_field("S")->values;
    EXPECT_LT(*std::max_element(stress.begin(), stress.end()), 1e-4);
  }
}

}  // namespace
}  // namespace setka
