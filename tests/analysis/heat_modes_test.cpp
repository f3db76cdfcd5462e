// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Modes of temperatures, which acoustics has for pressures, and sums of them; displacements at computed
// temperatures; masses that attract each other.
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "setka/base/error.hpp"

namespace setka {
namespace {

/// A bar of 1 along x of so many C3D8, with the sets ALL, LEFT, RIGHT and EALL.
std::string column_of(int cells, const std::string& material) {
  std::string text = "*NODE, NSET=ALL\n";
  for (int i = 0; i <= cells; ++i) {
    for (int k = 0; k < 4; ++k)
      text += fmt::format("{}, {:.12g}, {}, {}\n", 4 * i + k + 1, 1.0 * i / cells,
                          k == 1 || k == 2 ? 0.1 : 0.0, k >= 2 ? 0.1 : 0.0);
  }
  text += "*ELEMENT, TYPE=C3D8, ELSET=EALL\n";
  for (int i = 0; i < cells; ++i) {
    text += fmt::format("{}", i + 1);
    for (int k = 0; k < 8; ++k) text += fmt::format(", {}", 4 * (i + k / 4) + k % 4 + 1);
    text += "\n";
  }
  const int last = 4 * cells;
  text += "*NSET, NSET=LEFT\n1,2,3,4\n*NSET, NSET=RIGHT\n";
  text += fmt::format("{},{},{},{}\n", last + 1, last + 2, last + 3, last + 4);
  return text + "*MATERIAL, NAME=M\n" + material + "*SOLID SECTION, ELSET=EALL, MATERIAL=M\n";
}

// Sound of speed 1: conductivity over capacity.
const std::string air = "*CONDUCTIVITY\n4.\n*SPECIFIC HEAT\n2.\n*DENSITY\n2.\n";

TEST(HeatModesTest, ColumnsOfAir) {
  // Open at one end and closed at the other: (2 n - 1) / 4 cycles; open at both: n / 2; with closed ends the
  // constant comes before those.
  const auto frequencies = [](const std::string& boundary) {
    const test::DeckRun run =
        test::run_deck_text(column_of(60, air) + boundary +
                            "*STEP\n*HEAT TRANSFER, FREQUENCY\n3\n*NODE PRINT, NSET=ALL\nNT\n"
                            "*END STEP\n");
    std::vector<double> found;
    for (const model::Frame& frame : run.frames) found.push_back(frame.mode->frequency());
    return found;
  };
  const std::vector<double> half_open = frequencies("*BOUNDARY\nLEFT,11,11,0.\n");
  ASSERT_EQ(half_open.size(), 3U);
  for (int n = 1; n <= 3; ++n)
    EXPECT_NEAR(half_open[static_cast<std::size_t>(n) - 1], (2 * n - 1) / 4.0, 2e-3 * n);
  const std::vector<double> open = frequencies("*BOUNDARY\nLEFT,11,11,0.\nRIGHT,11,11,0.\n");
  for (int n = 1; n <= 3; ++n) EXPECT_NEAR(open[static_cast<std::size_t>(n) - 1], n / 2.0, 2e-3 * n);
  const std::vector<double> closed = frequencies("");
  for (int n = 0; n < 3; ++n) EXPECT_NEAR(closed[static_cast<std::size_t>(n)], n / 2.0, 2e-3 * n + 1e-5);
}

TEST(HeatModesTest, ShapesHaveUnitCapacityAndTheirFluxes) {
  const test::DeckRun run =
      test::run_deck_text(column_of(40, air) +
                          "*BOUNDARY\nLEFT,11,11,0.\nRIGHT,11,11,0.\n*STEP\n*HEAT TRANSFER, FREQUENCY\n1\n"
                          "*NODE PRINT, NSET=ALL\nNT\n*EL PRINT, ELSET=EALL\nHFL\n*END STEP\n");
  // sqrt(2 / (c A)) sin(pi x) of a column of section A = 0.01.
  const double top = std::sqrt(2 / (4.0 * 0.01));
  EXPECT_NEAR(run.at_node("NT", 4 * 20 + 1, 0), top, 2e-3 * top);
  const double flux = -4 * top * std::numbers::pi;
  EXPECT_NEAR(run.frames.back().point_field("HFL")->values[0], flux, 2e-2 * std::abs(flux));
}

TEST(HeatModesTest, SteadyStateOfAHalfOpenColumn) {
  // Driven by a pressure of 1 at the open end: cos(k (1 - x)) / cos(k) with k = 2 pi f.
  const double f = 0.1;
  const test::DeckRun run = test::run_deck_text(
      column_of(60, air) +
      "*BOUNDARY\nLEFT,11,11,0.\n*STEP\n*HEAT TRANSFER, FREQUENCY, STORAGE=YES\n12\n*END STEP\n"
      "*STEP\n*STEADY STATE DYNAMICS\n" +
      fmt::format("{0}, {0}, 2\n", f) + "*BOUNDARY\nLEFT,11,11,1.\n*NODE PRINT, NSET=ALL\nNT\n*END STEP\n");
  const double k = 2 * std::numbers::pi * f;
  EXPECT_NEAR(run.at_node("NT", 4 * 60 + 1, 0), 1 / std::cos(k), 2e-3);
  EXPECT_NEAR(run.at_node("NT", 4 * 30 + 1, 0), std::cos(k / 2) / std::cos(k), 2e-3);
}

TEST(HeatModesTest, AWaveInTime) {
  // The open end goes up to 1 between 0.1 and 0.2: when the front has come to the closed end, it doubles
  // there.
  const test::DeckRun run = test::run_deck_text(
      column_of(80, air) +
      "*AMPLITUDE, NAME=UP\n0.,0.,0.1,0.,0.2,1.,10.,1.\n*BOUNDARY\nLEFT,11,11,0.\n"
      "*STEP\n*HEAT TRANSFER, FREQUENCY\n30\n*END STEP\n*STEP, INC=1000\n*HEAT TRANSFER, MODAL "
      "DYNAMIC\n0.01, 1.6\n"
      "*BOUNDARY, AMPLITUDE=UP\nLEFT,11,11,1.\n*NODE PRINT, NSET=ALL, FREQUENCY=1000\nNT\n*END STEP\n");
  EXPECT_NEAR(run.at_node("NT", 4 * 80 + 1, 0), 2.0, 0.05);
  EXPECT_NEAR(run.at_node("NT", 4 * 10 + 1, 0), 1.0, 0.05);
}

TEST(HeatModesTest, SumsNeedModesOfTemperatures) {
  EXPECT_THAT(
      [] {
        test::run_deck_text(column_of(2, air) + "*STEP\n*HEAT TRANSFER, MODAL DYNAMIC\n0.1,1.\n*END STEP\n");
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("sum of modes of temperatures")));
}

const std::string steel =
    "*ELASTIC\n210000.,.3\n*EXPANSION\n1e-5\n*CONDUCTIVITY\n50.\n*SPECIFIC HEAT\n1.\n*DENSITY\n1.\n";
const std::string held =
    "*BOUNDARY\n1,1,3\n4,1,2\n2,1\n2,3\n3,1\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n";
const std::string warm_ends = "*BOUNDARY\nLEFT,11,11,20.\nRIGHT,11,11,220.\n";

// 20 degrees at one end, 220 at the other: 1e-5 times the mean warming of 100 is how much the bar grows.
TEST(ThermoMechanicsTest, StaticStepsTakeTheTemperaturesOfHeatSteps) {
  const test::DeckRun run =
      test::run_deck_text(column_of(4, steel) + held + "*STEP\n*HEAT TRANSFER, STEADY STATE\n" + warm_ends +
                          "*END STEP\n*STEP\n*STATIC\n*NODE PRINT, NSET=ALL\nU,NT\n*END STEP\n");
  EXPECT_NEAR(run.at_node("NT", 9, 0), 120, 1e-6);
  EXPECT_NEAR(run.at_node("U", 17, 0), 1e-3, 1e-5);
}

class CoupledOn : public ::testing::TestWithParam<const char*> {};

TEST_P(CoupledOn, SteadyStepsDisplaceToo) {
  const test::DeckRun run = test::run_deck_text(
      column_of(4, steel) + held +
      fmt::format("*STEP\n*{} TEMPERATURE-DISPLACEMENT, STEADY STATE\n", GetParam()) + warm_ends +
      "*NODE PRINT, NSET=ALL\nU,NT,RFL\n*EL PRINT, ELSET=EALL\nS,HFL\n*END STEP\n");
  EXPECT_NEAR(run.at_node("NT", 9, 0), 120, 1e-6);
  EXPECT_NEAR(run.at_node("U", 17, 0), 1e-3, 1e-5);
  EXPECT_NE(run.frames.back().point_field("S"), nullptr);
  EXPECT_NEAR(run.frames.back().point_field("HFL")->values[0], -50 * 200, 1e-4);
}

TEST_P(CoupledOn, InTimeEveryIncrementHasItsDisplacements) {
  // Heat comes in evenly: 2 degrees a time unit everywhere, and a force that is there at once.
  const test::DeckRun run = test::run_deck_text(
      column_of(4, steel) + held +
      fmt::format("*STEP\n*{} TEMPERATURE-DISPLACEMENT, DIRECT\n1., 4.\n", GetParam()) +
      "*DFLUX\nEALL, BF, 2.\n*DLOAD\n4, P2, -21.\n*NODE PRINT, NSET=ALL\nU,NT\n*END STEP\n");
  ASSERT_EQ(run.frames.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const double warmer = 2.0 * static_cast<double>(i + 1);
    EXPECT_NEAR(run.frames[i].node_field("NT")->values[16], 20 + warmer, 1e-6);
    EXPECT_NEAR(run.frames[i].node_field("U")->values[3 * 16], 1e-5 * warmer + 1e-4, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, CoupledOn, ::testing::Values("COUPLED", "UNCOUPLED"),
                         [](const auto& step) { return std::string(step.param); });

TEST(ThermoMechanicsTest, ModesAfterHeatAreRefused) {
  EXPECT_THAT(
      [] {
        test::run_deck_text(column_of(2, steel) + held + "*STEP\n*HEAT TRANSFER, STEADY STATE\n" + warm_ends +
                            "*END STEP\n*STEP\n*FREQUENCY\n1\n*END STEP\n");
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("temperatures are not taken over yet")));
}

/// Two cubes of mass 1, 20 apart: a = G / d^2 towards each other.
TEST(AttractionTest, TwoCubesFall) {
  std::string text = "*NODE, NSET=ALL\n";
  for (int body = 0; body < 2; ++body) {
    for (int k = 0; k < 8; ++k) {
      const int corner = k % 4;
      text += fmt::format("{}, {}, {}, {}\n", 8 * body + k + 1,
                          20. * body + (corner == 1 || corner == 2 ? 1 : 0), corner >= 2 ? 1 : 0, k / 4);
    }
  }
  text +=
      "*ELEMENT, TYPE=C3D8, ELSET=EALL\n1,1,2,3,4,5,6,7,8\n2,9,10,11,12,13,14,15,16\n*MATERIAL, NAME=M\n"
      "*ELASTIC\n1e6,0.\n*DENSITY\n1.\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n"
      "*PHYSICAL CONSTANTS, NEWTON GRAVITY=400.\n*STEP\n*DYNAMIC, DIRECT\n0.01, 0.1\n*DLOAD\nEALL, NEWTON\n"
      "*NODE PRINT, NSET=ALL\nU\n*END STEP\n";
  const test::DeckRun run = test::run_deck_text(text);
  EXPECT_NEAR(run.at_node("U", 1, 0), 0.005, 2e-5);
  EXPECT_NEAR(run.at_node("U", 9, 0), -0.005, 2e-5);
}

TEST(AttractionTest, NeedsTheConstant) {
  EXPECT_THAT(
      [] {
        test::run_deck_text(column_of(2, steel) + held + "*STEP\n*STATIC\n*DLOAD\nEALL, NEWTON\n*END STEP\n");
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("constant of gravitation")));
}

}  // namespace
}  // namespace setka
