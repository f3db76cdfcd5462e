// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka {
namespace {

using model::ElementType;
using ::testing::HasSubstr;

std::array<double, 3> cube(double s, double t, double r) {
  return {s, t, r};
}

/// A bar under tension along x, held so that it may contract.
model::Model tension_bar(ElementType type) {
  model::Model model = test::block_model({4, 2, 2}, type, cube, 1000, 0.3);
  for (const auto n :
       test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 0); }))
    test::prescribe(model, n, 1, 0);
  for (const auto n :
       test::nodes_where(model.mesh, [](double, double y, double) { return test::near(y, 0); }))
    test::prescribe(model, n, 2, 0);
  for (const auto n :
       test::nodes_where(model.mesh, [](double, double, double z) { return test::near(z, 0); }))
    test::prescribe(model, n, 3, 0);
  test::press(model, -5, [](double x, double, double) { return test::near(x, 1); });
  return model;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Static, TensionIsExact) {
  for (const ElementType type : {deck::element("C3D4"), deck::element("C3D6"), deck::element("C3D8"),
                                 deck::element("C3D8I"), deck::element("C3D8R"), deck::element("C3D10"),
                                 deck::element("C3D15"), deck::element("C3D20"), deck::element("C3D20R")}) {
    const model::Model model = tension_bar(type);
    const model::Frame frame = test::solve(model);
    for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
      const auto x = model.mesh.coordinates(n);
      EXPECT_NEAR(test::value_at(frame, "U", n, 0), 0.005 * x[0], 1e-9) << deck::name(type);
      EXPECT_NEAR(test::value_at(frame, "U", n, 1), -0.0015 * x[1], 1e-9) << deck::name(type);
    }
    const model::PointField* stress = frame.point_field("S");
    ASSERT_NE(stress, nullptr);
    for (std::size_t p = 0; p < stress->values.size() / 6; ++p) {
      EXPECT_NEAR(stress->values[6 * p], 5, 1e-6) << deck::name(type);
      EXPECT_NEAR(stress->values[6 * p + 1], 0, 1e-6) << deck::name(type);
    }
  }
}

TEST(Static, SameBitsAtEveryRunAndForEveryNumberOfThreads) {
  const model::Model model = tension_bar(deck::element("C3D20R"));
  const std::vector<double> first = test::solve(model, 1).node_field("U")->values;
  for (int run = 0; run < 12; ++run) {
    const std::vector<double> again = test::solve(model, 1 + run % 4).node_field("U")->values;
    EXPECT_EQ(std::memcmp(again.data(), first.data(), first.size() * sizeof(double)), 0) << "run " << run;
  }
}

TEST(Static, ManyStepsAreOneStage) {
  // Each stage is looked for among those beside it: as many as steps would make time grow with their square.
  model::Model model = test::block_model({1, 1, 1}, deck::element("C3D8"), cube, 1000, 0.3);
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    for (int k = 1; k <= 3; ++k) test::prescribe(model, n, k, 0);
  }
  const auto stages = [&](std::size_t steps) {
    model.steps.resize(steps, model.steps.front());
    Monitor monitor;
    const analysis::Setup setup = analysis::prepare(model, monitor);
    std::size_t frames = 0;
    analysis::run_steps(
        setup, analysis::Computing::on_cpu(1), [&](const auto&, const auto&) { ++frames; }, monitor);
    EXPECT_EQ(frames, steps);
    std::vector<std::string> names;
    for (const StageTime& part : monitor.times().parts) names.push_back(part.name);
    return names;
  };
  EXPECT_THAT(stages(2), ::testing::ElementsAre("check the elements", "solids", "step 1", "step 2"));
  EXPECT_THAT(stages(300), ::testing::ElementsAre("check the elements", "solids", "steps"));
}

TEST(Static, AnUnheldModelNamesItsFreeMotions) {
  model::Model model = test::block_model({2, 1, 1}, deck::element("C3D8"), cube, 1000, 0.3);
  test::press(model, 1, [](double x, double, double) { return test::near(x, 1); });
  EXPECT_EQ(refusal([&] { test::solve(model); }),
            "the model is not held: free to move by rotation about z, rotation about y, rotation about x, "
            "translation along z, translation along y and translation along x, and the loads would set it "
            "moving; add *BOUNDARY that holds it");
  const auto corner =
      test::nodes_where(model.mesh, [](double x, double y, double z) { return x + y + z < 1e-9; });
  for (int k = 1; k <= 3; ++k) test::prescribe(model, corner.at(0), k, 0);
  EXPECT_EQ(
      refusal([&] { test::solve(model); }),
      "the model is not held: free to move by rotation about z, rotation about y and rotation about x, and "
      "the loads would set it moving; add *BOUNDARY that holds it");
}

TEST(Static, ConjugateGradientsGiveTheAnswerOfAFactorisation) {
  const model::Model model = tension_bar(deck::element("C3D20R"));
  const std::vector<double> direct = test::solve(model).node_field("U")->values;
  for (const auto kind : {"jacobi", "block-jacobi", "fsai", "amg"}) {
    analysis::Computing computing = analysis::Computing::on_cpu(2);
    computing.solver = {solve::Method::cg, kind, 1e-12, 1000};
    const std::vector<double> iterated = test::solve(model, computing).node_field("U")->values;
    const double largest = *std::ranges::max_element(direct);
    for (std::size_t i = 0; i < direct.size(); ++i) EXPECT_NEAR(iterated[i], direct[i], 1e-8 * largest);
  }
}

TEST(Static, AnElementInsideOutIsNamed) {
  const model::Model model = test::block_model(
      {1, 1, 1}, deck::element("C3D8"),
      [](double s, double t, double r) -> std::array<double, 3> {
        return {s, t, -r};
      },
      1000, 0.3);
  EXPECT_THAT(refusal([&] { test::solve(model); }),
              HasSubstr("element 1 (C3D8) is inside out; check the order"));
}

TEST(Static, ElementsWithoutVolumeAreCounted) {
  const model::Model model = test::block_model(
      {3, 1, 1}, deck::element("C3D20R"),
      [](double s, double t, double r) -> std::array<double, 3> {
        return {std::min(s, 1.0 / 3), t, r};  // the second and the third element are pressed flat
      },
      1000, 0.3);
  EXPECT_EQ(
      refusal([&] { test::solve(model); }),
      "2 elements have no proper shape: 2 (C3D20R) is flat and 3 (C3D20R) is flat; check the order and the "
      "places of their nodes");
}

TEST(Static, AxisymmetricElementsMayLieOnTheAxis) {
  // A full disc under pressure at its rim: the stress is the same everywhere, u = -p (1 - nu) r / E.
  model::Model model = test::block_model({4, 2, 0}, deck::element("CAX8"), cube, 1000, 0.3);
  for (const auto n :
       test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 0); }))
    test::prescribe(model, n, 1, 0);
  for (const auto n :
       test::nodes_where(model.mesh, [](double, double y, double) { return test::near(y, 0); }))
    test::prescribe(model, n, 2, 0);
  test::press(model, 2, [](double x, double, double) { return test::near(x, 1); });
  const model::Frame frame = test::solve(model);
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    // The layer of two degrees is a chord where the disc is an arc: a share of 1 - cos(1 degree).
    EXPECT_NEAR(test::value_at(frame, "U", n, 0), -2 * 0.7 / 1000 * model.mesh.coordinates(n)[0], 3e-7);
  }
}

TEST(Static, AnIncompressibleMaterialIsRefused) {
  const model::Model model = test::block_model({1, 1, 1}, deck::element("C3D8"), cube, 1000, 0.5);
  EXPECT_THAT(refusal([&] { test::solve(model); }), HasSubstr("not positive definite"));
}

TEST(Static, TwoValuesForOneUnknownAreRefused) {
  model::Model model = tension_bar(deck::element("C3D8"));
  const std::int32_t node = model.steps.back().prescribed.front().node;
  test::prescribe(model, node, 1, 0.5);
  EXPECT_THAT(refusal([&] { test::solve(model); }), HasSubstr("is prescribed twice: 0.5 here and 0 at"));
}

TEST(Static, ReactionsBalanceTheLoad) {
  model::Model model = tension_bar(deck::element("C3D20"));
  model.steps.back().output.front().variables.emplace_back("RF");
  const model::Frame frame = test::solve(model);
  double left = 0;
  double total = 0;
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    total += test::value_at(frame, "RF", n, 0);
    if (test::near(model.mesh.coordinates(n)[0], 0)) left += test::value_at(frame, "RF", n, 0);
  }
  EXPECT_NEAR(left, -5, 1e-9);
  EXPECT_NEAR(total, 0, 1e-9);
}

}  // namespace
}  // namespace setka
