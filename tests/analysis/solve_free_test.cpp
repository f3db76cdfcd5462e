// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Models that nothing holds in directions in which no load acts, against what statics says by hand.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "analysis/deck_run.hpp"
#include "setka/base/log.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/on_device.hpp"

namespace setka {
namespace {

using analysis::Computing;
using analysis::OperatorKind;
using solve::Method;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// What was warned of meanwhile.
std::string warnings(const std::function<void()>& action) {
  log::set_level(log::Level::warning);
  ::testing::internal::CaptureStderr();
  try {
    action();
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
  return ::testing::internal::GetCapturedStderr();
}

Computing solver(Method method, const char* preconditioning = "auto",
                 OperatorKind kind = OperatorKind::automatic) {
  Computing computing = Computing::on_cpu(1);
  computing.solver = {method, preconditioning, 1e-12, 5000};
  computing.operator_kind = kind;
  return computing;
}

/// A bar of 3 x 1 x 1 about the x axis, pressed along x at its far end; modulus 1000, Poisson's ratio 0.3.
/// Its near end is led in x: it may move along y and z and turn about x.
model::Model led_bar(model::ElementType type) {
  model::Model model = test::block_model(
      {4, 2, 2}, type,
      [](double s, double t, double r) {
        return std::array<double, 3>{3 * s, t, r};
      },
      1000, 0.3);
  for (const auto n :
       test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 0); }))
    test::prescribe(model, n, 1, 0);
  test::press(model, -5, [](double x, double, double) { return test::near(x, 3); });
  return model;
}

void expect_tension(const model::Model& model, const model::Frame& frame, double tolerance) {
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    const auto x = model.mesh.coordinates(n);
    EXPECT_NEAR(test::value_at(frame, "U", n, 0), 0.005 * x[0], tolerance);
    EXPECT_NEAR(test::value_at(frame, "U", n, 1), -0.0015 * (x[1] - 0.5), tolerance);
    EXPECT_NEAR(test::value_at(frame, "U", n, 2), -0.0015 * (x[2] - 0.5), tolerance);
  }
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    // CalculiX's weights of extrapolation sum to one within 5e-5.
    EXPECT_NEAR(test::value_at(frame, "S", n, 0), 5, 5 * 1e-4 + 1000 * tolerance);
    EXPECT_NEAR(test::value_at(frame, "S", n, 1), 0, 1e-4 + 1000 * tolerance);
  }
}

TEST(SolveFree, ALedBarIsAnsweredAndTheFreeMotionsAreNamed) {
  for (const auto type : {deck::element("C3D8"), deck::element("C3D10"), deck::element("C3D20R")}) {
    const model::Model model = led_bar(type);
    model::Frame frame;
    EXPECT_EQ(
        warnings([&] { frame = test::solve(model); }),
        "setka: warning: the model is not held: free to move by rotation about x, translation along z and "
        "translation along y; no load drives that, and the answer has nothing of it\n");
    expect_tension(model, frame, 1e-9);
  }
}

class SolveFreeOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(SolveFreeOn);

TEST_P(SolveFreeOn, every_solver_answers) {
  const model::Model model = led_bar(deck::element("C3D8"));
  std::vector<Computing> all;
  for (const auto kind : {"jacobi", "block-jacobi", "fsai", "amg"}) all.push_back(solver(Method::cg, kind));
  for (const auto kind : {OperatorKind::elements, OperatorKind::matrix_free}) {
    all.push_back(solver(Method::cg, "jacobi", kind));
    all.push_back(solver(Method::cg, "amg", kind));
  }
  for (Computing& computing : all) {
    computing.device = device();
    model::Frame frame;
    EXPECT_THAT(warnings([&] { frame = test::solve(model, computing); }), HasSubstr("rotation about x"));
    expect_tension(model, frame, 1e-9);
  }
}

TEST(SolveFree, ALoadAlongAFreeMotionIsRefused) {
  const auto refusal = [](const model::Model& model, const Computing& computing) {
    try {
      test::solve(model, computing);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  model::Model model = led_bar(deck::element("C3D8"));
  model::PointLoad load{};
  load.node = 0;
  load.direction = 2;
  load.value = 1e-3;
  model.steps.back().point_loads.push_back(load);
  std::vector<Computing> all{solver(Method::cg, "amg"),
                             solver(Method::cg, "jacobi", OperatorKind::matrix_free)};
  if (solve::Cholesky::available()) all.push_back(solver(Method::cholesky));
  for (const Computing& computing : all) {
    EXPECT_EQ(refusal(model, computing),
              "the model is not held: free to move by rotation about x, translation along z and translation "
              "along y, and the loads would set it moving; add *BOUNDARY that holds it");
  }
  // The same and its opposite are a couple about x where they lie apart, and nothing where they do not.
  load.value = -1e-3;
  const std::int32_t last = model.mesh.node_count() - 1;
  ASSERT_GT(model.mesh.coordinates(last)[2], model.mesh.coordinates(0)[2]);
  load.node = last;
  model.steps.back().point_loads.push_back(load);
  EXPECT_THAT(refusal(model, solver(Method::automatic)), HasSubstr("would set it moving"));
}

TEST(SolveFree, LoadsThatBalanceDeformABodyThatNothingHolds) {
  model::Model model = test::block_model(
      {4, 2, 2}, deck::element("C3D8"),
      [](double s, double t, double r) {
        return std::array<double, 3>{3 * s - 1.5, t, r};
      },
      1000, 0.3);
  test::press(model, -5, [](double x, double, double) { return test::near(std::abs(x), 1.5); });
  for (const Method method : {Method::automatic, Method::cg}) {
    const model::Frame frame = test::solve(model, solver(method));
    expect_tension(model, frame, 1e-9);
  }
}

TEST(SolveFree, AnImbalanceOfTheLastDigitsIsNoMotion) {
  model::Model model = led_bar(deck::element("C3D8"));
  model::PointLoad load{};
  load.direction = 2;
  load.value = 3.333333;
  load.node = 0;
  model.steps.back().point_loads.push_back(load);
  load.value = -3.3333333;
  model.steps.back().point_loads.push_back(load);
  const model::Frame frame = test::solve(model);
  expect_tension(model, frame, 1e-7);
}

/// CalculiX's deck "truss": nothing holds two bars from turning about the line between their supports.
std::string two_bars(const std::string& in_step) {
  return "*NODE,NSET=N\n1,0,0,0\n2,5,0,5\n3,0,0,10\n*ELEMENT,TYPE=T3D2,ELSET=E\n1,1,2\n2,2,3\n*BOUNDARY\n"
         "1,1,3\n3,1,3\n*MATERIAL,NAME=M\n*ELASTIC\n1E7,.3\n*DENSITY\n1e-3\n*SOLID "
         "SECTION,ELSET=E,MATERIAL=M\n"
         ".0625\n*STEP\n*STATIC\n" +
         in_step + "*NODE FILE\nU,RF\n*EL FILE\nS\n*END STEP\n";
}

TEST(SolveFree, BarsThatTurnOutOfTheirPlane) {
  for (const Method method : {Method::automatic, Method::cg}) {
    test::DeckRun run;
    EXPECT_EQ(warnings([&] { run = test::run_deck_text(two_bars("*CLOAD\n2,1,1\n"), solver(method)); }),
              "setka: warning: the model is not held: free to move by rotation about z; no load drives that, "
              "and the answer has nothing of it\n");
    const double tension = 1 / std::sqrt(2.0);
    const double stretch = tension * std::sqrt(50.0) / (1e7 * 0.0625);
    EXPECT_NEAR(run.at_node("U", 2, 0), stretch * std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(run.at_node("U", 2, 1), 0, 1e-12);
    EXPECT_NEAR(run.at_node("U", 2, 2), 0, 1e-12);
    EXPECT_NEAR(run.at_node("RF", 1, 0), -0.5, 1e-9);
    EXPECT_NEAR(run.at_node("S", 1, 0), tension / 0.0625 / 2, 1e-3);
  }
  for (const char* load : {"*CLOAD\n2,1,1\n2,2,1e-3\n", "*DLOAD\nE,GRAV,10,0,-1,0\n"}) {
    EXPECT_THAT(test::refusal_of_deck(two_bars(load)),
                HasSubstr("the model is not held: free to move by rotation about z, and the loads would set "
                          "it moving; add *BOUNDARY that holds it"));
  }
}

TEST(SolveFree, ManyMechanismsAreCounted) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "without a factorisation mechanisms are not looked for";
  // A straight chain of bars between two walls: eleven joints, each free in two directions.
  std::string deck = "*NODE\n";
  for (int n = 0; n <= 12; ++n) deck += std::to_string(n + 1) + "," + std::to_string(n) + ",0,0\n";
  deck += "*ELEMENT,TYPE=T3D2,ELSET=E\n";
  for (int n = 1; n <= 12; ++n)
    deck += std::to_string(n) + "," + std::to_string(n) + "," + std::to_string(n + 1) + "\n";
  deck +=
      "*BOUNDARY\n1,1,3\n13,1,3\n*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*SOLID "
      "SECTION,ELSET=E,MATERIAL=M\n.01\n"
      "*STEP\n*STATIC\n*CLOAD\n7,1,2\n*NODE FILE\nU\n*END STEP\n";
  test::DeckRun run;
  EXPECT_THAT(
      warnings([&] { run = test::run_deck_text(deck); }),
      AllOf(HasSubstr("the model is a mechanism: nothing holds node "), HasSubstr("and 19 more; no load")));
  EXPECT_NEAR(run.at_node("U", 7, 0), 1 * 6 / (1000 * .01), 1e-9);
  EXPECT_NEAR(run.at_node("U", 4, 0), 0.5 * 6 / (1000 * .01), 1e-9);
  EXPECT_NEAR(run.at_node("U", 7, 1), 0, 1e-9);
  deck.replace(deck.find("7,1,2"), 5, "7,2,2");
  EXPECT_THAT(
      test::refusal_of_deck(deck),
      AllOf(HasSubstr("the model is a mechanism: nothing holds node "),
            HasSubstr("and 19 more, and the loads would set it moving; add *BOUNDARY that holds it")));
}

TEST(SolveFree, AKinkAmongBarsIsNamed) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "without a factorisation mechanisms are not looked for";
  // Two bars in one line within a frame that is held: their joint is free across.
  const std::string deck =
      "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n*ELEMENT,TYPE=T3D2,ELSET=E\n1,1,2\n2,2,3\n*MATERIAL,NAME=M\n*"
      "ELASTIC\n"
      "1000,.3\n*SOLID "
      "SECTION,ELSET=E,MATERIAL=M\n.01\n*BOUNDARY\n1,1,3\n3,1,3\n2,3\n*STEP\n*STATIC\n*CLOAD\n"
      "2,1,3\n*NODE FILE\nU\n*END STEP\n";
  for (const Method method : {Method::automatic, Method::cg}) {
    test::DeckRun run;
    EXPECT_EQ(warnings([&] { run = test::run_deck_text(deck, solver(method)); }),
              "setka: warning: the model is a mechanism: nothing holds node 2 along y; no load drives that, "
              "and the "
              "answer has nothing of it\n");
    EXPECT_NEAR(run.at_node("U", 2, 0), 3 / (2 * 1000 * .01), 1e-9);
    EXPECT_NEAR(run.at_node("U", 2, 1), 0, 1e-12);
  }
}

TEST(SolveFree, SpringsHoldWhatTheyWouldStretchFor) {
  const std::string cube =
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8,"
      "ELSET=E\n"
      "1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*SOLID "
      "SECTION,ELSET=E,MATERIAL=M\n*NSET,NSET=A\n"
      "1,2,3,4,5,6,7,8\n*BOUNDARY\nA,2,3\n*ELEMENT,TYPE=SPRING1,ELSET=S\n2,1\n*SPRING,ELSET=S\n";
  const std::string step = "1e-6\n*STEP\n*STATIC\n*CLOAD\nA,1,1\n*NODE FILE\nU\n*END STEP\n";
  // As weak as it is; without a factorisation a matrix of this condition is called singular.
  if (solve::Cholesky::available()) {
    EXPECT_NEAR(test::run_deck_text(cube + "1\n" + step).at_node("U", 7, 0), 8e6, 80);
  }
  EXPECT_THAT(test::refusal_of_deck(cube + "2\n" + step),
              HasSubstr("free to move by translation along x, and the loads would set it moving"));
}

TEST(SolveFree, ABaseShakesABodyThatIsLedInItsDirection) {
  // All modes of one element, which does not contract: what is held besides x does not matter.
  const auto run = [](const std::string& held, int modes) {
    return test::run_deck_text(
        "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
        "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n1000,0\n*DENSITY\n1\n"
        "*SOLID SECTION,ELSET=E,MATERIAL=M\n*NSET,NSET=A\n1,4,5,8\n*BOUNDARY\nA,1\n" +
        held + "*AMPLITUDE,NAME=G\n0,1,1,1\n*STEP\n*FREQUENCY\n" + std::to_string(modes) +
        "\n*END STEP\n*STEP\n*MODAL DYNAMIC\n.01,.2\n*BASE MOTION,DOF=1,AMPLITUDE=G\n*NODE FILE\nU\n*END "
        "STEP\n");
  };
  const double held = run("1,2,3\n5,2\n", 17).at_node("U", 7, 0);
  EXPECT_GT(std::abs(held), 1e-3);
  EXPECT_NEAR(run("", 20).at_node("U", 7, 0), held, 1e-8);
}

}  // namespace
}  // namespace setka
