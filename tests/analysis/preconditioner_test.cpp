// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Manufactured solutions through the whole of a static step, by conjugate gradients with every
// preconditioner.
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka {
namespace {

using mesh::ElementType;

constexpr std::array all{std::pair{"jacobi", solve::Preconditioning::jacobi},
                         std::pair{"block-jacobi", solve::Preconditioning::block_jacobi},
                         std::pair{"fsai", solve::Preconditioning::fsai},
                         std::pair{"amg", solve::Preconditioning::amg}};

/// The unit cube with its inner nodes moved, so that no two elements are alike.
std::array<double, 3> distorted(double s, double t, double r) {
  const double bump = 0.8 * s * (1 - s) * t * (1 - t) * r * (1 - r);
  return {s + bump, t - 0.7 * bump, r + 0.5 * bump};
}

void expect_displacements(const model::Model& model,
                          const std::function<std::array<double, 3>(double, double, double)>& exact) {
  for (const auto& [name, kind] : all) {
    analysis::Computing computing = analysis::Computing::on_cpu(2);
    computing.solver = {solve::Method::cg, kind, 1e-12, 5000};
    const model::Frame frame = test::solve(model, computing);
    for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
      const auto x = model.mesh.coordinates(n);
      const std::array<double, 3> u = exact(x[0], x[1], x[2]);
      for (int i = 0; i < 3; ++i)
        ASSERT_NEAR(test::value_at(frame, "U", n, i), u[static_cast<std::size_t>(i)], 1e-9)
            << name << ", node " << n << ", direction " << i;
    }
  }
}

TEST(Preconditioner, ReproducesALinearFieldGivenOnTheSurface) {
  const auto field = [](double x, double y, double z) -> std::array<double, 3> {
    return {0.01 + 0.02 * x - 0.01 * y, 0.03 * y + 0.01 * z, 0.02 * x - 0.01 * z};
  };
  for (const ElementType type : {ElementType::c3d8, ElementType::c3d20}) {
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
  for (const ElementType type : {ElementType::c3d8, ElementType::c3d10, ElementType::c3d20r}) {
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

}  // namespace
}  // namespace setka
