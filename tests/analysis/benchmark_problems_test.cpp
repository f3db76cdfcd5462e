// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Problems with answers from outside: a thick cylinder (Lame), an elliptic membrane and a thick elliptic
// plate (NAFEMS LE1 and LE10), a hot solid of revolution (NAFEMS LE11), a membrane with a hot spot (NAFEMS
// T1).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka {
namespace {

using model::ElementType;

/// Symmetry about the planes x = 0 and y = 0.
void hold_quarter(model::Model& model) {
  for (const auto n :
       test::nodes_where(model.mesh, [](double x, double, double) { return test::near(x, 0); }))
    test::prescribe(model, n, 1, 0);
  for (const auto n :
       test::nodes_where(model.mesh, [](double, double y, double) { return test::near(y, 0); }))
    test::prescribe(model, n, 2, 0);
}

/// A quarter of a long thick tube, radii 1 and 2, under inner pressure, held in length.
TEST(BenchmarkProblems, ThickCylinderOfLame) {
  const double pressure = 10;
  for (const ElementType type :
       {deck::element("C3D20R"), deck::element("C3D20"), deck::element("C3D15"), deck::element("C3D10")}) {
    model::Model model = test::block_model(
        {6, 8, 1}, type,
        [](double s, double t, double r) -> std::array<double, 3> {
          const double radius = 1 + s;
          const double angle = t * std::numbers::pi / 2;
          return {radius * std::cos(angle), radius * std::sin(angle), 0.3 * r};
        },
        2.1e5, 0.3);
    hold_quarter(model);
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
      const char* name = deck::name(type).data();
      EXPECT_NEAR(test::value_at(frame, "U", found[0], 0), u, 2e-3 * u) << name << " at radius " << radius;
      EXPECT_NEAR(test::value_at(frame, "S", found[0], 1), hoop, 0.03 * 50.0 / 3)
          << name << " at radius " << radius;
    }
  }
}

/// NAFEMS LE10: quarter of a thick plate between two ellipses under pressure; stress yy at D = (2, 0, 0.6) is
/// -5.38 MPa.
TEST(BenchmarkProblems, ThickEllipticPlateLe10) {
  for (const ElementType type : {deck::element("C3D20R"), deck::element("C3D20"), deck::element("C3D10")}) {
    // Tetrahedra have four integration points, from which the corner's stress comes less exactly: a finer
    // mesh.
    const std::array<int, 3> cells =
        type == deck::element("C3D10") ? std::array{10, 16, 6} : std::array{6, 10, 4};
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
    EXPECT_NEAR(test::value_at(frame, "S", d[0], 1), -5.38, 0.03 * 5.38) << deck::name(type);
  }
}

/// NAFEMS LE1: quarter of a membrane between two ellipses, pulled outwards by 10 MPa at the outer one; stress
/// yy at D = (2, 0) is 92.7 MPa.
TEST(BenchmarkProblems, EllipticMembraneLe1) {
  for (const ElementType type : {deck::element("CPS8R"), deck::element("CPS8"), deck::element("CPS6")}) {
    model::Model model = test::block_model(
        {16, 24, 0}, type,
        [](double s, double t, double) -> std::array<double, 3> {
          const double angle = t * std::numbers::pi / 2;
          return {(2 + 1.25 * s) * std::cos(angle), (1 + 1.75 * s) * std::sin(angle), 0};
        },
        2.1e5, 0.3);
    model.sections.front().thickness = 0.1;
    hold_quarter(model);
    test::press(model, -10,
                [](double x, double y, double) { return test::near(std::hypot(x / 3.25, y / 2.75), 1); });
    const model::Frame frame = test::solve(model);
    const auto d = test::nodes_where(
        model.mesh, [](double x, double y, double) { return test::near(x, 2) && test::near(y, 0); });
    ASSERT_EQ(d.size(), 1U);
    EXPECT_NEAR(test::value_at(frame, "S", d[0], 1), 92.7, 0.02 * 92.7) << deck::name(type);
  }
}

/// A quarter of a square of 20 mm about a disc of radius 1, in four blocks that meet at (1, 1) / sqrt(2); s
/// and t go to 1 within the disc, and to 2 beyond it.
std::array<double, 3> about_disc(double s, double t, double) {
  const double r = std::numbers::sqrt2 / 2;
  if (s <= 1 && t <= 1) return {s * std::sqrt(1 - t * t / 2), t * std::sqrt(1 - s * s / 2), 0};
  const auto between = [](double at, double from, double to) { return from + at * (to - from); };
  // Outwards ever longer: the first element beyond the disc is about as long as those within it.
  const auto outwards = [](double at) { return std::expm1(4 * at) / std::expm1(4); };
  if (s > 1 && t > 1) {  // from the corner of the blocks to that of the square
    const double a = outwards(s - 1);
    const double b = outwards(t - 1);
    const double far = between(b, between(a, r, 10), between(a, 5, 10));
    return {far, between(a, between(b, r, 10), between(b, 5, 10)), 0};
  }
  const double along = std::min(s, t);
  const double angle = along * std::numbers::pi / 4;
  const double out = outwards(std::max(s, t) - 1);
  const double x = between(out, std::cos(angle), 10);
  const double y = between(out, std::sin(angle), 5 * along);
  return s > 1 ? std::array{x, y, 0.0} : std::array{y, x, 0.0};
}

/// NAFEMS T1: a disc of radius 1 mm in the middle of a square membrane is 100 degrees warmer than the rest,
/// which would stretch it by 0.001: stress yy beside it, at D = (1, 0), is 50 MPa, and falls with the square
/// of the distance from its centre.
TEST(BenchmarkProblems, HotSpotT1) {
  mesh::BlockGrid grid;
  // Both sides have one change of thickness where they meet, which a thick layer would feel farther away.
  grid.cells = {{{10, 20}, {10, 20}, {}}};
  model::Model model = test::block_model(grid, deck::element("CPS8R"), about_disc, 1e5, 0.3);
  model.sections.front().thickness = 0.05;
  test::warm(model, 1e-5, [](double, double, double) { return 100.0; });
  model::Material cold = model.materials.front();
  cold.name = "COLD";
  cold.expansion = {{0, {0}}};
  model.materials.push_back(cold);
  model::ElementSet outside{"OUTSIDE", {}};
  auto& inside = model.element_sets.front().elements;
  std::erase_if(inside, [&](std::int32_t e) {
    const auto nodes = model.mesh.nodes(e);
    const bool beyond = std::ranges::any_of(nodes, [&](std::int32_t n) {
      const auto x = model.mesh.coordinates(n);
      return std::hypot(x[0], x[1]) > 1 + 1e-9;
    });
    if (beyond) outside.elements.push_back(e);
    return beyond;
  });
  ASSERT_EQ(inside.size(), 100U);
  model.element_sets.push_back(outside);
  model.sections.push_back(model.sections.front());
  model.sections.back().element_set = 1;
  model.sections.back().material = 1;
  hold_quarter(model);
  const model::Frame frame = test::solve(model);
  // At D itself the stress jumps from -50 and a node has the mean of both sides; elements there have one
  // change of thickness for both.
  const auto beside = test::nodes_where(
      model.mesh, [](double x, double y, double) { return x > 1.1 && x < 2 && test::near(y, 0); });
  ASSERT_GE(beside.size(), 8U);
  for (const std::int32_t n : beside) {
    const double x = model.mesh.coordinates(n)[0];
    const double of_round_plate = 1 / (x * x) + 1.0 / 100;  // whose rim is as far away, over that at D
    EXPECT_NEAR(test::value_at(frame, "S", n, 1) / of_round_plate, 50, 0.03 * 50) << "at x = " << x;
  }
  const auto centre = test::nodes_where(
      model.mesh, [](double x, double y, double) { return test::near(x, 0) && test::near(y, 0); });
  ASSERT_EQ(centre.size(), 1U);
  EXPECT_NEAR(test::value_at(frame, "S", centre[0], 1), -50, 0.02 * 50);
}

/// NAFEMS LE11, radius and height in the meridian: a part of a sphere (t from 0 to 1), a taper and a
/// cylinder; s goes from the inner surface to the outer one.
std::array<double, 2> le11_meridian(double s, double t) {
  const double shoulder = std::numbers::sqrt2 / 2;  // where the sphere ends: 45 degrees inside
  if (t <= 1) {
    const double inner = t * std::numbers::pi / 4;
    const double outer = t * std::asin(shoulder / 1.4);
    return {(1 - s) * std::cos(inner) + s * 1.4 * std::cos(outer),
            (1 - s) * std::sin(inner) + s * 1.4 * std::sin(outer)};
  }
  const double foot = std::sqrt(1.4 * 1.4 - shoulder * shoulder);  // outer radius where the taper begins
  const double outer = t <= 2 ? foot + (1 - foot) * (t - 1) : 1;
  const double height = shoulder + (t <= 2 ? 0.69 * (t - 1) : 0.69 + 0.4 * (t - 2));
  return {(1 - s) * shoulder + s * outer, height};
}

/// Temperature radius + height on the body held between its ends; the axial stress at A, radius 1 at height
/// 0, is -105 MPa. `axis` is the direction of the body's axis.
void expect_le11(model::Model& model, int axis, const char* name) {
  const auto height = [axis](double, double y, double z) { return axis == 3 ? z : y; };
  test::warm(model, 2.3e-4, [&](double x, double y, double z) {
    return (axis == 3 ? std::hypot(x, y) : x) + height(x, y, z);
  });
  const double top = le11_meridian(0, 3)[1];
  for (const auto n : test::nodes_where(model.mesh, [&](double x, double y, double z) {
         return test::near(height(x, y, z), 0) || test::near(height(x, y, z), top);
       })) {
    test::prescribe(model, n, axis, 0);
  }
  const model::Frame frame = test::solve(model);
  const auto a = test::nodes_where(model.mesh, [](double x, double y, double z) {
    return test::near(x, 1) && test::near(y, 0) && test::near(z, 0);
  });
  ASSERT_EQ(a.size(), 1U);
  EXPECT_NEAR(test::value_at(frame, "S", a[0], axis - 1), -105, 0.03 * 105) << name;
}

TEST(BenchmarkProblems, HotSolidOfRevolutionLe11) {
  for (const ElementType type : {deck::element("C3D20R"), deck::element("C3D20"), deck::element("C3D10")}) {
    const bool tetrahedra = type == deck::element("C3D10");  // a finer mesh, as in LE10
    mesh::BlockGrid grid;
    grid.cells = {{{tetrahedra ? 6 : 4}, {tetrahedra ? 9 : 6, 4, 3}, {6}}};
    model::Model model = test::block_model(
        grid, type,
        [](double s, double t, double r) -> std::array<double, 3> {
          const auto [radius, height] = le11_meridian(s, t);
          const double angle = (1 - r) * std::numbers::pi / 2;  // back, so that s, t, r are right-handed
          return {radius * std::cos(angle), radius * std::sin(angle), height};
        },
        2.1e5, 0.3);
    hold_quarter(model);
    expect_le11(model, 3, deck::name(type).data());
  }
}

TEST(BenchmarkProblems, HotSolidOfRevolutionLe11InItsMeridian) {
  for (const ElementType type : {deck::element("CAX8"), deck::element("CAX8R"), deck::element("CAX6")}) {
    mesh::BlockGrid grid;
    grid.cells = {{{8}, {12, 8, 6}, {}}};
    model::Model model = test::block_model(
        grid, type,
        [](double s, double t, double) -> std::array<double, 3> {
          const auto [radius, height] = le11_meridian(s, t);
          return {radius, height, 0};
        },
        2.1e5, 0.3);
    expect_le11(model, 2, deck::name(type).data());
  }
}

}  // namespace
}  // namespace setka
