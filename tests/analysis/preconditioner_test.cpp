// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Manufactured solutions through the whole of a static step, by conjugate gradients with every
// preconditioner.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka {
namespace {

using model::ElementType;

constexpr std::array all{"jacobi", "block-jacobi", "fsai", "amg"};

/// The unit cube with its inner nodes moved, so that no two elements are alike.
std::array<double, 3> distorted(double s, double t, double r) {
  const double bump = 0.8 * s * (1 - s) * t * (1 - t) * r * (1 - r);
  return {s + bump, t - 0.7 * bump, r + 0.5 * bump};
}

void expect_displacements(const model::Model& model,
                          const std::function<std::array<double, 3>(double, double, double)>& exact) {
  for (const char* const kind : all) {
    analysis::Computing computing = analysis::Computing::on_cpu(2);
    computing.solver = {solve::Method::cg, kind, 1e-12, 5000};
    const model::Frame frame = test::solve(model, computing);
    for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
      const auto x = model.mesh.coordinates(n);
      const std::array<double, 3> u = exact(x[0], x[1], x[2]);
      for (int i = 0; i < 3; ++i)
        ASSERT_NEAR(test::value_at(frame, "U", n, i), u[static_cast<std::size_t>(i)], 1e-9)
            << kind << ", node " << n << ", direction " << i;
    }
  }
}

TEST(Preconditioner, ReproducesALinearFieldGivenOnTheSurface) {
  const auto field = [](double x, double y, double z) -> std::array<double, 3> {
    return {0.01 + 0.02 * x - 0.01 * y, 0.03 * y + 0.01 * z, 0.02 * x - 0.01 * z};
  };
  for (const ElementType type : {deck::element("C3D8"), deck::element("C3D20")}) {
    model::Model model = test::block_model({5, 4, 4}, type, distorted, 2e5, 0.3);
    const auto surface = [](double x, double y, double z) {
      const auto at_end = [](double at) { return test::near(at, 0) || test::near(at, 1); };
      return at_end(x) || at_end(y) || at_end(z);
    };
    for (const std::int32_t n : test::nodes_where(model.mesh, surface)) {
      const auto x = model.mesh.coordinates(n);
      const std::array<double, 3> u = field(x[0], x[1], x[2]);
      for (int i = 0; i < 3; ++i) test::prescribe(model, n, i + 1, u[static_cast<std::size_t>(i)]);
    }
    expect_displacements(model, field);
  }
}

TEST(Preconditioner, WorksWhereNodesAreHeldInSomeDirectionsOnly) {
  // Uniaxial tension on rollers: the blocks of nodes on three faces have places that are no unknowns.
  constexpr double nu = 0.3;
  constexpr double strain = 0.01;
  for (const ElementType type : {deck::element("C3D8"), deck::element("C3D10"), deck::element("C3D20R")}) {
    model::Model model = test::block_model({4, 3, 3}, type, distorted, 2e5, nu);
    for (int i = 0; i < 3; ++i) {
      const auto face = [i](double x, double y, double z) {
        return test::near(std::array{x, y, z}[static_cast<std::size_t>(i)], 0);
      };
      for (const std::int32_t n : test::nodes_where(model.mesh, face)) test::prescribe(model, n, i + 1, 0);
    }
    const auto pulled = [](double x, double, double) { return test::near(x, 1); };
    for (const std::int32_t n : test::nodes_where(model.mesh, pulled)) test::prescribe(model, n, 1, strain);
    expect_displacements(model, [](double x, double y, double z) -> std::array<double, 3> {
      return {strain * x, -nu * strain * y, -nu * strain * z};
    });
  }
}

/// Pulled and sheared at x = 1 by a pressure on it and on z = 1 (y = 1 in the plane), held at x = 0, where
/// some nodes may slide.
void expect_multigrid_like_cholesky(model::Model model, const std::string& what) {
  const auto foot = [](double x, double, double) { return test::near(x, 0); };
  for (const std::int32_t n : test::nodes_where(model.mesh, foot)) {
    for (int i = 1; i <= 3; ++i) {
      if (i == 1 || n % 3 == 0) test::prescribe(model, n, i, 0);
    }
  }
  test::press(model, -3, [](double x, double, double) { return test::near(x, 1); });
  test::press(model, 1, [](double, double y, double z) { return test::near(y, 1) && z < 0.7; });
  analysis::Computing multigrid = analysis::Computing::on_cpu(2);
  multigrid.solver = {solve::Method::cg, "amg", 1e-11, 200};
  analysis::Computing cholesky = analysis::Computing::on_cpu(2);
  cholesky.solver.method = solve::Method::cholesky;
  const model::Frame computed = test::solve(model, multigrid);
  const model::Frame wanted = test::solve(model, cholesky);
  double largest = 0;
  for (const double u : wanted.node_field("U")->values) largest = std::max(largest, std::abs(u));
  ASSERT_GT(largest, 0) << what;
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    for (int i = 0; i < 3; ++i)
      ASSERT_NEAR(test::value_at(computed, "U", n, i), test::value_at(wanted, "U", n, i), 1e-8 * largest)
          << what << ", node " << n << ", direction " << i;
  }
}

TEST(Preconditioner, MultigridOnSecondOrderElementsIsLikeCholesky) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "without CHOLMOD there is nothing to compare with";
  for (const ElementType type :
       {deck::element("C3D10"), deck::element("C3D15"), deck::element("C3D20"), deck::element("C3D20R")}) {
    expect_multigrid_like_cholesky(test::block_model({6, 4, 4}, type, distorted, 2e5, 0.3),
                                   std::string(deck::name(type)));
  }
  const auto square = [](double s, double t, double) { return std::array<double, 3>{s, t, 0}; };
  for (const ElementType type : {deck::element("CPS8R"), deck::element("CPE8"), deck::element("CPS6")})
    expect_multigrid_like_cholesky(test::block_model({16, 12, 0}, type, square, 2e5, 0.3),
                                   std::string(deck::name(type)));
}

TEST(Preconditioner, MultigridOnSecondOrderElementsFollowsTransforms) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "without CHOLMOD there is nothing to compare with";
  model::Model model = test::block_model({6, 4, 4}, deck::element("C3D20R"), distorted, 2e5, 0.3);
  model::NodeSet foot{"FOOT",
                      test::nodes_where(model.mesh, [](double x, double, double) { return x < 0.5; })};
  model.node_sets.push_back(foot);
  model::Transform transform;
  transform.node_set = 0;
  transform.system.cylindrical = true;
  transform.system.a = {-1, 0, 0};
  transform.system.b = {-1, 0, 1};
  model.transforms.push_back(transform);
  expect_multigrid_like_cholesky(std::move(model), "C3D20R in cylindrical axes");
}

}  // namespace
}  // namespace setka
