// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"
#include "setka/solve/preconditioner.hpp"
#include "support/on_device.hpp"

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
