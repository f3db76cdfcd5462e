// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *CYCLIC SYMMETRY MODEL: the modes of a sector against those of the whole wheel. Comparisons with CalculiX:
// decks segment and fullseg (tests/calculix/suite.py).
#include <algorithm>
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
  EXPECT_THAT(test::refusal_of_deck(start + wheel.model(6) +
                                    "*STEP\n*FREQUENCY\n4\n*SELECT CYCLIC SYMMETRY MODES\n*END STEP\n*STEP\n"
                                    "*MODAL DYNAMIC\n.1,1.\n*END STEP\n"),
              HasSubstr("*MODAL DYNAMIC of modes of *SELECT CYCLIC SYMMETRY MODES"));
}

}  // namespace
}  // namespace setka
