// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *HEAT TRANSFER: answers from outside (NAFEMS T2, T3, T4), exact ones, order in time, balance of heat.
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "setka/base/log_writer.hpp"

namespace setka {
namespace {

/// A bar along x of so many hexahedra, with the sets ALL, LEFT, RIGHT and EALL; node 4 i + 1 is at x_i.
std::string bar(int cells, double length, double width, const std::string& material) {
  std::string text = "*NODE, NSET=ALL\n";
  for (int i = 0; i <= cells; ++i) {
    for (int k = 0; k < 4; ++k)
      text += fmt::format("{}, {:.12g}, {}, {}\n", 4 * i + k + 1, length * i / cells,
                          k == 1 || k == 2 ? width : 0.0, k >= 2 ? width : 0.0);
  }
  text += "*ELEMENT, TYPE=C3D8, ELSET=EALL\n";
  for (int i = 0; i < cells; ++i) {
    text += fmt::format("{}", i + 1);
    // S1 is the face at x_i, S2 the one at x_(i+1).
    for (int k = 0; k < 8; ++k) text += fmt::format(", {}", 4 * (i + k / 4) + k % 4 + 1);
    text += "\n";
  }
  const int last = 4 * cells;
  text += "*NSET, NSET=LEFT\n1,2,3,4\n*NSET, NSET=RIGHT\n";
  text += fmt::format("{},{},{},{}\n", last + 1, last + 2, last + 3, last + 4);
  return text + "*MATERIAL, NAME=M\n" + material + "*SOLID SECTION, ELSET=EALL, MATERIAL=M\n";
}

std::string starts_at(double temperature) {
  return fmt::format("*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, {}\n", temperature);
}

TEST(HeatTest, FilmAtTheEndOfABar) {
  // k dT/dx = h (sink - T) at the end: T = sink h L / (k + h L) there, linear between.
  const test::DeckRun run =
      test::run_deck_text(bar(3, 2, 0.5, "*CONDUCTIVITY\n5.\n") + starts_at(0) +
                          "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLEFT,11,11,0.\n"
                          "*FILM\n3,F2,80.,10.\n*NODE PRINT,NSET=ALL\nNT,RFL\n"
                          "*EL PRINT,ELSET=EALL\nHFL\n*END STEP\n");
  const double end = 80 * 10 * 2 / (5 + 10.0 * 2);
  EXPECT_NEAR(run.at_node("NT", 13, 0), end, 1e-9 * end);
  EXPECT_NEAR(run.at_node("NT", 5, 0), end / 3, 1e-9 * end);
  // What comes in by the film goes out where the temperature is held.
  double held = 0;
  for (int node = 1; node <= 4; ++node) held += run.at_node("RFL", node, 0);
  EXPECT_NEAR(held, -5 * end / 2 * 0.25, 1e-9);
  for (std::size_t p = 0; p < 24; ++p)
    EXPECT_NEAR(run.frames.back().point_field("HFL")->values[3 * p], -5 * end / 2, 1e-8);
}

/// Heat that comes in at the corner of a plate of S8R, which nothing leads away, stays in it. CalculiX 2.20
/// loses it from the second increment on: its plate cools.
TEST(HeatTest, HeatAtTheCornerOfAShellStays) {
  const test::DeckRun run = test::run_deck_text(
      "*NODE, "
      "NSET=ALL\n1,0,0,0\n2,.1,0,0\n3,.1,.1,0\n4,0,.1,0\n5,.05,0,0\n6,.1,.05,0\n7,.05,.1,0\n8,0,.05,0\n"
      "*ELEMENT, TYPE=S8R, ELSET=E\n1,1,2,3,4,5,6,7,8\n"
      "*MATERIAL, NAME=M\n*CONDUCTIVITY\n50.\n*DENSITY\n7800.\n*SPECIFIC HEAT\n450.\n"
      "*SHELL SECTION, ELSET=E, MATERIAL=M\n.022\n" +
      starts_at(0) + "*STEP\n*HEAT TRANSFER, DIRECT\n5.,25.\n*CFLUX\n2,11,3.\n*NODE FILE\nNT\n*END STEP\n");
  // The mean of the plate by its shape functions; nodes have means across, so that it is off by a constant.
  const auto mean = [&](std::size_t frame) {
    double sum = 0;
    for (int node = 1; node <= 8; ++node)
      sum += run.at_node("NT", node, 0, frame) * (node <= 4 ? -1.0 / 12 : 1.0 / 3);
    return sum;
  };
  ASSERT_EQ(run.frames.size(), 5U);
  const double rise = 3 * 5 / (7800 * 450 * 0.1 * 0.1 * 0.022);
  for (std::size_t frame = 2; frame <= 5; ++frame)
    EXPECT_NEAR(mean(frame) - mean(frame - 1), rise, 1e-9) << frame;
}

TEST(HeatTest, BodyFluxAndOrthotropy) {
  // k T'' = -f between held ends: the largest temperature is f L^2 / (8 k), with k along x.
  const test::DeckRun run =
      test::run_deck_text(bar(4, 2, 0.5, "*CONDUCTIVITY, TYPE=ORTHO\n4.,1.,9.\n") + starts_at(0) +
                          "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLEFT,11,11,0.\n"
                          "RIGHT,11,11,0.\n*DFLUX\nEALL,BF,16.\n*NODE PRINT,NSET=ALL\nNT\n"
                          "*END STEP\n");
  EXPECT_NEAR(run.at_node("NT", 9, 0), 2.0, 1e-9);
}

TEST(HeatTest, ConductivityOfTemperature) {
  // k = 1 + T / 100 between 0 and 100: Kirchhoff's integral T + T^2 / 200 is linear along the bar.
  const test::DeckRun run =
      test::run_deck_text(bar(40, 1, 0.1, "*CONDUCTIVITY\n1.,0.\n2.,100.\n") + starts_at(0) +
                          "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLEFT,11,11,0.\nRIGHT,11,11,100.\n"
                          "*NODE PRINT,NSET=ALL\nNT\n*END STEP\n");
  const double middle = -100 + 100 * std::sqrt(1 + 1.5);  // T + T^2 / 200 = 75
  EXPECT_NEAR(run.at_node("NT", 4 * 20 + 1, 0), middle, 1e-3 * middle);
}

/// The lowest mode of a bar with k = c = 1, held at both ends: pi^2, from above by (pi h)^2 / 12 of it.
TEST(HeatTest, OrderInSpace) {
  const double exact = std::numbers::pi * std::numbers::pi;
  const auto error = [&](int cells) {
    const test::DeckRun run =
        test::run_deck_text(bar(cells, 1, 0.1, "*CONDUCTIVITY\n1.\n*SPECIFIC HEAT\n1.\n*DENSITY\n1.\n") +
                            "*BOUNDARY\nLEFT,11,11,0.\nRIGHT,11,11,0.\n"
                            "*STEP\n*HEAT TRANSFER, FREQUENCY\n1\n*NODE FILE\nNT\n*END STEP\n");
    return run.frames.front().mode->eigenvalue / exact - 1;
  };
  EXPECT_NEAR(error(16), exact / 12 / 256, 1e-2 * exact / 12 / 256);
  EXPECT_NEAR(std::log2(error(8) / error(16)), 2, 0.02);
  EXPECT_NEAR(std::log2(error(16) / error(32)), 2, 0.01);
}

/// NAFEMS T2: a bar of 0.1 m that is held at 1000 K and radiates to 300 K at its end: 927 K there.
TEST(HeatTest, RadiationOfNafemsT2) {
  const test::DeckRun run = test::run_deck_text(
      bar(10, 0.1, 0.01, "*CONDUCTIVITY\n55.6\n") +
      "*PHYSICAL CONSTANTS, ABSOLUTE ZERO=0., STEFAN BOLTZMANN=5.67E-8\n" + starts_at(1000) +
      "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLEFT,11,11,1000.\n*RADIATE\n10,R2,300.,0.98\n"
      "*NODE PRINT,NSET=ALL\nNT\n*END STEP\n");
  EXPECT_NEAR(run.at_node("NT", 41, 0), 927.0, 0.5);
}

/// NAFEMS T3: one end at 100 sin(pi t / 40), the other at 0: 36.60 at 0.08 m after 32 s.
TEST(HeatTest, TransientOfNafemsT3) {
  std::string amplitude = "*AMPLITUDE, NAME=SINE\n";
  for (int t = 0; t <= 32; ++t)
    amplitude += fmt::format("{}., {:.12g}\n", t, std::sin(std::numbers::pi * t / 40));
  const auto at_sensor = [&](double increment) {
    const test::DeckRun run = test::run_deck_text(
        bar(40, 0.1, 0.01, "*CONDUCTIVITY\n35.\n*SPECIFIC HEAT\n440.5\n*DENSITY\n7200.\n") + amplitude +
        starts_at(0) + fmt::format("*STEP, INC=1000\n*HEAT TRANSFER, DIRECT\n{}, 32.\n", increment) +
        "*BOUNDARY\nLEFT,11,11,0.\n*BOUNDARY, AMPLITUDE=SINE\nRIGHT,11,11,100.\n"
        "*NODE PRINT,NSET=ALL,FREQUENCY=1000\nNT\n*END STEP\n");
    return run.at_node("NT", 4 * 32 + 1, 0);
  };
  // Backward Euler: half the increment, half the error, and the limit is the answer.
  const double finest = 2 * at_sensor(0.0625) - at_sensor(0.125);
  EXPECT_NEAR(finest, 36.60, 0.05);
  const double ratio = (at_sensor(0.5) - finest) / (at_sensor(0.25) - finest);
  EXPECT_NEAR(ratio, 2.0, 0.1);
}

/// What follows what is prescribed by an equation is what is prescribed there itself, in every increment of
/// two steps, as far as increments are solved (to 1e-8).
TEST(HeatTest, EquationsFollowPrescribedTemperaturesInTime) {
  const auto in_time = [](const std::string& equations, const std::string& right) {
    const std::string curve = "*AMPLITUDE, NAME=CURVE\n0.,0., 3.,1., 10.,0.25\n";
    const std::string step = "*STEP, INC=1000\n*HEAT TRANSFER, DIRECT\n1., 10.\n";
    const std::string output = "*NODE PRINT,NSET=ALL\nNT\n*END STEP\n";
    return test::run_deck_text(
        bar(10, 0.1, 0.01, "*CONDUCTIVITY\n35.\n*SPECIFIC HEAT\n440.5\n*DENSITY\n7200.\n") + equations +
        curve + starts_at(5) + step + "*BOUNDARY, AMPLITUDE=CURVE\nLEFT,11,11,80.\n" + right + output + step +
        "*DFLUX\n5,BF,1e6\n" + output);
  };
  std::string equations = "*EQUATION\n";
  for (int k = 1; k <= 4; ++k) equations += fmt::format("2\n{},11,1., {},11,-0.5\n", 40 + k, k);
  const test::DeckRun held = in_time("", "*BOUNDARY, AMPLITUDE=CURVE\nRIGHT,11,11,40.\n");
  const test::DeckRun follows = in_time(equations, "");
  ASSERT_EQ(held.frames.size(), 20U);
  ASSERT_EQ(follows.frames.size(), held.frames.size());
  for (std::size_t f = 0; f < held.frames.size(); ++f) {
    const std::vector<double>& expected = held.frames[f].node_field("NT")->values;
    const std::vector<double>& found = follows.frames[f].node_field("NT")->values;
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 80 * 1e-8) << f << " " << i;
  }
}

/// NAFEMS T4: a plate of 0.6 m by 1 m, 100 degrees below, h = 750 to 0 degrees on the right and above: 18.3
/// at (0.6, 0.2).
TEST(HeatTest, ConvectionOfNafemsT4) {
  constexpr int nx = 12;
  constexpr int ny = 20;
  std::string text = "*NODE, NSET=ALL\n";
  for (int j = 0; j <= 2 * ny; ++j) {
    for (int i = 0; i <= 2 * nx; ++i)
      text += fmt::format("{}, {}, {}, 0.\n", 100 * j + i + 1, 0.6 * i / (2 * nx), 1.0 * j / (2 * ny));
  }
  text += "*ELEMENT, TYPE=CPS8, ELSET=EALL\n";
  std::string films;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int e = nx * j + i + 1;
      const auto n = [&](int a, int b) { return 100 * (2 * j + b) + 2 * i + a + 1; };
      text += fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", e, n(0, 0), n(2, 0), n(2, 2), n(0, 2),
                          n(1, 0), n(2, 1), n(1, 2), n(0, 1));
      if (i == nx - 1) films += fmt::format("{}, F2, 0., 750.\n", e);
      if (j == ny - 1) films += fmt::format("{}, F3, 0., 750.\n", e);
    }
  }
  text += "*NSET, NSET=BELOW, GENERATE\n" + fmt::format("1, {}\n", 2 * nx + 1);
  text +=
      "*MATERIAL, NAME=M\n*CONDUCTIVITY\n52.\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n1.\n" + starts_at(0);
  text += "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nBELOW,11,11,100.\n*FILM\n" + films +
          "*NODE PRINT,NSET=ALL\nNT\n*END STEP\n";
  const test::DeckRun run = test::run_deck_text(text);
  EXPECT_NEAR(run.at_node("NT", 100 * 8 + 2 * nx + 1, 0), 18.3, 0.1);
}

TEST(HeatTest, HeatIsConserved) {
  // Nothing leaves the bar: what flows in is kept.
  const test::DeckRun run = test::run_deck_text(
      bar(5, 1, 1, "*CONDUCTIVITY\n3.\n*SPECIFIC HEAT\n2.\n*DENSITY\n4.\n") + starts_at(7) +
      "*STEP\n*HEAT TRANSFER\n0.1, 1.\n*DFLUX\n5,S2,30.\n*NODE PRINT,NSET=ALL\nNT\n*END STEP\n");
  const std::vector<double>& t = run.frames.back().node_field("NT")->values;
  double kept = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    kept += 8 * (t[i] - 7) * (i < 4 || i >= 20 ? 0.025 : 0.05);  // integrals of shape functions
  EXPECT_NEAR(kept, 30.0, 1e-9);
  EXPECT_GT(run.frames.size(), 5U);
}

TEST(HeatTest, AutomaticIncrementsAreThoseOfCalculix) {
  const test::DeckRun run = test::run_deck_text(
      bar(5, 1, 1, "*CONDUCTIVITY\n3.\n*SPECIFIC HEAT\n2.\n*DENSITY\n4.\n") + starts_at(0) +
      "*STEP\n*HEAT TRANSFER\n0.1, 1.\n*BOUNDARY\nLEFT,11,11,10.\n*NODE PRINT,NSET=ALL\nNT\n*END STEP\n");
  std::vector<double> times;
  for (const model::Frame& frame : run.frames) times.push_back(frame.time);
  const std::vector<double> expected{0.1, 0.2, 0.35, 0.575, 0.9125, 1};
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-12);
}

TEST(HeatTest, ChangesStayBelowDeltmx) {
  const test::DeckRun run = test::run_deck_text(
      bar(5, 1, 1, "*CONDUCTIVITY\n3.\n*SPECIFIC HEAT\n2.\n*DENSITY\n4.\n") + starts_at(0) +
      "*STEP, INC=1000\n*HEAT TRANSFER, DELTMX=2.\n0.5, 1.\n*CFLUX\nRIGHT,11,20.\n*NODE PRINT,NSET=ALL\nNT\n"
      "*END STEP\n");
  ASSERT_GT(run.frames.size(), 4U);
  std::vector<double> before(24, 0.0);
  for (const model::Frame& frame : run.frames) {
    const std::vector<double>& now = frame.node_field("NT")->values;
    for (std::size_t i = 0; i < now.size(); ++i) EXPECT_LE(std::abs(now[i] - before[i]), 2.0 + 1e-9);
    before = now;
  }
}

TEST(HeatTest, EquationsTieTemperatures) {
  // Both ends have one temperature, and heat is generated: symmetric about the middle.
  std::string equations = "*EQUATION\n";
  for (int k = 1; k <= 4; ++k) equations += fmt::format("2\n{},11,1.,{},11,-1.\n", 16 + k, k);
  const test::DeckRun run = test::run_deck_text(
      bar(4, 1, 1, "*CONDUCTIVITY\n3.\n") + equations + starts_at(0) +
      "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\n9,11,11,50.\n10,11,11,50.\n11,11,11,50.\n"
      "12,11,11,50.\n*DFLUX\nEALL,BF,12.\n*NODE PRINT,NSET=ALL\nNT\n*END STEP\n");
  EXPECT_NEAR(run.at_node("NT", 1, 0), run.at_node("NT", 17, 0), 1e-10);
  EXPECT_NEAR(run.at_node("NT", 5, 0), run.at_node("NT", 13, 0), 1e-9);
  // k T'' = -12 from the middle on, no flux through the joined ends: T = 50 + 2 (x - x^2) for x from the
  // middle.
  EXPECT_NEAR(run.at_node("NT", 17, 0), 50.5, 1e-9);
}

TEST(HeatTest, RefusesWhatNothingHolds) {
  const std::string told = test::refusal_of_deck(
      bar(3, 2, 0.5, "*CONDUCTIVITY\n5.\n") + starts_at(0) +
      "*STEP\n*HEAT TRANSFER, STEADY STATE\n*CFLUX\n1,11,3.\n*NODE PRINT,NSET=ALL\nNT\n*END STEP\n");
  EXPECT_NE(told.find("is not held"), std::string::npos) << told;
}

TEST(HeatTest, RefusesToFixATemperatureWhereItIs) {
  const std::string told =
      test::refusal_of_deck(bar(3, 2, 0.5, "*CONDUCTIVITY\n5.\n") + starts_at(0) +
                            "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY, FIXED\nLEFT,11,11\n*END STEP\n");
  EXPECT_NE(told.find("FIXED of a temperature"), std::string::npos) << told;
}

/// Faces of different temperatures share an edge: CalculiX 2.20 takes what comes last, in one step and in
/// another.
TEST(HeatTest, OfTemperaturesPrescribedTwiceTheLastCounts) {
  const std::string model =
      bar(3, 2, 0.5, "*CONDUCTIVITY\n5.\n") + starts_at(0) + "*STEP\n*HEAT TRANSFER, STEADY STATE\n";
  const std::string rest = "*NODE PRINT,NSET=ALL\nNT\n*END STEP\n";
  std::string told;
  log::set_writer([&](log::Level, std::string_view message) { told += std::string(message) + "\n"; });
  const test::DeckRun run = test::run_deck_text(
      model + "*BOUNDARY\nLEFT,11,11,10.\nRIGHT,11,11,0.\n*BOUNDARY\n1,11,11,40.\n4,11,11,40.\n" + rest);
  log::set_writer({});
  EXPECT_EQ(run.at_node("NT", 1, 0), 40);
  EXPECT_EQ(run.at_node("NT", 2, 0), 10);
  EXPECT_EQ(run.at_node("NT", 3, 0), 10);
  EXPECT_EQ(run.at_node("NT", 4, 0), 40);
  EXPECT_NE(told.find("node 1 has the temperature 40, and not 10 as at "), std::string::npos) << told;
  EXPECT_NE(told.find(", and 1 more alike: of a temperature that is prescribed twice what comes last counts"),
            std::string::npos)
      << told;
  // The same value twice is nothing to tell of.
  told.clear();
  log::set_writer([&](log::Level, std::string_view message) { told += message; });
  test::run_deck_text(model + "*BOUNDARY\nLEFT,11,11,10.\n1,11,11,10.\nRIGHT,11,11,0.\n" + rest);
  log::set_writer({});
  EXPECT_EQ(told, "");
}

/// An emissivity that an amplitude lets begin late, and that is gone at the time 1.
TEST(HeatTest, RadiationThatFollowsAnAmplitude) {
  const auto end = [&](const std::string& amplitude, const char* parameter) {
    return test::run_deck_text(
               bar(10, 0.1, 0.01, "*CONDUCTIVITY\n55.6\n") + amplitude +
               "*PHYSICAL CONSTANTS, ABSOLUTE ZERO=0., STEFAN BOLTZMANN=5.67E-8\n" + starts_at(1000) +
               "*STEP\n*HEAT TRANSFER, STEADY STATE\n2.,2.\n*BOUNDARY\nLEFT,11,11,1000.\n*RADIATE" +
               parameter + "\n10,R2,300.,0.98\n*NODE PRINT,NSET=ALL\nNT\n*END STEP\n")
        .at_node("NT", 41, 0);
  };
  EXPECT_NEAR(end("*AMPLITUDE, NAME=LATE\n0.,0.,1.,0.,2.,1.\n", ", RADIATION AMPLITUDE=LATE"), end("", ""),
              1e-6);
}

TEST(HeatTest, GpuAgreesWithCpu) {
  if (const std::string why = exec::why_no_cuda(); !why.empty()) GTEST_SKIP() << why;
  const std::string text =
      bar(20, 1, 0.3, "*CONDUCTIVITY\n3.,0.\n5.,100.\n*SPECIFIC HEAT\n2.\n*DENSITY\n4.\n") +
      "*PHYSICAL CONSTANTS, ABSOLUTE ZERO=-273.15, STEFAN BOLTZMANN=5.67E-8\n" + starts_at(20) +
      "*STEP\n*HEAT TRANSFER\n0.05, "
      "0.5\n*BOUNDARY\nLEFT,11,11,100.\n*FILM\n20,F2,10.,4.\n*RADIATE\n20,R2,10.,0.5\n"
      "*NODE PRINT,NSET=ALL\nNT,RFL\n*EL PRINT,ELSET=EALL\nHFL\n*END STEP\n";
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  const test::DeckRun cpu = test::run_deck_text(text, computing);
  computing.device = exec::Device::cuda(0);
  computing.solver.method = solve::Method::cg;
  computing.solver.tolerance = 1e-12;
  const test::DeckRun gpu = test::run_deck_text(text, computing);
  ASSERT_EQ(cpu.frames.size(), gpu.frames.size());
  for (std::size_t f = 0; f < cpu.frames.size(); ++f) {
    for (const char* field : {"NT", "RFL"}) {
      const std::vector<double>& a = cpu.frames[f].node_field(field)->values;
      const std::vector<double>& b = gpu.frames[f].node_field(field)->values;
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6 * 100) << field << " " << i;
    }
  }
}

}  // namespace
}  // namespace setka
