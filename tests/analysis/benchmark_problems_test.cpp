// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Problems with answers from outside: a thick cylinder (Lame), a thick elliptic plate (NAFEMS LE10).
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"

namespace setka {
namespace {

using mesh::ElementType;

/// A quarter of a long thick tube, radii 1 and 2, under inner pressure, held in length.
TEST(BenchmarkProblems, ThickCylinderOfLame) {
  const double pressure = 10;
  for (const ElementType type :
       {ElementType::c3d20r, ElementType::c3d20, ElementType::c3d15, ElementType::c3d10}) {
    model::Model model = test::block_model(
        {6, 8, 1}, type,
        [](double s, double t, double r) -> std::array<double, 3> {
          const double radius = 1 + s;
          const double angle = t * std::numbers::pi / 2;
          return {radius * std::cos(angle), radius * std::sin(angle), 0.3 * r};
        },
        2.1e5, 0.3);
    for (const auto n :
         test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 0); }))
      test::prescribe(model, n, 1, 0);
    for (const auto n :
         test::nodes_where(model.mesh, [](double, double y, double) { return test::near(y, 0); }))
      test::prescribe(model, n, 2, 0);
    for (const auto n : test::nodes_where(model.mesh, [](double, double, double) { return true; }))
      test::prescribe(model, n, 3, 0);
    test::press(model, pressure, [](double x, double y, double) { return test::near(std::hypot(x, y), 1); });
    const model::Frame frame = test::solve(model);

    // Lame for plane strain: radial and hoop stress p / 3 (1 -+ 4 / r^2), u = (1 + nu) p / (3 E) ((1 - 2 nu)
    // r + 4 / r).
    for (const double radius : {1.0, 1.5, 2.0}) {
      const auto found = test::nodes_where(model.mesh, [&](double x, double y, double z) {
        return test::near(x, radius) && test::near(y, 0) && test::near(z, 0);
      });
      ASSERT_EQ(found.size(), 1U);
      const double u = 1.3 * pressure / (3 * 2.1e5) * (0.4 * radius + 4 / radius);
      const double hoop = pressure / 3 * (1 + 4 / (radius * radius));
      const char* name = mesh::info(type).name.data();
      EXPECT_NEAR(test::value_at(frame, "U", found[0], 0), u, 2e-3 * u) << name << " at radius " << radius;
      EXPECT_NEAR(test::value_at(frame, "S", found[0], 1), hoop, 0.03 * 50.0 / 3)
          << name << " at radius " << radius;
    }
  }
}

/// NAFEMS LE10: quarter of a thick plate between two ellipses under pressure; stress yy at D = (2, 0, 0.6) is
/// -5.38 MPa.
TEST(BenchmarkProblems, ThickEllipticPlateLe10) {
  for (const ElementType type : {ElementType::c3d20r, ElementType::c3d20, ElementType::c3d10}) {
    // Tetrahedra have four integration points, from which the corner's stress comes less exactly: a finer
    // mesh.
    const std::array<int, 3> cells =
        type == ElementType::c3d10 ? std::array{10, 16, 6} : std::array{6, 10, 4};
    model::Model model = test::block_model(
        cells, type,
        [](double s, double t, double r) -> std::array<double, 3> {
          const double angle = t * std::numbers::pi / 2;
          return {(2 + 1.25 * s) * std::cos(angle), (1 + 1.75 * s) * std::sin(angle), 0.6 * r};
        },
        2.1e5, 0.3);
    const auto outer = [](double x, double y) { return test::near(std::hypot(x / 3.25, y / 2.75), 1); };
    for (const auto n : test::nodes_where(
             model.mesh, [&](double x, double y, double) { return test::near(x, 0) || outer(x, y); })) {
      test::prescribe(model, n, 1, 0);
    }
    for (const auto n : test::nodes_where(
             model.mesh, [&](double x, double y, double) { return test::near(y, 0) || outer(x, y); })) {
      test::prescribe(model, n, 2, 0);
    }
    for (const auto n : test::nodes_where(
             model.mesh, [&](double x, double y, double z) { return test::near(z, 0.3) && outer(x, y); })) {
      test::prescribe(model, n, 3, 0);
    }
    test::press(model, 1, [](double, double, double z) { return test::near(z, 0.6); });
    const model::Frame frame = test::solve(model);
    const auto d = test::nodes_where(model.mesh, [](double x, double y, double z) {
      return test::near(x, 2) && test::near(y, 0) && test::near(z, 0.6);
    });
    ASSERT_EQ(d.size(), 1U);
    EXPECT_NEAR(test::value_at(frame, "S", d[0], 1), -5.38, 0.03 * 5.38) << mesh::info(type).name;
  }
}

}  // namespace
}  // namespace setka
