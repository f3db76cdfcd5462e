// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *MPC, MEANROT against what is known by hand. Comparison with CalculiX: tests/calculix/own and beammrlin.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "deck/deck_text.hpp"
#include "setka/analysis/mean_rotation.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

TEST(MeanRotation, OfARigidTurnIsTheTurn) {
  const std::array<double, 12> x{1, 0, 0, 3, 1, 5, 1, 4, 2, -2, 1, 1};
  const std::array<double, 3> axis{1, 2, -2};  // of length 3
  const std::vector<double> mean = analysis::mean_rotation(x, axis);
  ASSERT_EQ(mean.size(), x.size());
  const double angle = 0.7;
  double turned = 0;
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const std::size_t m = (k + 2) % 3;
      const double u = 5 + angle / 3 * (axis[l] * x[3 * p + m] - axis[m] * x[3 * p + l]);
      turned += mean[3 * p + k] * u;
    }
  }
  EXPECT_NEAR(turned, angle, 1e-14);
}

TEST(MeanRotation, WithoutAnAxisThereIsNone) {
  const std::array<double, 6> x{0, 0, 1, 0, 0, 2};
  EXPECT_TRUE(analysis::mean_rotation(x, {0, 0, 0}).empty());
  EXPECT_TRUE(analysis::mean_rotation(x, {0, 0, 1}).empty());
}

std::string turned_cube(const std::string& nodes, const std::string& in_step) {
  return test::cube + "*NODE\n9,0,0,1\n*MPC\nMEANROT," + nodes + "\n*STEP\n*STATIC\n" + in_step +
         "*NODE FILE\nU,RF\n*END STEP\n";
}

const std::string top = "5,5,5,6,6,6,7,7,7,\n8,8,8,9";

TEST(MeanRotation, ATorqueTurnsAsMuchAsItsAngleNeeds) {
  const test::DeckRun by_torque = test::run_deck_text(turned_cube(top, "*CLOAD\n9,1,100\n"));
  EXPECT_NEAR(by_torque.at_node("RF", 9, 0), 100, 1e-9);
  double torque = 0;  // of the forces at the support about the z axis through the middle
  for (const int node : {1, 2, 3, 4}) {
    const double x = (node == 2 || node == 3 ? 1 : 0) - 0.5;
    const double y = (node > 2 ? 1 : 0) - 0.5;
    torque += x * by_torque.at_node("RF", node, 1) - y * by_torque.at_node("RF", node, 0);
  }
  EXPECT_NEAR(torque, -100, 1e-9);
  const double angle = by_torque.at_node("U", 9, 0);
  EXPECT_GT(angle, 0);
  const test::DeckRun by_angle =
      test::run_deck_text(turned_cube(top, "*BOUNDARY\n9,1,1," + std::to_string(1000 * angle) + "\n"));
  EXPECT_NEAR(by_angle.at_node("RF", 9, 0), 100 * std::stod(std::to_string(1000 * angle)) / angle,
              1e-5);  // of 1e5; CG, where it stands in, ends at 1e-8
}

TEST(MeanRotation, WrongOnesAreRefused) {
  EXPECT_THAT(test::refusal_of_deck(turned_cube("5,5,5,6,6,9", "")),
              HasSubstr("deck.inp:25: *MPC MEANROT: 6 nodes; give each node three times"));
  EXPECT_THAT(test::refusal_of_deck(turned_cube("5,5,5,6,6,7,9", "")),
              HasSubstr("deck.inp:25: *MPC MEANROT: node 6 is not there three times in a row"));
  EXPECT_THAT(test::refusal_of_deck(turned_cube("1,1,1,5,5,5,9", "")),
              HasSubstr("deck.inp:25: MEANROT: the nodes have no rotation about the axis of node 9"));
  EXPECT_THAT(test::refusal_of_deck(turned_cube("1,1,1,2,2,2,9", "*BOUNDARY\n9,1,1,.1\n")),
              HasSubstr("deck.inp:25: all displacements of this constraint are prescribed"));
  EXPECT_THAT(test::refusal_of_deck(test::cube + "*MPC\nFANCY,5,6,7,8\n" + test::pull),
              HasSubstr("deck.inp:23: *MPC FANCY"));
}

}  // namespace
}  // namespace setka
