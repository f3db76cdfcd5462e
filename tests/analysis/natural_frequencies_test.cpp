// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Natural frequencies against closed forms, and three problems of NAFEMS: "Selected Benchmarks for Natural
// Frequency Analysis" (Abbassian, Dawswell, Knowles 1987), R0015, as Altair's, ENERCALC's, Autodesk's and
// Abaqus' manuals of verification quote them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"
#include "support/on_device.hpp"

namespace setka {
namespace {

using model::ElementType;
using std::numbers::pi;

struct Solid {
  double e = 2e11;
  double nu = 0.3;
  double density = 8000;

  double shear_modulus() const { return e / (2 * (1 + nu)); }
};

model::Model solid_model(std::array<int, 3> cells, ElementType type, const mesh::BlockPosition& position,
                         const Solid& solid) {
  model::Model model = test::block_model(cells, type, position, solid.e, solid.nu);
  model.materials.front().density = {{0, {solid.density}}};
  return model;
}

mesh::BlockPosition box(double x, double y, double z) {
  return [=](double s, double t, double r) { return std::array<double, 3>{s * x, t * y, r * z}; };
}

using Condition = std::function<bool(double, double, double)>;
const Condition everywhere = [](double, double, double) { return true; };

void hold(model::Model& model, const std::vector<int>& directions, const Condition& where) {
  for (const std::int32_t node : test::nodes_where(model.mesh, where)) {
    for (const int direction : directions) test::prescribe(model, node, direction, 0);
  }
}

class NaturalFrequencies : public test::OnDevice {
 protected:
  std::vector<model::Mode> modes(model::Model& model, int count) const {
    model::FrequencyStep procedure;
    procedure.modes = count;
    model.steps.back().procedure = procedure;
    analysis::Computing computing;
    computing.device = device();
    Monitor monitor;
    const analysis::Setup setup = analysis::prepare(model, monitor);
    std::vector<model::Mode> found;
    analysis::run_steps(
        setup, computing, [](const model::Step&, const model::Frame&) {}, monitor,
        [&](const model::ModeTable& table) {
          EXPECT_TRUE(table.converged);
          found = table.modes;
        });
    EXPECT_EQ(found.size(), static_cast<std::size_t>(count));
    return found;
  }

  std::vector<double> frequencies(model::Model& model, int count) const {
    std::vector<double> values;
    for (const model::Mode& mode : modes(model, count)) values.push_back(mode.frequency());
    return values;
  }
};

/// Every computed value over the expected one is between these.
void expect_ratios(const std::vector<double>& computed, const std::vector<double>& expected, double least,
                   double most) {
  ASSERT_GE(computed.size(), expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const double ratio = computed[j] / expected[j];
    EXPECT_TRUE(ratio >= least && ratio <= most)
        << j + 1 << ": " << computed[j] << " Hz, expected " << expected[j] << " Hz; ratio " << ratio;
  }
}

// Waves along a bar that cannot move across: c / 4 L, 3 c / 4 L, .. held at one end, c = sqrt(E / rho).
TEST_P(NaturalFrequencies, AxialWavesOfAHeldBar) {
  const Solid solid{2e11, 0, 8000};
  const double length = 4;
  for (const ElementType type : {deck::element("C3D20R"), deck::element("C3D8I")}) {
    model::Model model = solid_model({40, 1, 1}, type, box(length, 0.2, 0.2), solid);
    hold(model, {2, 3}, everywhere);
    hold(model, {1}, [](double x, double, double) { return x == 0; });
    std::vector<double> expected;
    for (int n = 1; n <= 4; ++n)
      expected.push_back((2 * n - 1) * std::sqrt(solid.e / solid.density) / (4 * length));
    // Linear elements of length h are too stiff by (k h)^2 / 24.
    expect_ratios(frequencies(model, 4), expected, 1 - 1e-6,
                  type == deck::element("C3D8I") ? 1.0035 : 1 + 1e-5);
  }
}

// The same with free ends: zero, then c / 2 L, c / L, ..
TEST_P(NaturalFrequencies, AxialWavesOfAFreeBar) {
  const Solid solid{2e11, 0, 8000};
  const double length = 4;
  model::Model model = solid_model({30, 1, 1}, deck::element("C3D20R"), box(length, 0.2, 0.2), solid);
  hold(model, {2, 3}, everywhere);
  std::vector<double> found = frequencies(model, 4);
  EXPECT_LT(found.front(), 1e-3 * found[1]);
  found.erase(found.begin());
  const double first = std::sqrt(solid.e / solid.density) / (2 * length);
  expect_ratios(found, {first, 2 * first, 3 * first}, 1 - 1e-6, 1 + 2e-5);
}

/// [-1, 1]^2 as a disc of a radius.
std::array<double, 2> on_disc(double u, double v, double radius) {
  return {radius * u * std::sqrt(1 - v * v / 2), radius * v * std::sqrt(1 - u * u / 2)};
}

// A round bar twists without warping: sqrt(G / rho) / 4 L, three times that, .. whatever its radius.
TEST_P(NaturalFrequencies, TorsionOfARoundBar) {
  const Solid solid;
  const double length = 2;
  const double radius = 0.2;
  model::Model model = solid_model(
      {12, 4, 4}, deck::element("C3D20R"),
      [=](double s, double t, double r) {
        const auto at = on_disc(2 * t - 1, 2 * r - 1, radius);
        return std::array<double, 3>{s * length, at[0], at[1]};
      },
      solid);
  hold(model, {1, 2, 3}, [](double x, double, double) { return x == 0; });
  std::vector<double> twisting;
  for (const model::Mode& mode : modes(model, 12)) {
    double moved = 0;
    for (std::size_t i = 0; i < 3; ++i) moved += std::abs(mode.participation[i]);
    if (std::abs(mode.participation[3]) > 1e-3 && moved < 1e-3) twisting.push_back(mode.frequency());
  }
  const double first = std::sqrt(solid.shear_modulus() / solid.density) / (4 * length);
  expect_ratios(twisting, {first, 3 * first}, 0.998, 1.002);
}

/// The lowest frequency of a simply supported beam by Timoshenko with n half waves.
double timoshenko(const Solid& solid, double length, double height, int n, double shear_share) {
  const double k = n * pi / length;
  const double a = solid.e / solid.density * height * height / 12;  // E I / (rho A)
  const double b = height * height / 12;                            // I / A
  const double c = shear_share * solid.shear_modulus() / solid.density;
  // b w^4 / c - (1 + k^2 b + k^2 a / c) w^2 + a k^4 = 0
  const double half = (1 + k * k * b + k * k * a / c) / 2;
  const double square = (half - std::sqrt(half * half - a * b / c * std::pow(k, 4))) / (b / c);
  return std::sqrt(square) / (2 * pi);
}

// Both ends slide along the bar, so that all waves are sines; without lateral contraction the shear share of
// a rectangle is 5/6.
TEST_P(NaturalFrequencies, BendingOfASupportedBeam) {
  const Solid solid{2e11, 0, 8000};
  const double length = 4;
  const double height = 0.4;
  model::Model model = solid_model({24, 1, 3}, deck::element("C3D20R"), box(length, 0.2, height), solid);
  hold(model, {2}, everywhere);
  hold(model, {3}, [=](double x, double, double) { return x == 0 || x == length; });
  const std::vector<double> found = frequencies(model, 4);
  EXPECT_LT(found.front(), 1e-3 * found[1]) << "it is free to slide along";
  std::vector<double> expected;
  for (int n = 1; n <= 3; ++n) expected.push_back(timoshenko(solid, length, height, n, 5.0 / 6));
  expect_ratios({found.begin() + 1, found.end()}, expected, 0.998, 1.002);
}

// Free ends: six rigid motions, then cosh x cos x = 1 in both planes. The bar is so slender that shear and
// rotary inertia take 0.3 % off at most.
TEST_P(NaturalFrequencies, BendingOfAFreeBeam) {
  const Solid solid{2e11, 0, 8000};
  const double length = 10;
  const double height = 0.2;
  const double width = 0.3;
  model::Model model = solid_model({30, 1, 1}, deck::element("C3D20"), box(length, width, height), solid);
  const std::vector<double> found = frequencies(model, 9);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_LT(found[j], 1e-2 * found[6]) << j;
  const auto euler = [&](double root, double thickness) {
    return root * root / (length * length) * thickness * std::sqrt(solid.e / (12 * solid.density)) / (2 * pi);
  };
  expect_ratios({found.begin() + 6, found.end()},
                {euler(4.730040745, height), euler(4.730040745, width), euler(7.853204624, height)}, 0.995,
                1);
}

/// The lowest frequency of a simply supported square plate by Mindlin, with m and n half waves.
double mindlin(const Solid& solid, double side, double height, int m, int n) {
  const double k2 = pi * pi * (m * m + n * n) / (side * side);
  const double bending = solid.e * std::pow(height, 3) / (12 * (1 - solid.nu * solid.nu));
  const double shear = pi * pi / 12 * solid.shear_modulus() * height;
  const double mass = solid.density * height;
  const double inertia = solid.density * std::pow(height, 3) / 12;
  // (D k^2 + S - J w^2)(S k^2 - m w^2) = S^2 k^2
  const double b = mass * (bending * k2 + shear) + inertia * shear * k2;
  const double square =
      (b - std::sqrt(b * b - 4 * mass * inertia * bending * shear * k2 * k2)) / (2 * mass * inertia);
  return std::sqrt(square) / (2 * pi);
}

// On its edges the plate moves neither up nor along them: all waves are products of sines. In its own plane
// it vibrates much higher.
TEST_P(NaturalFrequencies, SupportedSquarePlate) {
  const Solid solid;
  const double side = 10;
  const double height = 0.5;
  model::Model model = solid_model({16, 16, 2}, deck::element("C3D20R"), box(side, side, height), solid);
  hold(model, {2, 3}, [=](double x, double, double) { return x == 0 || x == side; });
  hold(model, {1, 3}, [=](double, double y, double) { return y == 0 || y == side; });
  const double twice = mindlin(solid, side, height, 1, 2);
  expect_ratios(frequencies(model, 4),
                {mindlin(solid, side, height, 1, 1), twice, twice, mindlin(solid, side, height, 2, 2)}, 0.997,
                1.003);
}

// A thin clamped square plate: w a^2 sqrt(m / D) = 35.985, 73.394 twice, 108.22 (Leissa, NASA SP-160).
TEST_P(NaturalFrequencies, ClampedSquarePlate) {
  const Solid solid;
  const double side = 10;
  const double height = 0.1;
  model::Model model = solid_model({24, 24, 1}, deck::element("C3D20R"), box(side, side, height), solid);
  hold(model, {1, 2, 3},
       [=](double x, double y, double) { return x == 0 || x == side || y == 0 || y == side; });
  const double unit =
      std::sqrt(solid.e * height * height / (12 * (1 - solid.nu * solid.nu) * solid.density)) /
      (side * side) / (2 * pi);
  expect_ratios(frequencies(model, 4), {35.985 * unit, 73.394 * unit, 73.394 * unit, 108.22 * unit}, 0.99,
                1.01);
}

// Beams that do not touch: every frequency as many times as there are beams.
TEST_P(NaturalFrequencies, SeparatePartsRepeatEveryFrequency) {
  const Solid solid;
  const auto beams = [&](int count) {
    mesh::BlockGrid grid;
    grid.cells = {{{8}, std::vector<int>(static_cast<std::size_t>(2 * count - 1), 1), {2}}};
    for (int j = 0; j < 2 * count - 1; ++j)
      grid.part.push_back(static_cast<std::int8_t>(j % 2 == 0 ? 0 : -1));
    model::Model model = test::block_model(
        grid, deck::element("C3D8I"),
        [](double s, double t, double r) {
          return std::array<double, 3>{2 * s, 0.2 * t, 0.3 * r};
        },
        solid.e, solid.nu);
    model.materials.front().density = {{0, {solid.density}}};
    hold(model, {1, 2, 3}, [](double x, double, double) { return x == 0; });
    return model;
  };
  constexpr int copies = 5;
  model::Model one = beams(1);
  model::Model many = beams(copies);
  const std::vector<double> expected = frequencies(one, 4);
  const std::vector<double> found = frequencies(many, 4 * copies);
  for (std::size_t j = 0; j < found.size(); ++j)
    EXPECT_NEAR(found[j], expected[j / copies], 1e-7 * expected[j / copies]) << j;
}

// FV32: a membrane 10 m long that tapers from 5 m to 1 m, 0.05 m thick, held at its wide end.
TEST_P(NaturalFrequencies, NafemsFv32TaperedMembrane) {
  model::Model model = solid_model({16, 8, 0}, deck::element("CPS8R"),
                                   [](double s, double t, double) {
                                     return std::array<double, 3>{10 * s, (t - 0.5) * (5 - 4 * s), 0.0};
                                   },
                                   {});
  model.sections.front().thickness = 0.05;
  hold(model, {1, 2}, [](double x, double, double) { return x == 0; });
  expect_ratios(frequencies(model, 6), {44.623, 130.03, 162.70, 246.05, 379.90, 391.44}, 0.995, 1.002);
}

// FV42: a hollow sphere, radii 1.8 m and 6 m, that breathes. Here a ring of two degrees to each side of the
// equator; what it moves along the meridian is held at its sides. The radial waves are (sin k r / r)' and
// (cos k r / r)', free of radial stress at both radii: the roots of that are expected. NAFEMS has 369.91,
// 838.03, 1451.2, 2111.7 and 2795.8 Hz, of which the fourth is 0.25 % below the root.
TEST_P(NaturalFrequencies, NafemsFv42HollowSphere) {
  const double half = 2 * pi / 180;
  model::Model model =
      solid_model({16, 1, 0}, deck::element("CAX8R"),
                  [=](double s, double t, double) {
                    const double radius = 1.8 + 4.2 * s;
                    const double angle = (2 * t - 1) * half;
                    return std::array<double, 3>{radius * std::cos(angle), radius * std::sin(angle), 0.0};
                  },
                  {});
  for (const std::int32_t node : test::nodes_where(model.mesh, [=](double x, double y, double) {
         return std::abs(std::abs(std::atan2(y, x)) - half) < 1e-9;
       })) {
    const auto at = model.mesh.coordinates(node);
    model::Equation equation;
    equation.terms = {{node, 2, at[0]}, {node, 1, -at[1]}};
    model.equations.push_back(equation);
  }
  expect_ratios(frequencies(model, 5), {369.943, 838.033, 1451.19, 2116.96, 2795.81}, 0.9995, 1.0005);
}

// FV52: a plate of 10 m x 10 m x 1 m whose lower edges cannot move up or down, on the mesh of NAFEMS: three
// rigid motions, then these. They are those of a plate that is supported in its middle plane; lower edges
// alone are softer, and ever more so on finer meshes, where they are a knife's edge.
TEST_P(NaturalFrequencies, NafemsFv52SolidPlate) {
  model::Model model = solid_model({4, 4, 1}, deck::element("C3D20"), box(10, 10, 1), {});
  hold(model, {3},
       [](double x, double y, double z) { return z == 0 && (x == 0 || x == 10 || y == 0 || y == 10); });
  const std::vector<double> found = frequencies(model, 10);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_LT(found[j], 1e-2) << j;
  expect_ratios({found.begin() + 3, found.end()}, {45.897, 109.44, 109.44, 167.89, 193.59, 206.19, 206.19},
                0.97, 1.02);
}

SETKA_ON_ALL_DEVICES(NaturalFrequencies);

}  // namespace
}  // namespace setka
