// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *RIGID BODY, *COUPLING and *DISTRIBUTING COUPLING against what is known by hand. Comparison with CalculiX:
// tests/calculix/own (rigid_body, coupling) and deck distcoup.
#include <array>
#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "deck/deck_text.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

/// The cube, its top ruled by node 9; node 10 has no element either.
std::string cube_with(const std::string& constraint, const std::string& in_step) {
  return test::cube +
         "*NODE\n9,.5,.5,3\n10\n*SURFACE,NAME=ROOF\n1,S2\n*SURFACE,NAME=POINTS,TYPE=NODE\nTOP\n" +
         constraint + "*STEP\n*STATIC\n" + in_step + "*NODE FILE\nU,RF\n*END STEP\n";
}

const std::string body = "*RIGID BODY,NSET=TOP,REF NODE=9,ROT NODE=10\n";

/// Forces of the supports and their moments about the origin, with all that the supports balance.
std::array<double, 6> supports(const test::DeckRun& run) {
  std::array<double, 6> sum{};
  for (const int node : {1, 2, 3, 4}) {
    const std::array<double, 3> x{node == 2 || node == 3 ? 1.0 : 0.0, node > 2 ? 1.0 : 0.0, 0.0};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const std::size_t m = (k + 2) % 3;
      sum[k] += run.at_node("RF", node, static_cast<int>(k));
      sum[3 + k] += x[l] * run.at_node("RF", node, static_cast<int>(m)) -
                    x[m] * run.at_node("RF", node, static_cast<int>(l));
    }
  }
  return sum;
}

/// A force along x and a moment about z on node 9, (.5, .5, 3).
void expect_balance(const test::DeckRun& run, double force, double moment) {
  const std::array<double, 6> sum = supports(run);
  const std::array<double, 6> right{-force, 0, 0, 0, -3 * force, .5 * force - moment};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(sum[i], right[i], 1e-8) << i;
}

void expect_rigid(const test::DeckRun& run) {
  for (const int node : {5, 6, 7, 8}) {
    const std::array<double, 3> r{(node == 6 || node == 7 ? 1 : 0) - .5, (node > 6 ? 1 : 0) - .5, -2};
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3;
      const int m = (k + 2) % 3;
      const double turned = run.at_node("U", 10, l) * r[static_cast<std::size_t>(m)] -
                            run.at_node("U", 10, m) * r[static_cast<std::size_t>(l)];
      EXPECT_NEAR(run.at_node("U", node, k), run.at_node("U", 9, k) + turned, 1e-14) << node;
    }
  }
}

TEST(RigidBody, LoadsOnItsNodesAreCarriedToTheSupports) {
  const test::DeckRun run = test::run_deck_text(cube_with(body, "*CLOAD\n9,1,2\n10,3,5\n"));
  expect_rigid(run);
  expect_balance(run, 2, 5);
  EXPECT_GT(run.at_node("U", 10, 2), 0);
  EXPECT_NEAR(run.at_node("RF", 9, 0), 2, 1e-9);
  EXPECT_NEAR(run.at_node("RF", 10, 2), 5, 1e-9);
}

TEST(RigidBody, RotationsOfTheReferenceNodeAreThoseOfTheOther) {
  const test::DeckRun own =
      test::run_deck_text(cube_with(body, "*CLOAD\n9,1,2\n10,3,5\n*BOUNDARY\n10,1,1,.001\n"));
  const test::DeckRun same =
      test::run_deck_text(cube_with(body, "*CLOAD\n9,1,2\n9,6,5\n*BOUNDARY\n9,4,4,.001\n"));
  const test::DeckRun hidden = test::run_deck_text(
      cube_with("*RIGID BODY,NSET=TOP,REF NODE=9\n", "*CLOAD\n9,1,2\n9,6,5\n*BOUNDARY\n9,4,4,.001\n"));
  expect_rigid(own);
  EXPECT_NEAR(own.at_node("U", 10, 0), 0.001, 1e-15);
  for (const int node : {5, 6, 7, 8, 9}) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(own.at_node("U", node, k), same.at_node("U", node, k)) << node;
      EXPECT_NEAR(own.at_node("U", node, k), hidden.at_node("U", node, k), 1e-15) << node;
    }
  }
}

TEST(RigidBody, WithoutANodeOfItsOwnItTurnsAboutTheOrigin) {
  const std::string step = "*CLOAD\n7,1,2\n";
  const test::DeckRun given = test::run_deck_text(cube_with(body, step));
  const test::DeckRun bare = test::run_deck_text(cube_with("*RIGID BODY,NSET=TOP\n", step));
  for (const int node : {5, 6, 7, 8}) {
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(given.at_node("U", node, k), bare.at_node("U", node, k), 1e-12) << node;
  }
}

TEST(RigidBody, LocalAxesDoNotChangeTheAnswer) {
  const std::string axes = "*NSET,NSET=TURNED\n5,7,9,10\n*TRANSFORM,NSET=TURNED,TYPE=R\n1,1,0,-1,1,.5\n";
  const test::DeckRun plain = test::run_deck_text(cube_with(body, "*CLOAD\n6,1,2\n8,3,5\n"));
  const test::DeckRun local = test::run_deck_text(cube_with(body + axes, "*CLOAD\n6,1,2\n8,3,5\n"));
  for (const int node : {5, 6, 7, 8, 9, 10}) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(plain.at_node("U", node, k), local.at_node("U", node, k), 1e-14) << node;
      EXPECT_NEAR(plain.at_node("RF", node, k), local.at_node("RF", node, k), 1e-9) << node;
    }
  }
}

TEST(RigidBody, KinematicCouplingIsOne) {
  const std::string step = "*CLOAD\n9,1,2\n9,6,5\n";
  const test::DeckRun rigid = test::run_deck_text(cube_with("*RIGID BODY,NSET=TOP,REF NODE=9\n", step));
  for (const std::string surface : {"ROOF", "POINTS"}) {
    const test::DeckRun coupled = test::run_deck_text(
        cube_with("*COUPLING,CONSTRAINT NAME=C,REF NODE=9,SURFACE=" + surface + "\n*KINEMATIC\n1,3\n", step));
    for (const int node : {5, 6, 7, 8, 9}) {
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(coupled.at_node("U", node, k), rigid.at_node("U", node, k), 1e-14) << node;
    }
  }
}

TEST(RigidBody, KinematicCouplingLeavesOtherDirectionsFree) {
  const test::DeckRun run = test::run_deck_text(cube_with(
      "*COUPLING,CONSTRAINT NAME=C,REF NODE=9,SURFACE=ROOF\n*KINEMATIC\n3\n", "*CLOAD\n9,3,-100\n"));
  for (const int node : {5, 6, 7, 8}) EXPECT_NEAR(run.at_node("U", node, 2), run.at_node("U", 9, 2), 1e-14);
  EXPECT_GT(run.at_node("U", 6, 0), run.at_node("U", 5, 0));  // it bulges
}

TEST(RigidBody, DistributingCouplingCarriesForcesAndMomentsAndHoldsNothing) {
  const std::string coupling = "*COUPLING,CONSTRAINT NAME=C,REF NODE=9,SURFACE=ROOF\n*DISTRIBUTING\n1,6\n";
  const test::DeckRun run = test::run_deck_text(cube_with(coupling, "*CLOAD\n9,1,2\n9,6,5\n"));
  expect_balance(run, 2, 5);
  // The force is in the middle above: a quarter to each node and a couple of forces along z.
  const test::DeckRun pulled = test::run_deck_text(cube_with(coupling, "*CLOAD\n9,3,8\n"));
  const test::DeckRun plain = test::run_deck_text(cube_with("", "*CLOAD\nTOP,3,2\n"));
  double mean = 0;
  for (const int node : {5, 6, 7, 8}) {
    mean += pulled.at_node("U", node, 2) / 4;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(pulled.at_node("U", node, k), plain.at_node("U", node, k), 1e-15) << node;
  }
  EXPECT_NEAR(pulled.at_node("U", 9, 2), mean, 1e-15);
}

TEST(RigidBody, AMeanDisplacementMayBeLoadedOrPrescribed) {
  const std::string coupling =
      "*ELEMENT,TYPE=DCOUP3D,ELSET=C\n50,9\n*DISTRIBUTING COUPLING,ELSET=C\n5,1.\n6,1.\n7,2.\n8,4.\n";
  const test::DeckRun loaded = test::run_deck_text(cube_with(coupling, "*CLOAD\n9,3,8\n"));
  const test::DeckRun plain = test::run_deck_text(cube_with("", "*CLOAD\n5,3,1\n6,3,1\n7,3,2\n8,3,4\n"));
  for (const int node : {5, 6, 7, 8})
    EXPECT_NEAR(loaded.at_node("U", node, 2), plain.at_node("U", node, 2), 1e-15);
  const test::DeckRun held = test::run_deck_text(cube_with(coupling, "*BOUNDARY\n9,3,3,.01\n"));
  EXPECT_NEAR((held.at_node("U", 5, 2) + held.at_node("U", 6, 2) + 2 * held.at_node("U", 7, 2) +
               4 * held.at_node("U", 8, 2)) /
                  8,
              0.01, 1e-14);
}

TEST(RigidBody, WrongOnesAreRefused) {
  const auto refused = [](const std::string& constraint, const std::string& step = "") {
    return test::refusal_of_deck(cube_with(constraint, step));
  };
  EXPECT_THAT(refused("*RIGID BODY,REF NODE=9\n"), HasSubstr("*RIGID BODY without NSET and ELSET"));
  EXPECT_THAT(refused("*RIGID BODY,NSET=TOP,ELSET=EALL\n"), HasSubstr("both NSET and ELSET"));
  EXPECT_THAT(refused("*RIGID BODY,NSET=TOP,REF NODE=9,ROT NODE=9\n"),
              HasSubstr("both REF NODE and ROT NODE"));
  EXPECT_THAT(
      refused("*RIGID BODY,NSET=TOP,REF NODE=9,ROT NODE=7\n"),
      HasSubstr("the node of the rotations, 7, belongs to element 1; give a node that no element has"));
  EXPECT_THAT(refused(body + body), HasSubstr("node 9 is the REF NODE of another body"));
  EXPECT_THAT(
      refused("*RIGID BODY,NSET=NALL,REF NODE=9,ROT NODE=10\n"),
      HasSubstr("node 1, direction 1 is prescribed or tied already, at deck.inp:22; prescribe the REF NODE"));
  EXPECT_THAT(refused("*COUPLING,CONSTRAINT NAME=C,REF NODE=9,SURFACE=ROOF\n"),
              HasSubstr("*COUPLING without *KINEMATIC and *DISTRIBUTING"));
  EXPECT_THAT(refused("*KINEMATIC\n1,3\n"), HasSubstr("*KINEMATIC does not follow a *COUPLING"));
  const std::string coupling = "*COUPLING,CONSTRAINT NAME=C,REF NODE=9,SURFACE=ROOF\n";
  EXPECT_THAT(refused(coupling + "*KINEMATIC\n"), HasSubstr("*KINEMATIC without degrees of freedom"));
  EXPECT_THAT(refused(coupling + "*KINEMATIC\n1,6\n"),
              HasSubstr("degrees of freedom from 1 to 6; they are from 1 to 3"));
  EXPECT_THAT(refused(coupling + "*DISTRIBUTING\n1,6\n", "*BOUNDARY\n9,1,1\n"),
              HasSubstr("its REF NODE is prescribed or tied by another constraint"));
  EXPECT_THAT(refused("*COUPLING,CONSTRAINT NAME=C,REF NODE=9,SURFACE=POINTS\n*DISTRIBUTING\n"),
              HasSubstr("surface POINTS is one of nodes"));
  EXPECT_THAT(refused("*DISTRIBUTING COUPLING,ELSET=EALL\n5,1\n"),
              HasSubstr("does not hold one DCOUP3D element"));
}

}  // namespace
}  // namespace setka
