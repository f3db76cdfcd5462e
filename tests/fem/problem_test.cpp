// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/problem.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "support/on_device.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using ::testing::HasSubstr;

class ProblemsOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ProblemsOn);

/// u = a x + b: prescribed at some nodes, it is the answer at all of them.
std::vector<double> linear_field(const SmallModel& model, int components) {
  std::vector<double> u;
  for (std::size_t n = 0; n < model.coordinates.size(); n += 3) {
    const double* const x = &model.coordinates[n];
    for (int c = 0; c < components; ++c)
      u.push_back(0.3 + 0.1 * c + (1 + c) * x[0] - 0.5 * x[1] + 0.7 * (2 - c) * x[2]);
  }
  return u;
}

std::vector<std::int32_t> outside(const SmallModel& model, int components) {
  std::vector<int> met(model.coordinates.size() / 3, 0);
  for (const std::int32_t node : model.node) ++met[static_cast<std::size_t>(node)];
  std::vector<std::int32_t> dofs;  // of nodes that not all of eight elements have
  for (std::size_t n = 0; n < met.size(); ++n) {
    for (int c = 0; c < components && met[n] < 8; ++c)
      dofs.push_back(components * static_cast<std::int32_t>(n) + c);
  }
  return dofs;
}

TEST_P(ProblemsOn, LinearFieldsAreExactForEveryForm) {
  const SmallModel model = small_model(Element::hex8, Elasticity::general, {4, 4, 4});
  const std::vector<double> tensor{2, 3, 4, 0.5, -0.3, 0.2};
  for (const int components : {1, 3}) {
    const std::vector<double> exact = linear_field(model, components);
    const std::vector<std::int32_t> held = outside(model, components);
    std::vector<double> values;
    for (const std::int32_t dof : held) values.push_back(exact[static_cast<std::size_t>(dof)]);
    const auto count = static_cast<std::int32_t>(exact.size());
    ASSERT_LT(held.size(), exact.size());
    Problem problem(device(), Space(model.region(), components, Constraints::fixed(count, held, values)));
    // Two forms add up: the field is in equilibrium with each of them.
    for (int twice = 0; twice < 2; ++twice) {
      if (components == 1) {
        problem.add(FormKind::conduction, tensor);
      } else {
        problem.add(FormKind::elasticity, model.materials[0].d);
      }
      Monitor monitor;
      for (const char* preconditioner : {"auto", "amg"}) {
        solve::SolverChoice choice;
        choice.preconditioner = preconditioner;
        choice.tolerance = 1e-12;
        if (choice.preconditioner != "auto") choice.method = solve::Method::cg;
        const Solution found = problem.solve(std::vector<double>(exact.size(), 0.0), choice, monitor);
        EXPECT_TRUE(found.report.converged) << found.report.trouble;
        EXPECT_TRUE(setka::test::all_near(found.u, exact, 1e-9));
      }
    }
  }
}

/// A sum of forms: twice the stiffness, half the displacement.
TEST_P(ProblemsOn, FormsAddUpAndEquationsAreKept) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {3, 2, 2});
  const std::int32_t count = model.dofs();
  ConstraintBuilder builder(
      count, [](std::int32_t) { return std::string(); }, [](model::Line) { return SourceLine{}; });
  for (std::int32_t dof = 0; dof < 24; ++dof) builder.prescribe(dof, 0, {});
  builder.add_equation(std::vector<Term>{{count - 1, 1}, {count - 4, -1}}, 0, {});
  Problem problem(device(), Space(model.region(), 3, builder.build()));
  std::vector<double> forces(static_cast<std::size_t>(count), 0.0);
  forces.back() = 2;
  Monitor monitor;
  std::vector<std::vector<double>> found;
  for (int forms = 0; forms < 2; ++forms) {
    problem.add(FormKind::elasticity, model.materials[0].d);
    const Solution solution = problem.solve(forces, {}, monitor);
    EXPECT_TRUE(solution.report.converged);
    found.push_back(solution.u);
    const auto last = static_cast<std::size_t>(count);
    EXPECT_NEAR(solution.u[last - 1], solution.u[last - 4], 1e-12 * std::abs(solution.u[last - 1]));
    EXPECT_GT(solution.u[last - 1], 0);
  }
  for (double& u : found[1]) u *= 2;
  EXPECT_TRUE(setka::test::all_near(found[0], found[1], 1e-7 * std::abs(found[0].back())));
}

/// The forces of a density of one are shares of the volume.
TEST_P(ProblemsOn, ForcesOfADensityHaveItsSum) {
  const SmallModel model = small_model(Element::hex20, Elasticity::isotropic, {2, 2, 1});
  const std::int32_t nodes = model.region().node_count();
  const Problem problem(device(), Space(model.region(), 1, Constraints::none(nodes)));
  double sum = 0;
  for (const double f : problem.forces_of(std::vector<double>(static_cast<std::size_t>(nodes), 1.0)))
    sum += f;
  double volume = 0;
  for (std::size_t e = 0; e < model.type.size(); ++e) {
    std::vector<double> own(static_cast<std::size_t>(point_count(Element::hex20)));
    point_volumes(Element::hex20, model.x(e), own);
    for (const double v : own) volume += v;
  }
  EXPECT_NEAR(sum, volume, 1e-12 * volume);
}

TEST(Problems, RefuseWhatDoesNotFit) {
  const exec::Device cpu = exec::Device::cpu(1);
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic);
  const std::int32_t nodes = model.region().node_count();
  Problem problem(cpu, Space(model.region(), 1, Constraints::none(nodes)));
  Monitor monitor;
  EXPECT_THAT(refusal([&] { problem.matrix(monitor); }), HasSubstr("there is no form"));
  EXPECT_THAT(refusal([&] { problem.solve(std::vector<double>(3), {}, monitor); }),
              HasSubstr("3 forces for"));
  EXPECT_THAT(refusal([&] { problem.forces_of(std::vector<double>(2)); }), HasSubstr("density of 2 values"));
  EXPECT_THAT(refusal([&] { Constraints::fixed(5, std::vector<std::int32_t>{5}); }),
              HasSubstr("degree of freedom 5 of 5"));
  EXPECT_THAT(refusal([&] {
                Constraints::fixed(5, std::vector<std::int32_t>{1}, std::vector<double>{1, 2});
              }),
              HasSubstr("2 values for 1"));
}

}  // namespace
}  // namespace setka::fem::test
