// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Shells against theory and NAFEMS. Comparisons with CalculiX: tests/calculix/own.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "analysis/surface_mesh.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka {
namespace {

using test::DeckRun;
using test::Point;
using test::Surface;
using ::testing::HasSubstr;

std::string section(double young, double poisson, double thickness, const std::string& options = "") {
  return fmt::format(
      "*MATERIAL,NAME=M\n*ELASTIC\n{},{}\n*DENSITY\n8000\n*SHELL SECTION,ELSET=E,MATERIAL=M{}\n{}\n", young,
      poisson, options, thickness);
}

Surface strip(const std::string& type) {
  Surface surface(type);
  surface.add(8, 2, [](double a, double b) { return Point{100 * a, 10 * b, 0}; });
  surface.set("FIX", [](const Point& x) { return x[0] == 0; });
  surface.set("TIP", [](const Point& x) { return x[0] == 100; });
  return surface;
}

double largest_stress(const DeckRun& run) {
  const std::vector<double>& s = run.frames.back().node_field("S")->values;
  return std::ranges::max(s, {}, [](double v) { return std::abs(v); });
}

TEST(Shell, ACantileverBendsAsABeam) {
  // Without Poisson's ratio: F L^3 / 3 E I, and shear 6/5 F L / G A.
  const double young = 2e5;
  const double thickness = 2;
  const double inertia = 10 * std::pow(thickness, 3) / 12;
  const double force = 6;
  const double expected =
      force * 1e6 / (3 * young * inertia) + 1.2 * force * 100 / (young / 2 * 10 * thickness);
  for (const auto& [type, tolerance] :
       {std::pair{"S8R", 2e-3}, std::pair{"S8", 5e-3}, std::pair{"S4", 1e-2}}) {
    Surface plate = strip(type);
    const int tip = plate.number({100, 5, 0});
    std::string loads;
    const std::vector<double> shares =
        type[1] == '8' ? std::vector<double>{1, 4, 2, 4, 1} : std::vector<double>{3, 6, 3};
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double y = 10 * static_cast<double>(i) / static_cast<double>(shares.size() - 1);
      loads += fmt::format("{},3,{}\n", plate.number({100, y, 0}), force * shares[i] / 12);
    }
    const DeckRun run = test::run_deck_text(plate.text() + section(young, 0, thickness) +
                                            "*STEP\n*STATIC\n*BOUNDARY\nFIX,1,6\n*CLOAD\n" + loads +
                                            "*NODE FILE\nU,RF\n*END STEP\n");
    EXPECT_NEAR(run.at_node("U", tip, 2), expected, tolerance * expected) << type;
    double reaction = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double y = 10 * static_cast<double>(i) / static_cast<double>(shares.size() - 1);
      reaction += run.at_node("RF", plate.number({0, y, 0}), 2);
    }
    EXPECT_NEAR(reaction, -force, 1e-6 * force) << type;
  }
}

TEST(Shell, AMomentTurnsItsEnd) {
  // The angle M L / E I, half of it times L at the end, by *CLOAD 5 and by *BOUNDARY 5 alike.
  const double young = 2e5;
  const double inertia = 10 * 8 / 12.0;
  const double moment = -600;  // about y: lifts the end
  const double angle = moment * 100 / (young * inertia);
  Surface plate = strip("S8R");
  const int tip = plate.number({100, 5, 0});
  const std::string begin = plate.text() + section(young, 0, 2) + "*STEP\n*STATIC\n*BOUNDARY\nFIX,1,6\n";
  const std::string end = "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
  std::string moments = "*CLOAD\n";
  const std::array<double, 5> share{1, 4, 2, 4, 1};
  for (std::size_t i = 0; i < share.size(); ++i)
    moments += fmt::format("{},5,{}\n", plate.number({100, 2.5 * static_cast<double>(i), 0}),
                           moment * share[i] / 12);
  const DeckRun loaded = test::run_deck_text(begin + moments + end);
  EXPECT_NEAR(loaded.at_node("U", tip, 2), -angle * 50, 2e-3 * std::abs(angle * 50));
  const DeckRun turned = test::run_deck_text(begin + fmt::format("TIP,5,5,{}\n", angle) + end);
  EXPECT_NEAR(turned.at_node("U", tip, 2), -angle * 50, 2e-3 * std::abs(angle * 50));
}

TEST(Shell, TurnsAsARigidBodyWithoutStress) {
  // A folded plate, whose fold is a row of knots, turned about a point of its first half.
  for (const char* type : {"S8R", "S4", "S4R"}) {
    Surface plate(type);
    plate.add(2, 2, [](double a, double b) { return Point{40 * a, 30 * b, 0}; });
    plate.add(2, 2, [](double a, double b) { return Point{40, 30 * b, 40 * a}; });
    const int held = plate.number({0, 0, 0});
    const int far = plate.number({40, 30, 40});
    const DeckRun run = test::run_deck_text(
        plate.text() + section(2e5, 0.3, 2) +
        fmt::format("*STEP\n*STATIC\n*BOUNDARY\n{},1,3\n{},4,4,1e-3\n{},5,5,2e-3\n{},2,2,-3e-3\n", held, held,
                    held, plate.number({40, 0, 0})) +
        "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n");
    const Point turn{1e-3, 2e-3, -3e-3 / 40};
    const Point arm{40, 30, 40};
    for (int k = 0; k < 3; ++k) {
      const auto l = static_cast<std::size_t>((k + 1) % 3);
      const auto m = static_cast<std::size_t>((k + 2) % 3);
      EXPECT_NEAR(run.at_node("U", far, k), turn[l] * arm[m] - turn[m] * arm[l], 1e-7) << type << " " << k;
    }
    EXPECT_LT(largest_stress(run), 1e-4) << type;  // of 2e5 times strains of 1e-3
  }
}

TEST(Shell, CarriesPressureAndEdgeLoads) {
  Surface plate = strip("S8R");
  const DeckRun run =
      test::run_deck_text(plate.text() + section(2e5, 0.3, 2) +
                          "*STEP\n*STATIC\n*BOUNDARY\nFIX,1,6\n*DLOAD\n16,P,0.01\n8,EDNOR2,3\n"
                          "*NODE FILE\nRF\n*END STEP\n");
  Point sum{};
  for (const double y : {0.0, 2.5, 5.0, 7.5, 10.0}) {
    for (int k = 0; k < 3; ++k)
      sum[static_cast<std::size_t>(k)] += run.at_node("RF", plate.number({0, y, 0}), k);
  }
  EXPECT_NEAR(sum[2], -0.01 * 12.5 * 5, 1e-6);  // along the normal
  EXPECT_NEAR(sum[0], 3 * 5, 1e-6);             // into the edge
}

/// FV12 and FV16: a square plate of 10 m, 0.05 m thick.
std::string square_plate(const std::string& held) {
  Surface plate("S8R");
  plate.add(8, 8, [](double a, double b) { return Point{10 * a, 10 * b, 0}; });
  plate.set("EDGE", [](const Point& x) { return x[0] == 0; });
  return plate.text() + section(200e9, 0.3, 0.05) + held;
}

std::vector<double> frequencies(const std::string& deck) {
  Monitor monitor(ProgressDisplay::silent());
  const deck::Deck read = deck::read_inp_text(deck, "deck.inp", monitor);
  const analysis::Setup setup = analysis::prepare(read.model, monitor);
  std::vector<double> found;
  analysis::run_steps(
      setup, analysis::Computing::on_cpu(1), [](const model::Step&, const model::Frame&) {}, monitor,
      [&](const model::ModeTable& table) {
        for (const model::Mode& mode : table.modes) found.push_back(mode.frequency());
      });
  return found;
}

void expect_frequencies(const std::vector<double>& found, const std::vector<double>& targets,
                        double tolerance) {
  ASSERT_EQ(found.size(), targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    EXPECT_NEAR(found[i], targets[i], std::max(tolerance * targets[i], 1e-3)) << i + 1;
}

TEST(Shell, NafemsFv16CantileveredSquarePlate) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "no factorisation";
  expect_frequencies(frequencies(square_plate("*BOUNDARY\nEDGE,1,6\n*STEP\n*FREQUENCY\n6\n*END STEP\n")),
                     {0.421, 1.029, 2.582, 3.306, 3.753, 6.555}, 0.02);
}

TEST(Shell, NafemsFv12FreeSquarePlate) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "no factorisation";
  expect_frequencies(frequencies(square_plate("*STEP\n*FREQUENCY\n12\n*END STEP\n")),
                     {0, 0, 0, 0, 0, 0, 1.622, 2.360, 2.922, 4.233, 4.233, 7.416}, 0.02);
}

TEST(Shell, NafemsFv32TaperedMembrane) {
  // In its plane, 5 m high where it is held and 1 m at its end.
  Surface plate("S8R");
  plate.add(12, 6, [](double a, double b) { return Point{10 * a, (b - 0.5) * (5 - 4 * a), 0}; });
  plate.set("EDGE", [](const Point& x) { return x[0] == 0; });
  expect_frequencies(frequencies(plate.text() + section(200e9, 0.3, 0.05) +
                                 "*BOUNDARY\nNALL,3,5\nEDGE,1,2\n*STEP\n*FREQUENCY\n6\n*END STEP\n"),
                     {44.623, 130.03, 162.70, 246.05, 379.90, 391.44}, 2e-3);
}

TEST(Shell, NafemsLe6SkewPlate) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD, and iterations do not get there";
  // A rhombus with angles of 30 degrees under pressure, its sides supported: the largest principal stress at
  // the centre of the lower face is 0.802 MPa. It comes slowly: 0.69 with 8 x 8 elements, 0.78 with 24 x 24.
  const double c = std::sqrt(3) / 2;
  Surface plate("S8R");
  const std::size_t n = 16;
  plate.add(static_cast<int>(n), static_cast<int>(n), [&](double a, double b) {
    return Point{a + b * c, b / 2, 0};
  });
  plate.set("EDGE", [&](const Point& x) {
    const double b = 2 * x[1];
    const double a = x[0] - b * c;
    return std::min({a, b, 1 - a, 1 - b}) < 1e-9;
  });
  plate.set("CENTRE", [&](const Point& x) { return std::hypot(x[0] - (1 + c) / 2, x[1] - 0.25) < 1e-9; });
  const DeckRun run = test::run_deck_text(
      plate.text() + section(210e9, 0.3, 0.01) + "*BOUNDARY\nEDGE,3\nCENTRE,1,2\n" +
      fmt::format("{},2\n", plate.number({c / 2, 0.25, 0})) +
      "*STEP\n*STATIC\n*DLOAD\nE,P,-700\n*NODE FILE\nU\n*EL PRINT,ELSET=E\nS\n*END STEP\n");
  // The mean over the points beside the centre, which lie at 1 / sqrt(3) of half the thickness.
  const std::vector<double>& s = run.frames.back().point_field("S")->values;
  std::array<double, 3> mean{};
  for (const std::size_t element :
       {n * (n / 2 - 1) + n / 2 - 1, n * (n / 2 - 1) + n / 2, n * (n / 2) + n / 2 - 1, n * (n / 2) + n / 2}) {
    const bool right = element % n == n / 2;
    const bool upper = element / n == n / 2;
    const std::size_t point = 8 * element + (right ? 0 : 1) + (upper ? 0 : 2);  // of the lower four
    for (std::size_t k = 0; k < 3; ++k) mean[k] += std::sqrt(3) / 4 * s[6 * point + (k < 2 ? k : 3)];
  }
  const double principal = (mean[0] + mean[1]) / 2 + std::hypot((mean[0] - mean[1]) / 2, mean[2]);
  EXPECT_NEAR(principal, 0.802e6, 0.06 * 0.802e6);
}

TEST(Shell, NafemsLe5ZSection) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD, and iterations do not get there";
  // Torque of 1.2 MN m at the end by shear in both flanges.
  Surface z("S8R");
  z.add(16, 2, [](double a, double b) { return Point{10 * a, -b, 1}; });
  z.add(16, 4, [](double a, double b) { return Point{10 * a, 0, 1 - 2 * b}; });
  z.add(16, 2, [](double a, double b) { return Point{10 * a, b, -1}; });
  z.set("FIX", [](const Point& x) { return x[0] == 0; });
  z.set("ALL", [](const Point&) { return true; });
  const int a = z.number({2.5, 1, -1});
  std::string loads;
  // 0.6 MN over each flange: shares 1/6, 2/3, 1/6 of two elements.
  const std::array<double, 5> share{1 / 12.0, 4 / 12.0, 2 / 12.0, 4 / 12.0, 1 / 12.0};
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double y = 0.25 * static_cast<double>(i);
    loads += fmt::format("{},2,{}\n", z.number({10, -y, 1}), 0.6e6 * share[i]);
    loads += fmt::format("{},2,{}\n", z.number({10, y, -1}), -0.6e6 * share[i]);
  }
  const DeckRun run = test::run_deck_text(z.text() + section(210e9, 0.3, 0.1) +
                                          "*STEP\n*STATIC\n*BOUNDARY\nFIX,1,6\n*CLOAD\n" + loads +
                                          "*EL FILE\nS\n*END STEP\n");
  EXPECT_NEAR(std::abs(run.at_node("S", a, 0)), 108e6, 0.03 * 108e6);
}

TEST(Shell, NafemsLe3Hemisphere) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD, and iterations do not get there";
  // An octant from three patches, each projected onto the sphere; poles along x and y pulled out and pushed
  // in.
  constexpr double radius = 10;
  Surface sphere("S8R");
  const auto on_sphere = [](Point x) {
    const double size = std::hypot(x[0], x[1], x[2]);
    for (double& component : x) component *= radius / size;
    return x;
  };
  for (int k = 0; k < 3; ++k) {
    sphere.add(6, 6, [&](double a, double b) {
      const double e = std::tan(a * std::numbers::pi / 4);
      const double f = std::tan(b * std::numbers::pi / 4);
      Point x{};
      x[static_cast<std::size_t>(k)] = 1;
      x[static_cast<std::size_t>((k + 1) % 3)] = e;
      x[static_cast<std::size_t>((k + 2) % 3)] = f;
      return on_sphere(x);
    });
  }
  const auto zero = [](double v) { return std::abs(v) < 1e-6; };
  sphere.set("X0", [&](const Point& x) { return zero(x[0]); });
  sphere.set("Y0", [&](const Point& x) { return zero(x[1]); });
  const int pole = sphere.number({0, 0, radius});
  const int a = sphere.number({radius, 0, 0});
  const int c = sphere.number({0, radius, 0});
  const DeckRun run = test::run_deck_text(
      sphere.text() + section(68.25e9, 0.3, 0.04) +
      fmt::format(
          "*STEP\n*STATIC\n*BOUNDARY\nX0,1,1\nX0,5,6\nY0,2,2\nY0,4,4\nY0,6,6\n{},3,3\n*CLOAD\n{},1,2000\n"
          "{},2,-2000\n*NODE FILE\nU\n*END STEP\n",
          pole, a, c));
  EXPECT_NEAR(run.at_node("U", a, 0), 0.185, 0.02 * 0.185);
}

std::string one_plate(const std::string& sections, const std::string& step) {
  return "*NODE,NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n*ELEMENT,TYPE=S4,ELSET=E\n1,1,2,3,4\n"
         "*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*DENSITY\n1\n*CONDUCTIVITY\n1\n" +
         sections + "*STEP\n" + step + "*END STEP\n";
}

std::string layers(const std::string& lines) {
  return "*MATERIAL,NAME=SOFT\n*ELASTIC\n1e5,0\n*DENSITY\n1000\n*MATERIAL,NAME=STIFF\n*ELASTIC\n2e5,0\n"
         "*DENSITY\n3000\n*MATERIAL,NAME=WOOD\n*ELASTIC,TYPE=ENGINEERING "
         "CONSTANTS\n2e5,1e4,1e4,0,0,0,5e4,5e4\n"
         "5e4\n*ORIENTATION,NAME=ALONG\n1,0,0,0,1,0\n*ORIENTATION,NAME=ACROSS\n0,1,0,-1,0,0\n"
         "*SHELL SECTION,ELSET=E,COMPOSITE\n" +
         lines;
}

TEST(Shell, LayersBendTogether) {
  // Layers from below: E and thickness. Bending stiffness about the neutral line, width 10, no Poisson's
  // ratio.
  struct Case {
    std::string lines;
    std::vector<std::array<double, 2>> layers;
  };
  const std::array cases{
      Case{"2,,STIFF\n", {{2e5, 2}}}, Case{"1,,SOFT\n1,,STIFF\n", {{1e5, 1}, {2e5, 1}}},
      Case{"1,,WOOD,ALONG\n1,,WOOD,ACROSS\n1,,WOOD,ALONG\n", {{2e5, 1}, {1e4, 1}, {2e5, 1}}},
      Case{"1,,WOOD,ACROSS\n1,,WOOD\n1,,STIFF\n", {{1e4, 1}, {1e4, 1}, {2e5, 1}}}};  // as the layer below
  for (const Case& own : cases) {
    double at = 0;
    double ea = 0;
    double es = 0;
    double ei = 0;
    for (const auto& [young, thickness] : own.layers) {
      const double middle = at + thickness / 2;
      ea += young * thickness;
      es += young * thickness * middle;
      ei += young * (thickness * middle * middle + std::pow(thickness, 3) / 12);
      at += thickness;
    }
    const double bending = 10 * (ei - es * es / ea);
    Surface plate = strip("S8R");
    const DeckRun run = test::run_deck_text(
        plate.text() + layers(own.lines) +
        fmt::format("*STEP\n*STATIC\n*BOUNDARY\nFIX,1,6\n*CLOAD\n{},5,-100\n{},5,-400\n{},5,-200\n{},5,-400\n"
                    "{},5,-100\n*NODE FILE\nU\n*EL FILE\nS\n*EL PRINT,ELSET=E\nS,EVOL\n*END STEP\n",
                    plate.number({100, 0, 0}), plate.number({100, 2.5, 0}), plate.number({100, 5, 0}),
                    plate.number({100, 7.5, 0}), plate.number({100, 10, 0})));
    const double expected = 1200 * 1e4 / (2 * bending);
    EXPECT_NEAR(run.at_node("U", plate.number({100, 5, 0}), 2), expected, 5e-3 * expected) << own.lines;
    const model::Frame& frame = run.frames.back();
    ASSERT_EQ(frame.element_volume.size(), 16u);
    for (const double volume : frame.element_volume) EXPECT_NEAR(volume, 12.5 * 5 * at, 1e-9 * at);
    EXPECT_EQ(frame.point_field("S")->values.size(), 16 * 8 * own.layers.size() * 6);
  }
}

TEST(Shell, LayersHaveTheirWeight) {
  // Of the two elements at the end, an eighth of the strip.
  Surface plate = strip("S8R");
  const DeckRun run = test::run_deck_text(
      plate.text() + layers("1,,SOFT\n2,,STIFF\n") +
      "*STEP\n*STATIC\n*BOUNDARY\nFIX,1,6\n*DLOAD\n8,GRAV,1,0,0,-1\n16,GRAV,1,0,0,-1\n8,P,3\n16,P,3\n"
      "*NODE FILE\nU,RF\n*END STEP\n");
  double held = 0;
  for (const double y : {0.0, 2.5, 5.0, 7.5, 10.0}) held += run.at_node("RF", plate.number({0, y, 0}), 2);
  EXPECT_NEAR(held, (1000 * (1000 * 1 + 3000 * 2) - 1000 * 3) / 8, 1);
}

TEST(Shell, WhatIsNotComputedIsRefusedByName) {
  const std::string plate = "*SHELL SECTION,ELSET=E,MATERIAL=M\n.1\n";
  const std::string statics = "*STATIC\n*BOUNDARY\n1,1,6\n";
  const auto refusal = [&](const std::string& sections, const std::string& step) {
    return test::refusal_of_deck(one_plate(sections, step));
  };
  EXPECT_THAT(refusal("*SHELL SECTION,ELSET=E,COMPOSITE\n.1,,M\n", statics),
              HasSubstr("layers are of S6 and S8R"));
  EXPECT_THAT(refusal("*SHELL SECTION,ELSET=E,COMPOSITE,MATERIAL=M\n.1,,M\n", statics),
              HasSubstr("give materials and thicknesses on the lines of the layers"));
  EXPECT_THAT(refusal("*SHELL SECTION,ELSET=E,MATERIAL=M\n", statics), HasSubstr("without a thickness"));
  EXPECT_THAT(refusal("*SHELL SECTION,ELSET=E,MATERIAL=M\n-1\n", statics), HasSubstr("the thickness is -1"));
  EXPECT_THAT(refusal("*SOLID SECTION,ELSET=E,MATERIAL=M\n", statics), HasSubstr("element 1 is of type S4"));
  EXPECT_THAT(refusal("*BEAM SECTION,ELSET=E,MATERIAL=M,SECTION=RECT\n1,1\n", statics),
              HasSubstr("element 1 is of type S4"));
  EXPECT_THAT(refusal("", statics), HasSubstr("*SHELL SECTION"));
  EXPECT_THAT(refusal(plate, statics + "*DLOAD\nE,P3,1\n"), HasSubstr("has no load 'P3'"));
  EXPECT_THAT(refusal(plate, statics + "*DLOAD\nE,EDNOR5,1\n"), HasSubstr("has no load 'EDNOR5'"));
  EXPECT_THAT(refusal(plate + "*NORMAL\n1,1,0,0,0\n", statics), HasSubstr("the normal has no length"));
}

}  // namespace
}  // namespace setka
