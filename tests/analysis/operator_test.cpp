// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/preconditioner.hpp"
#include "support/on_device.hpp"
#include "support/on_team.hpp"

namespace setka {
namespace {

using analysis::OperatorKind;
using model::ElementType;

class OperatorOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(OperatorOn);

/// A bar that is bent, pulled by a prescribed displacement, and warm.
model::Model pulled_bar(ElementType type) {
  model::Model model = test::block_model(
      {5, 2, 2}, type,
      [](double s, double t, double r) {
        return std::array<double, 3>{3 * s, t + 0.3 * s * s, r};
      },
      1000, 0.3);
  for (const auto n :
       test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 0); })) {
    for (int k = 1; k <= 3; ++k) test::prescribe(model, n, k, 0);
  }
  for (const auto n :
       test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 3); }))
    test::prescribe(model, n, 1, 0.01);
  test::warm(model, 1e-4, [](double x, double, double) { return 10 * x; });
  return model;
}

/// Held against the assembled matrix on the CPU, whose answers are those of a factorisation (static_test).
void expect_as_assembled(const model::Model& model, const exec::Device& device, OperatorKind kind,
                         const std::string& preconditioning) {
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  computing.solver = {solve::Method::cg, "jacobi", 1e-12, 5000};
  const std::vector<double> direct = test::solve(model, computing).node_field("U")->values;
  computing.device = device;
  computing.solver = {solve::Method::cg, preconditioning, 1e-12, 5000};
  computing.operator_kind = kind;
  const std::vector<double> iterated = test::solve(model, computing).node_field("U")->values;
  const double largest = *std::ranges::max_element(direct);
  for (std::size_t i = 0; i < direct.size(); ++i) ASSERT_NEAR(iterated[i], direct[i], 1e-8 * largest);
}

TEST_P(OperatorOn, every_operator_gives_the_same_answer) {
  for (const ElementType type : {deck::element("C3D8"), deck::element("C3D10"), deck::element("C3D20R")}) {
    const model::Model model = pulled_bar(type);
    for (const OperatorKind kind :
         {OperatorKind::assembled, OperatorKind::elements, OperatorKind::matrix_free}) {
      for (const solve::PreconditionerKind& one : solve::preconditioners()) {
        SCOPED_TRACE(::testing::Message() << deck::name(type) << ", operator " << static_cast<int>(kind)
                                          << ", preconditioner " << one.word);
        expect_as_assembled(model, device(), kind, std::string(one.word));
      }
    }
  }
}

/// D differs from point to point, by the temperature there. (C3D8 has one temperature.)
TEST_P(OperatorOn, materials_that_vary_within_elements) {
  for (const ElementType type : {deck::element("C3D10"), deck::element("C3D20R")}) {
    model::Model model = pulled_bar(type);
    model.materials.front().elastic = {{0, {1000, 0.3}}, {30, {500, 0.2}}};
    for (const OperatorKind kind :
         {OperatorKind::assembled, OperatorKind::elements, OperatorKind::matrix_free}) {
      SCOPED_TRACE(::testing::Message() << deck::name(type) << ", operator " << static_cast<int>(kind));
      expect_as_assembled(model, device(), kind, "block-jacobi");
    }
  }
}

/// Plane elements are tied to their plane by equations, which are assembled on the host.
TEST_P(OperatorOn, constraints_that_mix_unknowns) {
  model::Model model = test::block_model(
      {6, 3, 0}, deck::element("CPS4"),
      [](double s, double t, double) {
        return std::array<double, 3>{3 * s, t, 0};
      },
      1000, 0.3);
  for (const auto n :
       test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 0); })) {
    for (int k = 1; k <= 2; ++k) test::prescribe(model, n, k, 0);
  }
  test::press(model, -5, [](double x, double, double) { return test::near(x, 3); });
  for (const OperatorKind kind : {OperatorKind::assembled, OperatorKind::elements}) {
    for (const char* const preconditioning : {"jacobi", "block-jacobi", "amg"})
      expect_as_assembled(model, device(), kind, preconditioning);
  }
}

class OperatorOnTeam : public test::OnTeam {};
SETKA_ON_ALL_DEVICES(OperatorOnTeam);

struct Solved {
  std::vector<double> u;
  solve::SolveReport report;
};

Solved solved_by(const model::Model& model, const analysis::Computing& computing) {
  Monitor monitor;
  const analysis::Setup setup = analysis::prepare(model, monitor);
  Solved found;
  const auto steps = analysis::run_steps(
      setup, computing,
      [&](const model::Step&, const model::Frame& frame) { found.u = frame.node_field("U")->values; },
      monitor);
  found.report = steps.front().solved;
  return found;
}

/// By one device, and by three with stored matrices or two without, element by element.
void expect_as_one(const model::Model& model, analysis::Computing computing,
                   const std::function<exec::Team(int members)>& team) {
  computing.solver.tolerance = 1e-10;
  for (const OperatorKind kind : {OperatorKind::elements, OperatorKind::matrix_free}) {
    const bool stored = kind == OperatorKind::elements;
    const std::vector<const char*> of_kind =
        stored ? std::vector{"jacobi", "block-jacobi"} : std::vector{"chebyshev"};
    for (const char* const preconditioning : of_kind) {
      computing.operator_kind = kind;
      computing.solver.method = solve::Method::cg;
      computing.solver.preconditioner = preconditioning;
      computing.team.reset();
      const Solved alone = solved_by(model, computing);
      ASSERT_TRUE(alone.report.converged);
      double largest = 0;
      for (const double value : alone.u) largest = std::max(largest, std::abs(value));
      ASSERT_GT(largest, 0.0);
      SCOPED_TRACE(::testing::Message() << "operator " << static_cast<int>(kind) << ", " << preconditioning);
      computing.team = team(stored ? 3 : 2);
      const Solved found = solved_by(model, computing);
      EXPECT_TRUE(found.report.converged) << found.report.trouble;
      EXPECT_EQ(found.report.matrix_entries, 0);
      // Fewer where nothing else holds a body: a team's polynomial knows of the springs that do.
      EXPECT_LE(found.report.iterations, alone.report.iterations + 2 + alone.report.iterations / 10);
      ASSERT_EQ(found.u.size(), alone.u.size());
      for (std::size_t i = 0; i < alone.u.size(); ++i)
        ASSERT_NEAR(found.u[i], alone.u[i], 1e-7 * largest) << i;
    }
  }
}

TEST_P(OperatorOnTeam, several_devices_multiply_as_one) {
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  computing.device = device();
  for (const ElementType type : {deck::element("C3D8"), deck::element("C3D10"), deck::element("C3D20R")}) {
    SCOPED_TRACE(deck::name(type));
    expect_as_one(pulled_bar(type), computing, [&](int members) { return team(members); });
  }
  model::Model varying = pulled_bar(deck::element("C3D10"));
  varying.materials.front().elastic = {{0, {1000, 0.3}}, {30, {500, 0.2}}};
  {
    SCOPED_TRACE("materials that vary within elements");
    expect_as_one(varying, computing, [&](int members) { return team(members); });
  }
  // A layer of solids, whose nodes move together across its thickness.
  model::Model plane = test::block_model(
      {6, 3, 0}, deck::element("CPS4"),
      [](double s, double t, double) {
        return std::array<double, 3>{3 * s, t, 0};
      },
      1000, 0.3);
  for (const double end : {0.0, 3.0}) {
    for (const auto n :
         test::nodes_where(plane.mesh, [&](double x, double, double) { return test::near(x, end); })) {
      for (int k = 1; k <= 2; ++k) test::prescribe(plane, n, k, k == 1 ? end / 100 : 0);
    }
  }
  SCOPED_TRACE("plane elements");
  expect_as_one(plane, computing, [&](int members) { return team(members); });
}

/// Loads that balance drive none of the motions of a free body, which springs hold.
TEST_P(OperatorOnTeam, several_devices_hold_what_is_free) {
  model::Model model = test::block_model(
      {6, 2, 2}, deck::element("C3D8"),
      [](double s, double t, double r) {
        return std::array<double, 3>{3 * s, t, r};
      },
      1000, 0.3);
  test::press(model, -5, [](double x, double, double) { return test::near(x, 3); });
  test::press(model, -5, [](double x, double, double) { return test::near(x, 0); });
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  computing.device = device();
  expect_as_one(model, computing, [&](int members) { return team(members); });
}

TEST_P(OperatorOnTeam, what_parts_cannot_do_is_refused) {
  const auto refusal = [&](const model::Model& model, OperatorKind kind, const char* preconditioning,
                           int members) -> std::string {
    analysis::Computing computing = analysis::Computing::on_cpu(1);
    computing.device = device();
    computing.operator_kind = kind;
    computing.team = team(members);
    computing.solver = {solve::Method::cg, preconditioning, 1e-8, 5000};
    try {
      test::solve(model, computing);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return error.what();
    }
    return "nothing was thrown";
  };
  const model::Model bar = pulled_bar(deck::element("C3D8"));
  EXPECT_EQ(refusal(bar, OperatorKind::elements, "amg", 2),
            "--preconditioner amg is made of an assembled matrix, and several devices or processes that "
            "multiply element by element assemble none; give jacobi, block-jacobi or chebyshev, or use "
            "--operator assembled");
  EXPECT_EQ(
      refusal(bar, OperatorKind::matrix_free, "auto", 21),
      "--operator: the model cannot be shared out: it has fewer elements (20) than there are devices or "
      "processes (21); use --operator assembled, or one device in one process");
}

TEST(Operator, what_needs_a_matrix_says_so) {
  const model::Model model = pulled_bar(deck::element("C3D8"));
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  computing.operator_kind = OperatorKind::elements;
  computing.solver.method = solve::Method::cholesky;
  EXPECT_THAT([&] { test::solve(model, computing); },
              ::testing::ThrowsMessage<Error>("--operator: a factorisation needs the assembled matrix; use "
                                              "--operator assembled"));
  EXPECT_THAT([] { analysis::operator_of("dense"); },
              ::testing::ThrowsMessage<Error>(
                  "'dense' is no operator; give auto, assembled, elements or matrix-free"));
}

}  // namespace
}  // namespace setka
