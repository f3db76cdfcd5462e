// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *CYCLIC SYMMETRY MODEL: the modes of a sector against those of the whole wheel. Comparisons with CalculiX:
// decks segment and fullseg (tests/calculix/suite.py).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"

namespace setka {
namespace {

using test::DeckRun;
using ::testing::HasSubstr;

/// A wheel of sectors of two cells along the arc: a ring of one cell from radius 1 to 1.6, and with a disk
/// one of wedges within, whose tips are on the axis.
struct Wheel {
  int sectors = 6;
  bool disk = false;
  int cells = 2;  // of a sector, along the arc

  /// Arcs with numbers from 0; of the whole wheel the last is the first.
  std::string mesh(int arcs, bool closed) const {
    const int count = closed ? arcs : arcs + 1;
    std::string text = "*NODE,NSET=N\n";
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * std::numbers::pi * i / (cells * sectors);
      for (int r = 0; r < 2; ++r) {
        for (int z = 0; z < 2; ++z)
          text += fmt::format("{},{:.17g},{:.17g},{}\n", node(i, r, z), (1 + 0.6 * r) * std::cos(angle),
                              (1 + 0.6 * r) * std::sin(angle), 0.3 * z);
      }
    }
    if (disk) text += "9001,0,0,0\n9002,0,0,.3\n";
    text += "*ELEMENT,TYPE=C3D8,ELSET=E\n";
    for (int i = 0; i < arcs; ++i) {
      const int j = closed ? (i + 1) % arcs : i + 1;
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", 1 + i, node(i, 0, 0), node(i, 1, 0), node(j, 1, 0),
                          node(j, 0, 0), node(i, 0, 1), node(i, 1, 1), node(j, 1, 1), node(j, 0, 1));
    }
    if (disk) {
      text += "*ELEMENT,TYPE=C3D6,ELSET=E\n";
      for (int i = 0; i < arcs; ++i) {
        const int j = closed ? (i + 1) % arcs : i + 1;
        text += fmt::format("{},9001,{},{},9002,{},{}\n", 1001 + i, node(i, 0, 0), node(j, 0, 0),
                            node(i, 0, 1), node(j, 0, 1));
      }
    }
    text += "*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n";
    return text;
  }

  /// The two sides of a sector from arc 0, with the nodes on the axis.
  std::string sides() const {
    const auto side = [&](const char* name, int arc) {
      std::string text = fmt::format("*NSET,NSET=N{}\n", name);
      for (int r = 0; r < 2; ++r) text += fmt::format("{},{}\n", node(arc, r, 0), node(arc, r, 1));
      if (disk) text += "9001,9002\n";
      return text + fmt::format("*SURFACE,NAME={},TYPE=NODE\nN{}\n", name, name);
    };
    return side("LEFT", 0) + side("RIGHT", cells);
  }

  std::string model(int n) const {
    return fmt::format(
        "*TIE,CYCLIC SYMMETRY,NAME=T\nLEFT,RIGHT\n*CYCLIC SYMMETRY MODEL,N={},NGRAPH=1\n0,0,0,0,0,1\n", n);
  }

  static int node(int arc, int r, int z) { return 1 + 4 * arc + 2 * r + z; }
};

std::vector<double> eigenvalues(const DeckRun& run) {
  std::vector<double> values;
  for (const model::Frame& frame : run.frames) values.push_back(frame.mode->eigenvalue);
  return values;
}

/// Those of all diameters, each as often as the whole wheel has it: a sector finds each twice.
std::vector<double> of_sector(const Wheel& wheel, int modes, const std::string& hold) {
  std::vector<double> all;
  for (int diameter = 0; 2 * diameter <= wheel.sectors; ++diameter) {
    const std::string step = fmt::format(
        "*STEP\n*FREQUENCY\n{}\n*SELECT CYCLIC SYMMETRY MODES,NMIN={},NMAX={}\n"
        "*NODE FILE\nU\n*END STEP\n",
        modes, diameter, diameter);
    const DeckRun run = test::run_deck_text(wheel.mesh(wheel.cells, false) + wheel.sides() +
                                            wheel.model(wheel.sectors) + hold + step);
    const std::vector<double> values = eigenvalues(run);
    const bool alone = diameter == 0 || 2 * diameter == wheel.sectors;
    for (std::size_t i = 0; i < values.size(); i += alone ? 2 : 1) all.push_back(values[i]);
    for (const model::Frame& frame : run.frames) EXPECT_EQ(frame.mode->nodal_diameter, diameter);
    EXPECT_EQ(run.frames.front().node_field("U")->values.size(),
              3 * static_cast<std::size_t>(run.deck->model.mesh.node_count()));
  }
  std::ranges::sort(all);
  return all;
}

void expect_modes_of_the_wheel(const Wheel& wheel) {
  const DeckRun whole = test::run_deck_text(wheel.mesh(wheel.cells * wheel.sectors, true) +
                                            "*STEP\n*FREQUENCY\n24\n*NODE FILE\nU\n*END STEP\n");
  const std::vector<double> expected = eigenvalues(whole);
  const std::vector<double> found = of_sector(wheel, 12, "");
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found.at(i), expected[i], 1e-7 * expected.back()) << i;
}

TEST(CyclicSymmetry, ARingHasTheModesOfTheWheel) {
  expect_modes_of_the_wheel({6, false});
  expect_modes_of_the_wheel({5, false});
}

/// In the middle of each sector a beam, a shell or a bar that stiffens it.
std::string stiffeners(const std::string& type, int sectors) {
  std::string text = fmt::format("*ELEMENT,TYPE={},ELSET=STIFF\n", type);
  for (int s = 0; s < sectors; ++s) {
    const int arc = 2 * s + 1;
    text += fmt::format("{},{},", 7000 + s, Wheel::node(arc, 0, 0));
    if (type == "S4") text += fmt::format("{},", Wheel::node(arc, 1, 0));
    text += fmt::format("{}", Wheel::node(arc, 1, 1));
    if (type == "S4") text += fmt::format(",{}", Wheel::node(arc, 0, 1));
    text += "\n";
  }
  return text + (type == "S4"     ? "*SHELL SECTION,ELSET=STIFF,MATERIAL=M\n.08\n"
                 : type == "T3D2" ? "*SOLID SECTION,ELSET=STIFF,MATERIAL=M\n.02\n"
                                  : "*BEAM SECTION,ELSET=STIFF,MATERIAL=M,SECTION=RECT\n.1,.2\n0,0,1\n");
}

TEST(CyclicSymmetry, BeamsShellsAndBarsWithinASector) {
  const Wheel wheel;
  for (const char* type : {"B31", "S4", "T3D2"}) {
    const DeckRun whole = test::run_deck_text(wheel.mesh(12, true) + stiffeners(type, 6) +
                                              "*STEP\n*FREQUENCY\n24\n*NODE FILE\nU\n*END STEP\n");
    const std::vector<double> expected = eigenvalues(whole);
    const std::vector<double> found = of_sector(wheel, 12, stiffeners(type, 1));
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found.at(i), expected[i], 1e-6 * expected.back()) << type << ", " << i;
  }
}

TEST(CyclicSymmetry, NodesOnTheAxisMoveAsTheDiameterLetsThem) {
  expect_modes_of_the_wheel({6, true});
}

TEST(CyclicSymmetry, SurfacesOfFacesAreSides) {
  const Wheel wheel;
  const std::string faces = "*SURFACE,NAME=LEFT\n1,S3\n*SURFACE,NAME=RIGHT\n2,S5\n";
  const std::string step =
      "*STEP\n*FREQUENCY\n6\n*SELECT CYCLIC SYMMETRY MODES,NMIN=2,NMAX=2\n*NODE FILE\nU\n*END STEP\n";
  const std::string mesh = wheel.mesh(2, false);
  const DeckRun by_nodes = test::run_deck_text(mesh + wheel.sides() + wheel.model(6) + step);
  const DeckRun by_faces = test::run_deck_text(mesh + faces + wheel.model(6) + step);
  const std::vector<double> expected = eigenvalues(by_nodes);
  const std::vector<double> found = eigenvalues(by_faces);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8 * expected.back());
}

// A ring that turns: all sectors alike. In cylindrical axes what holds it stops no growth.
TEST(CyclicSymmetry, StaticStepsAreOfDiameterZero) {
  const Wheel wheel;
  const auto end = [](const std::string& held) {
    return "*NSET,NSET=HELD\n" + held +
           "\n*TRANSFORM,NSET=N,TYPE=C\n0,0,0,0,0,1\n*BOUNDARY\nHELD,2,3\n*STEP\n*STATIC\n*DLOAD\n"
           "E,CENTRIF,2.,0,0,0,0,0,1\n*NODE FILE\nU\n*END STEP\n";
  };
  const DeckRun whole = test::run_deck_text(wheel.mesh(12, true) + end("5,13,21,29,37,45"));
  const DeckRun sector =
      test::run_deck_text(wheel.mesh(2, false) + wheel.sides() + wheel.model(6) + end("5"));
  for (const int label : {1, 3, 5, 7, 8}) {
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(sector.at_node("U", label, k), whole.at_node("U", label, k), 1e-10) << label << " " << k;
  }
  EXPECT_GT(sector.at_node("U", 3, 0), 1e-4);
}

/// Frames of the last step, which is a sum of modes.
std::vector<const model::Frame*> sums(const DeckRun& run) {
  std::vector<const model::Frame*> frames;
  for (const model::Frame& frame : run.frames) {
    if (!frame.mode) frames.push_back(&frame);
  }
  return frames;
}

void expect_same(const Wheel& wheel, const model::Frame& sector, const model::Frame& whole, double least) {
  const std::vector<double>& found = sector.node_field("U")->values;
  const std::vector<double>& expected = whole.node_field("U")->values;
  double largest = 0;
  const std::size_t count = 12 * (static_cast<std::size_t>(wheel.cells) + 1);
  for (std::size_t d = 0; d < count; ++d) largest = std::max(largest, std::abs(expected[d]));
  EXPECT_GT(largest, least);
  ASSERT_EQ(found.size(), count);
  for (std::size_t d = 0; d < count; ++d)
    EXPECT_NEAR(found[d], expected[d], 1e-7 * largest) << "node " << 1 + d / 3 << ", direction " << 1 + d % 3;
}

/// Loads of a kind each on sectors of their own, and on the same places of the whole wheel, with all modes.
struct LoadedWheel {
  Wheel wheel;
  std::string held_sector, held_whole, of_sector, of_whole;
  int modes_of_pair = 42;  // all that there are

  explicit LoadedWheel(int sectors) : wheel{sectors, false} {
    held_sector = "*BOUNDARY\n5,1,3\n";
    held_whole = "*BOUNDARY\n";
    for (int s = 0; s < sectors; ++s) held_whole += fmt::format("{},1,3\n", Wheel::node(2 * s + 1, 0, 0));
    of_sector =
        "*CLOAD,SECTOR=2\n7,1,2.\n8,3,.5\n*CLOAD\n4,2,.7\n*DLOAD,SECTOR=3\nE,GRAV,1.,0.6,0.8,0\n"
        "*DLOAD,SECTOR=5\n1,P4,.3\n";
    of_whole = fmt::format(
        "*CLOAD\n{},1,2.\n{},3,.5\n4,2,.7\n*DLOAD\n5,GRAV,1.,0.6,0.8,0\n6,GRAV,1.,0.6,0.8,0\n9,P4,.3\n",
        Wheel::node(3, 1, 0), Wheel::node(3, 1, 1));
  }

  /// procedure: cards and damping of a sum of modes
  std::array<DeckRun, 2> run(const std::string& procedure) const {
    const std::string end = "*NODE FILE\nU\n*END STEP\n";
    return {test::run_deck_text(wheel.mesh(wheel.cells, false) + wheel.sides() + wheel.model(wheel.sectors) +
                                held_sector +
                                fmt::format("*STEP\n*FREQUENCY\n{}\n*SELECT CYCLIC SYMMETRY MODES,NMIN=0,"
                                            "NMAX={}\n*END STEP\n*STEP\n",
                                            modes_of_pair, wheel.sectors / 2) +
                                procedure + of_sector + end),
            test::run_deck_text(
                wheel.mesh(wheel.cells * wheel.sectors, true) + held_whole +
                fmt::format("*STEP\n*FREQUENCY\n{}\n*END STEP\n*STEP\n", modes_of_pair * wheel.sectors / 2) +
                procedure + of_whole + end)};
  }
};

TEST(CyclicSymmetry, AWheelAnswersPeriodicLoadsOnAnySector) {
  for (const int sectors : {6, 5}) {
    const LoadedWheel loaded(sectors);
    const auto [sector, whole] =
        loaded.run("*STEADY STATE DYNAMICS\n.5,.8,2\n*MODAL DAMPING,RAYLEIGH\n,,.1,.001\n");
    const auto found = sums(sector);
    const auto expected = sums(whole);
    ASSERT_GE(found.size(), 2U);
    for (const std::size_t i : {std::size_t{0}, found.size() - 1}) {
      const std::size_t j = i == 0 ? 0 : expected.size() - 1;  // between are their own frequencies
      expect_same(loaded.wheel, *found[i], *expected[j], 1e-4);
      expect_same(loaded.wheel, found[i]->imaginary.front(), expected[j]->imaginary.front(), 1e-6);
    }
  }
}

TEST(CyclicSymmetry, AWheelMovesUnderLoadsOnAnySector) {
  const LoadedWheel loaded(6);
  const auto [sector, whole] = loaded.run("*MODAL DYNAMIC\n.05,.3\n*MODAL DAMPING,RAYLEIGH\n,,.1,.001\n");
  const auto found = sums(sector);
  const auto expected = sums(whole);
  ASSERT_EQ(found.size(), 6U);
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_same(loaded.wheel, *found[i], *expected[i], 1e-5);
}

TEST(CyclicSymmetry, AStiffenedWheelMovesUnderLoadsOnAnySector) {
  LoadedWheel loaded(6);
  loaded.held_sector += stiffeners("B31", 1);
  loaded.held_whole += stiffeners("B31", 6);
  loaded.modes_of_pair += 24;  // two ends of a beam turn and deform, in both copies
  const auto [sector, whole] = loaded.run("*MODAL DYNAMIC\n.1,.2\n");
  expect_same(loaded.wheel, *sums(sector).back(), *sums(whole).back(), 1e-4);
}

// Radial forces are radial on every sector: each is the first one's, turned.
TEST(CyclicSymmetry, CylindricalAxesTurnWithTheSector) {
  LoadedWheel loaded(6);
  const double angle = std::numbers::pi / 2;  // of node 7 in the middle of the second sector
  loaded.held_sector += "*TRANSFORM,NSET=N,TYPE=C\n0,0,0,0,0,1\n";
  loaded.of_sector = "*CLOAD,SECTOR=2\n7,1,1.\n";
  const int node = Wheel::node(3, 1, 0);
  loaded.of_whole = fmt::format("*CLOAD\n{},1,{}\n{},2,{}\n", node, std::cos(angle), node, std::sin(angle));
  const auto [sector, whole] = loaded.run("*MODAL DYNAMIC\n.1,.2\n");
  expect_same(loaded.wheel, *sums(sector).back(), *sums(whole).back(), 1e-4);
}

TEST(CyclicSymmetry, OthersThanSolidsOnASideAreRefused) {
  const Wheel wheel;
  const auto bar = [&](const char* nodes) {
    return wheel.mesh(2, false) +
           fmt::format("*ELEMENT,TYPE=T3D2,ELSET=B\n77,{}\n*SOLID SECTION,ELSET=B,MATERIAL=M\n.1\n", nodes) +
           wheel.sides() + wheel.model(6);
  };
  EXPECT_THAT(test::refusal_of_deck(bar("5,4") + "*STEP\n*FREQUENCY\n4\n*END STEP\n"),
              HasSubstr("*CYCLIC SYMMETRY MODEL: element 77 of type T3D2 has node 4 on a side of the sector; "
                        "solids and springs are tied there"));
  EXPECT_THAT(
      test::refusal_of_deck(
          bar("5,8") + "*BOUNDARY\n5,1,3\n*STEP\n*STATIC\n*CLOAD\n8,3,.01\n*END STEP\n*STEP,PERTURBATION\n"
                       "*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES\n*END STEP\n"),
      HasSubstr("*SELECT CYCLIC SYMMETRY MODES with a preload is not computed with bars, shells and "
                "beams, as element 77"));
}

TEST(CyclicSymmetry, SumsThatAreNotComputedAreRefused) {
  const Wheel wheel;
  const std::string start = wheel.mesh(2, false) + wheel.sides() + wheel.model(6) + "*BOUNDARY\n5,1,3\n";
  const std::string modes = "*STEP\n*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES,NMIN=1,NMAX=1\n*END STEP\n";
  const std::string sum = "*STEP\n*MODAL DYNAMIC\n.1,1.\n";
  EXPECT_THAT(test::refusal_of_deck(start + modes + sum + "*CLOAD,SECTOR=7\n7,1,1.\n*END STEP\n"),
              HasSubstr("*CLOAD: SECTOR is 7; the sectors are 1, that of the mesh, to 6"));
  EXPECT_THAT(test::refusal_of_deck(start + "*STEP\n*STATIC\n*DLOAD,SECTOR=2\nE,GRAV,1.,0,0,1\n*END STEP\n"),
              HasSubstr("*DLOAD: SECTOR is of sums of modes by nodal diameters"));
  EXPECT_THAT(test::refusal_of_deck(start + "*AMPLITUDE,NAME=A\n0,0,1,1\n" + modes + sum +
                                    "*BASE MOTION,DOF=1,AMPLITUDE=A\n*END STEP\n"),
              HasSubstr("*MODAL DYNAMIC: a base that moves is not computed with modes by nodal diameters"));
  EXPECT_THAT(
      test::refusal_of_deck(start + "*ELEMENT,TYPE=DASHPOTA,ELSET=D\n77,7,8\n*DASHPOT,ELSET=D\n\n1.\n" +
                            modes + sum + "*END STEP\n"),
      HasSubstr("dashpots, as element 77, are not computed with modes by nodal diameters"));
}

TEST(CyclicSymmetry, WrongOnesAreRefused) {
  const Wheel wheel;
  const std::string start = wheel.mesh(2, false) + wheel.sides();
  const std::string step = "*STEP\n*FREQUENCY\n4\n*END STEP\n";
  EXPECT_THAT(test::refusal_of_deck(start + wheel.model(7) + step),
              HasSubstr("turned by 360/7 degrees surfaces LEFT and RIGHT do not meet: nodes 1, 2, 3 and 4"));
  EXPECT_THAT(test::refusal_of_deck(start + wheel.model(1) + step),
              HasSubstr("*CYCLIC SYMMETRY MODEL: N is 1"));
  EXPECT_THAT(test::refusal_of_deck(start + "*TIE,CYCLIC SYMMETRY\nLEFT,RIGHT\n" + step),
              HasSubstr("*TIE, CYCLIC SYMMETRY without *CYCLIC SYMMETRY MODEL"));
  EXPECT_THAT(test::refusal_of_deck(start + "*CYCLIC SYMMETRY MODEL,N=6\n0,0,0,0,0,1\n" + step),
              HasSubstr("*CYCLIC SYMMETRY MODEL without sides"));
  EXPECT_THAT(test::refusal_of_deck(start +
                                    "*TIE,CYCLIC SYMMETRY,NAME=T\nLEFT,RIGHT\n*CYCLIC SYMMETRY MODEL,N=6,"
                                    "TIE=S\n0,0,0,0,0,1\n" +
                                    step),
              HasSubstr("there is no *TIE, CYCLIC SYMMETRY named S"));
  EXPECT_THAT(test::refusal_of_deck(start +
                                    "*TIE,CYCLIC SYMMETRY\nLEFT,RIGHT\n*CYCLIC SYMMETRY MODEL,N=6\n"
                                    "0,0,0,0,0,0\n" +
                                    step),
              HasSubstr("the points a and b coincide"));
  EXPECT_THAT(
      test::refusal_of_deck(start + wheel.model(6) +
                            "*STEP\n*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES,NMIN=3,NMAX=2\n*END STEP\n"),
      HasSubstr("nodal diameters from 3 to 2; they go from 0 to half the number of sectors"));
  EXPECT_THAT(
      test::refusal_of_deck(start + "*STEP\n*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES\n*END STEP\n"),
      HasSubstr("in a model without *CYCLIC SYMMETRY MODEL"));
  EXPECT_THAT(test::refusal_of_deck("*SPECTRUM,NAME=S\n4.5,0.1\n4.5,33\n" + start + wheel.model(6) +
                                    "*STEP\n*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES\n*END STEP\n*STEP\n"
                                    "*RESPONSE SPECTRUM\nS,1,0,0\n*END STEP\n"),
              HasSubstr("*RESPONSE SPECTRUM of modes of *SELECT CYCLIC SYMMETRY MODES"));
}

}  // namespace
}  // namespace setka
