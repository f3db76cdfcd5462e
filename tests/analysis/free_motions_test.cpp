// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/analysis/free_motions.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/deck/inp.hpp"
#include "setka/model/element_type.hpp"

namespace setka {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> motions(const model::Model& model) {
  const analysis::Setup setup = analysis::set_up(model);
  analysis::LoadState loads(model);
  loads.begin(model.steps.front(), {});
  std::vector<std::string> texts;
  for (const auto& motion : analysis::free_motions(setup, analysis::user_constraints(setup, loads, 1, 1)))
    texts.push_back(motion.text);
  return texts;
}

std::array<double, 3> place(double s, double t, double r) {
  return {s, t, r};
}

/// Nodes and elements of a second cube beside the first, of which it shares none; returns its first node.
std::int32_t add_cube(model::Model& model, double x) {
  const std::int32_t first = model.mesh.node_count();
  std::array<std::int32_t, 8> nodes{};
  for (std::int32_t i = 0; i < 8; ++i) {
    const bool right = i % 4 == 1 || i % 4 == 2;
    nodes[static_cast<std::size_t>(i)] =
        model.mesh.add_node(1000 + first + i, x + (right ? 1 : 0), i % 4 >= 2 ? 1 : 0, i >= 4 ? 1 : 0);
  }
  model.element_sets[0].elements.push_back(
      model::add_element(model.mesh, 500 + first, deck::element("C3D8"), nodes));
  return first;
}

model::Model one_cube() {
  return test::block_model({1, 1, 1}, deck::element("C3D8"), place, 1000, 0.3);
}

/// The node at a place; where cubes touch, that of the first.
std::int32_t node_at(const model::Model& model, double x, double y, double z) {
  return test::nodes_where(model.mesh,
                           [&](double a, double b, double c) {
                             return test::near(a, x) && test::near(b, y) && test::near(c, z);
                           })
      .at(0);
}

void hold(model::Model& model, std::int32_t node) {
  for (int k = 1; k <= 3; ++k) test::prescribe(model, node, k, 0);
}

void hold_first_cube(model::Model& model) {
  for (std::int32_t n = 0; n < 8; ++n) hold(model, n);
}

void tie(model::Model& model, std::int32_t node, int direction, std::int32_t to) {
  model::Equation equation;
  equation.terms = {{node, direction, 1}, {to, direction, -1}};
  model.equations.push_back(equation);
}

TEST(FreeMotions, OfOneBody) {
  model::Model model = one_cube();
  EXPECT_THAT(motions(model), ElementsAre("the model is not held: free to move by rotation about z, rotation "
                                          "about y, rotation about x, translation along z, translation "
                                          "along y and translation along x"));
  hold(model, node_at(model, 0, 0, 0));
  hold(model, node_at(model, 1, 0, 0));
  EXPECT_THAT(motions(model), ElementsAre("the model is not held: free to move by rotation about x"));
  test::prescribe(model, node_at(model, 0, 1, 0), 3, 0);
  EXPECT_THAT(motions(model), IsEmpty());
}

TEST(FreeMotions, OfEachPart) {
  model::Model model = one_cube();
  hold_first_cube(model);
  const std::int32_t second = add_cube(model, 5);
  for (std::int32_t n = second; n < second + 8; ++n) {
    test::prescribe(model, n, 2, 0);
    test::prescribe(model, n, 3, 0);
  }
  EXPECT_THAT(motions(model),
              ElementsAre("the part with element 508 (1 element) is not held: free to move by translation "
                          "along x"));
}

TEST(FreeMotions, EquationsTieParts) {
  model::Model model = one_cube();
  const std::int32_t second = add_cube(model, 1);
  for (std::int32_t i = 0; i < 8; ++i) {
    for (int k = 1; k <= 3; ++k) {
      if (i == 1 || i == 2 || i == 5 || i == 6) continue;  // its left face alone lies on the first cube
      const auto x = model.mesh.coordinates(second + i);
      tie(model, second + i, k, node_at(model, x[0], x[1], x[2]));
    }
  }
  ASSERT_EQ(model.equations.size(), 12U);
  EXPECT_THAT(motions(model).front(), HasSubstr("the model is not held: free to move by rotation about z, "));
  EXPECT_THAT(motions(model).front(), ::testing::Not(HasSubstr("against one another")));
  hold(model, node_at(model, 0, 0, 0));
  hold(model, node_at(model, 0, 1, 0));
  hold(model, node_at(model, 0, 0, 1));
  EXPECT_THAT(motions(model), IsEmpty()) << "the first holds the second";
}

TEST(FreeMotions, PartsTiedLooselyMoveAgainstOneAnother) {
  model::Model model = one_cube();
  for (const auto& [y, z] : {std::pair{0, 0}, {1, 0}, {0, 1}}) hold(model, node_at(model, 0, y, z));
  const std::int32_t second = add_cube(model, 1);
  for (int k = 1; k <= 3; ++k) tie(model, second, k, node_at(model, 1, 0, 0));  // a ball joint
  EXPECT_THAT(motions(model),
              ElementsAre("the model is held, but its parts are free to move against one another in 3 ways"));
}

TEST(FreeMotions, ANodeWithoutElementMovesAsEquationsSay) {
  // The cube's four left nodes all move along x as a node that no element has, at another height.
  model::Model model = one_cube();
  const std::int32_t extra = model.mesh.add_node(77, 0, 9, 9);
  const auto left =
      test::nodes_where(model.mesh, [](double x, double y, double) { return test::near(x, 0) && y < 2; });
  ASSERT_EQ(left.size(), 4U);
  for (const std::int32_t n : left) {
    tie(model, n, 1, extra);
    test::prescribe(model, n, 2, 0);
    test::prescribe(model, n, 3, 0);
  }
  EXPECT_THAT(motions(model), ElementsAre("the model is not held: free to move by translation along x"));
  test::prescribe(model, extra, 1, 0);
  EXPECT_THAT(motions(model), IsEmpty());
}

TEST(FreeMotions, OwnDirectionsOfNodesCount) {
  // All nodes are held along one axis that is askew: what is left is the motion across it.
  model::Model model = one_cube();
  model.node_sets.push_back({"N", {0, 1, 2, 3, 4, 5, 6, 7}});
  model::Transform transform;
  transform.node_set = 0;
  transform.system.a = {1, 1, 0};
  transform.system.b = {-1, 1, 0};
  model.transforms.push_back(transform);
  for (std::int32_t n = 0; n < 8; ++n) {
    test::prescribe(model, n, 1, 0);
    test::prescribe(model, n, 3, 0);
  }
  EXPECT_THAT(motions(model),
              ElementsAre("the model is not held: free to move by translation along x and y"));
  test::prescribe(model, 0, 2, 0);
  EXPECT_THAT(motions(model), IsEmpty());
}

TEST(FreeMotions, OfPlaneAndAxisymmetricModels) {
  const model::Model plate = test::block_model({1, 1, 0}, deck::element("CPS4"), place, 1000, 0.3);
  EXPECT_THAT(motions(plate), ElementsAre("the model is not held: free to move by rotation about z, "
                                          "translation along y and translation along x"));
  const model::Model ring = test::block_model(
      {1, 1, 0}, deck::element("CAX4"),
      [](double s, double t, double) -> std::array<double, 3> {
        return {1 + s, t, 0};
      },
      1000, 0.3);
  EXPECT_THAT(motions(ring), ElementsAre("the model is not held: free to move by translation along y"));
}

TEST(FreeMotions, ABarNeedNotBeHeldAgainstTurningAboutItself) {
  const std::string bar =
      "*NODE,NSET=N\n1,0,0,0\n2,3,4,0\n*ELEMENT,TYPE=SPRINGA,ELSET=S\n1,1,2\n*SPRING,ELSET=S\n\n50\n";
  const std::string step = "*STEP\n*STATIC\n*CLOAD\n2,1,1\n*END STEP\n";
  Monitor monitor;
  const auto found = [&](const std::string& held) {
    return motions(deck::read_inp_text(bar + "*BOUNDARY\n" + held + step, "deck.inp", monitor).model);
  };
  EXPECT_THAT(found("1,1,3\n2,2,3\n"), IsEmpty());
  EXPECT_THAT(found("1,1,3\n"), ElementsAre(HasSubstr("free to move by rotation about")));
}

}  // namespace
}  // namespace setka
