// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Displacements converge with order 2 for elements of first order and 3 for those of second order.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/elements.hpp"
#include "setka/model/element_type.hpp"

namespace setka {
namespace {

using model::ElementType;

/// The gradient of a harmonic function satisfies the equations of elasticity without forces, whatever the
/// constants.
std::array<double, 3> exact(double x, double y, double z) {
  const double f = std::exp(x);
  return {f * std::cos(0.6 * y) * std::cos(0.8 * z), -0.6 * f * std::sin(0.6 * y) * std::cos(0.8 * z),
          -0.8 * f * std::cos(0.6 * y) * std::sin(0.8 * z)};
}

/// A cube whose inside is bent, so that elements are not all alike; the faces stay where they are.
std::array<double, 3> position(double s, double t, double r) {
  const double bend = 0.06 * std::sin(3.14159265 * s) * std::sin(3.14159265 * t) * std::sin(3.14159265 * r);
  return {s + bend, t - bend, r + bend};
}

/// Root of the mean square of the error over the body, by the elements' integration points.
double error_with(const ElementType& user, int cells) {
  const fem::Element type = fem::element_of(user);
  model::Model model = test::block_model({cells, cells, cells}, user, position, 1000, 0.3);
  const auto on_face = [](double x) { return test::near(x, 0) || test::near(x, 1); };
  for (const auto n : test::nodes_where(model.mesh, [&](double x, double y, double z) {
         return on_face(x) || on_face(y) || on_face(z);
       })) {
    const auto at = model.mesh.coordinates(n);
    const auto u = exact(at[0], at[1], at[2]);
    for (int k = 0; k < 3; ++k) test::prescribe(model, n, k + 1, u[static_cast<std::size_t>(k)]);
  }
  const model::Frame frame = test::solve(model);
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  double sum = 0;
  double volume = 0;
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    const auto nodes = model.mesh.nodes(e);
    std::vector<double> x;
    for (const std::int32_t n : nodes) {
      for (const double c : model.mesh.coordinates(n)) x.push_back(c);
    }
    std::vector<double> shape(points * nodes.size());
    std::vector<double> at(3 * points);
    std::vector<double> w(points);
    fem::point_shape_values(type, shape);
    fem::point_coordinates(type, x, at);
    fem::point_volumes(type, x, w);
    for (std::size_t p = 0; p < points; ++p) {
      const auto u = exact(at[3 * p], at[3 * p + 1], at[3 * p + 2]);
      for (int k = 0; k < 3; ++k) {
        double value = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i)
          value += shape[p * nodes.size() + i] * test::value_at(frame, "U", nodes[i], k);
        sum += w[p] * std::pow(value - u[static_cast<std::size_t>(k)], 2);
      }
      volume += w[p];
    }
  }
  return std::sqrt(sum / volume);
}

class Convergence : public ::testing::TestWithParam<ElementType> {};

TEST_P(Convergence, OrderInDisplacement) {
  const bool second = mesh::node_count(GetParam().cell) > 8;
  const int coarse = second ? 3 : 4;
  const double rate = std::log2(error_with(GetParam(), coarse) / error_with(GetParam(), 2 * coarse));
  // Coarse meshes come near the order from either side; 0.3 below it is not yet a lower order.
  EXPECT_GT(rate, second ? 2.7 : 1.7);
}

INSTANTIATE_TEST_SUITE_P(
    Elements, Convergence,
    ::testing::Values(deck::element("C3D4"), deck::element("C3D6"), deck::element("C3D8"),
                      deck::element("C3D8I"), deck::element("C3D8R"), deck::element("C3D10"),
                      deck::element("C3D15"), deck::element("C3D20"), deck::element("C3D20R")),
    [](const ::testing::TestParamInfo<ElementType>& type) { return std::string(deck::name(type.param)); });

}  // namespace
}  // namespace setka
