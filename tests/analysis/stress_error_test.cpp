// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The estimate of errors in .frd, and fields in local directions. Comparison with CalculiX's files:
// tests/calculix/own/fields.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"

namespace setka {
namespace {

/// A square of side 2 under sigma_xx = 1000 (2 + y) / 2, or so it would be without Poisson's ratio.
std::string bent(const std::string& type, const std::string& output) {
  return "*NODE\n1,-1,-1\n2,1,-1\n3,1,1\n4,-1,1\n5,0,-1\n6,1,0\n7,0,1\n8,-1,0\n*ELEMENT,TYPE=" + type +
         ",ELSET=E\n1,1,2,3,4,5,6,7,8\n*ORIENTATION,NAME=O\n0,1,0,-1,0,0\n*MATERIAL,NAME=M\n*ELASTIC\n1000,"
         "0\n"
         "*SOLID SECTION,ELSET=E,MATERIAL=M,ORIENTATION=O\n1\n*BOUNDARY\n1,2\n5,2\n2,2\n6,2\n3,2\n7,2\n4,2\n"
         "8,2\n1,1,1,-.5\n2,1,1,.5\n3,1,1,1.5\n4,1,1,-1.5\n5,1\n6,1,1,1\n7,1\n8,1,1,-1\n*STEP\n*STATIC\n" +
         output + "*END STEP\n";
}

TEST(StressError, FollowsTheVariationOverThePoints) {
  // u = x (2 + y) / 2: at the points of 2 x 2, y = -+a, x = -+a with a = 1/sqrt(3), strains are exx = (2 + y)
  // / 2 and gxy = x / 2; the numbers are those of ccx 2.20 for this deck.
  const test::DeckRun reduced = test::run_deck_text(bent("CPE8R", "*EL FILE\nS\n"));
  const test::DeckRun full = test::run_deck_text(bent("CPE8", "*EL FILE\nS\n"));
  for (const int node : {1, 3, 6}) {
    EXPECT_NEAR(reduced.at_node("ERR", node, 0), 23.4152, 1e-3);
    EXPECT_NEAR(full.at_node("ERR", node, 0), 16.0744, 1e-3);
  }
}

// Comparison with CalculiX's files: tests/calculix/own/error_tetra and error_hexa.
TEST(StressError, AmidAnEdgeIsTheMeanOfItsEnds) {
  // The element from before, which bends, and one beside it that does not.
  std::string text = bent("CPE8R", "*EL FILE\nS\n");
  text.insert(text.find("*ELEMENT"), "9,3,-1\n10,3,1\n11,2,-1\n12,3,0\n13,2,1\n");
  text.insert(text.find("*ORIENTATION"), "2,2,9,10,3,11,12,13,6\n");
  text.insert(text.find("*STEP"), "9,1,1,100.5\n10,1,1,101.5\n11,1,1,50.5\n12,1,1,101\n13,1,1,51.5\n");
  text.insert(text.find("*STEP"), "9,2\n10,2\n11,2\n12,2\n13,2\n");
  const test::DeckRun run = test::run_deck_text(text);
  const auto error = [&](int node) { return run.at_node("ERR", node, 0); };
  EXPECT_NEAR(error(1), 23.4152, 1e-3);
  EXPECT_NEAR(error(2), 23.4152, 1e-3);
  EXPECT_LT(error(9), 1);
  EXPECT_NEAR(error(9), error(10), 1e-6);
  EXPECT_NEAR(error(11), (error(2) + error(9)) / 2, 1e-9);
  EXPECT_NEAR(error(13), (error(3) + error(10)) / 2, 1e-9);
  EXPECT_NEAR(error(12), error(9), 1e-9);
}

TEST(LocalFields, TensorsTurnWithTheOrientation) {
  const test::DeckRun run = test::run_deck_text(bent("CPE8R", "*EL FILE,GLOBAL=NO\nS\n"));
  const model::NodeField* local = run.frames.back().local_node_field("S");
  ASSERT_NE(local, nullptr);
  const auto node = static_cast<std::size_t>(run.deck->model.mesh.find_node(3));
  // The first local direction is y, the second is -x.
  EXPECT_NEAR(local->values[6 * node + 1], run.at_node("S", 3, 0), 1e-9);
  EXPECT_NEAR(local->values[6 * node + 3], -run.at_node("S", 3, 3), 1e-9);
  EXPECT_GT(std::abs(run.at_node("S", 3, 3)), 1);
}

TEST(LocalFields, AreGlobalWithoutOrientations) {
  std::string text = bent("CPE8R", "*EL FILE,GLOBAL=NO\nS\n");
  const std::string orientation = ",ORIENTATION=O";
  text.erase(text.find(orientation), orientation.size());
  const test::DeckRun run = test::run_deck_text(text);
  EXPECT_TRUE(run.frames.back().local_node_fields.empty());
  EXPECT_EQ(run.frames.back().local_node_field("S"), run.frames.back().node_field("S"));
}

}  // namespace
}  // namespace setka
