// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/robin_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

class RobinFacesOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(RobinFacesOn);

/// Two faces of each element, as many as there are; a face has four points.
std::vector<RobinFace> some_faces(const Region& region) {
  const double g = 1 / std::sqrt(3.0);
  std::vector<RobinFace> faces;
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    for (const std::size_t first : {std::size_t{0}, std::size_t{4}}) {
      RobinFace& face = faces.emplace_back();
      for (std::size_t i = 0; i < 4; ++i) face.node.push_back(region.nodes(e)[first + i]);
      for (const auto& [x, y] : {std::pair(-g, -g), std::pair(g, -g), std::pair(g, g), std::pair(-g, g)}) {
        face.area.push_back(0.25 + 0.01 * e);
        for (const auto& [a, b] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
          face.shape.push_back((1 + a * x) * (1 + b * y) / 4);
      }
    }
  }
  return faces;
}

std::vector<RobinValues> some_values(std::size_t faces) {
  std::vector<RobinValues> values;
  for (std::size_t f = 0; f < faces; ++f) {
    const auto k = static_cast<double>(f);
    values.push_back({2.0 + k, 0.1 * k, f % 3 == 0 ? 0.0 : 0.5, 1.0 + 0.1 * k});
  }
  return values;
}

TEST_P(RobinFacesOn, WhatNodesGiveOffIsWhatFacesDo) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {3, 2, 2});
  const Region region = model.region();
  const std::vector<RobinFace> faces = some_faces(region);
  const std::vector<RobinValues> values = some_values(faces.size());
  const Space space(region, 1, Constraints::none(region.node_count()));
  RobinFaces robin(device(), space, faces);
  EXPECT_FALSE(robin.empty());
  constexpr double u = 1.7;
  constexpr double zero = -0.3;
  const exec::Array<double> at(device(),
                               std::vector<double>(static_cast<std::size_t>(region.node_count()), u));
  exec::Array<double> given(device(), region.node_count());
  robin.give_off(device(), zero, at, given);
  for (const double value : given.to_vector()) EXPECT_EQ(value, 0);
  robin.take(values);
  robin.give_off(device(), zero, at, given);
  double expected = 0;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const RobinValues& own = values[f];
    double area = 0;
    for (const double part : faces[f].area) area += part;
    expected += area * (own.h * (u - own.sink) + own.r * (std::pow(u - zero, 4) - std::pow(own.far, 4)));
  }
  double sum = 0;
  for (const double value : given.to_vector()) sum += value;
  EXPECT_NEAR(sum, expected, setka::test::rounding<double>(1e3, std::abs(expected)));

  // Where a field is linear on a face of its own, each node has its share: here a quarter and the same again.
  RobinFaces one(device(), space, std::vector<RobinFace>{faces[0]});
  one.take(std::vector<RobinValues>{{4, 0, 0, 0}});
  one.give_off(device(), 0, at, given);
  const std::vector<double> alone = given.to_vector();
  for (std::int32_t node = 0; node < region.node_count(); ++node) {
    const bool on = std::ranges::find(faces[0].node, node) != faces[0].node.end();
    EXPECT_NEAR(alone[static_cast<std::size_t>(node)], on ? u : 0.0, 1e-14) << node;
  }
}

TEST_P(RobinFacesOn, TheTangentIsTheChangeOfWhatIsGivenOff) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {3, 2, 2});
  const Region region = model.region();
  const std::vector<RobinFace> faces = some_faces(region);
  const std::vector<RobinValues> values = some_values(faces.size());
  ConstraintBuilder held(
      region.node_count(), [](std::int32_t) { return std::string(); },
      [](model::Line) { return SourceLine{}; });
  held.prescribe(4, 0.25, {});
  held.add_equation(std::vector<Term>{{0, 2}, {1, -1}, {3, 0.5}}, 0, {});
  const Space space(region, 1, held.build());
  Monitor monitor;
  sparse::BlockCsr<double> a =
      assemble(
          space, [](std::int32_t, std::span<double>) {}, exec::Device::cpu(1), monitor)
          .matrix.to(device());
  RobinFaces robin(device(), space, faces);
  robin.take(values);
  const auto u = setka::test::random_values<double>(region.node_count(), 5);
  robin.add_tangent(device(), -1.5, exec::Array<double>(device(), u), a);

  const DofMap dofs(device(), space);
  const auto of_places = [](auto view) { return exec::MultiView<const double>{view.data, view.size, 1, 1}; };
  const exec::Array<double> step(device(), setka::test::random_values<double>(dofs.size(), 6));
  exec::Array<double> moved(device(), region.node_count());
  dofs.expand(device(), of_places(step.view()), {moved.data(), moved.size(), 1, 1});
  const std::vector<double> by = moved.to_vector();
  constexpr double h = 1e-5;
  const auto given_at = [&](double times) {
    std::vector<double> at = u;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += times * by[i];
    exec::Array<double> given(device(), region.node_count());
    robin.give_off(device(), -1.5, exec::Array<double>(device(), at), given);
    exec::Array<double> on_places(device(), dofs.size());
    dofs.restrict_forces(device(), of_places(std::as_const(given).view()),
                         {on_places.data(), on_places.size(), 1, 1});
    return on_places.to_vector();
  };
  const std::vector<double> more = given_at(h);
  const std::vector<double> less = given_at(-h);
  exec::Array<double> product(device(), dofs.size());
  solve::BlockCsrOperator(std::move(a)).apply(device(), step, product);
  const std::vector<double> computed = product.to_vector();
  for (std::size_t i = 0; i < computed.size(); ++i)
    EXPECT_NEAR(computed[i], (more[i] - less[i]) / (2 * h), 1e-6) << i;
}

TEST_P(RobinFacesOn, NoFacesGiveNothingOff) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {1, 1, 1});
  const Region region = model.region();
  const Space space(region, 1, Constraints::none(region.node_count()));
  RobinFaces robin(device(), space, {});
  EXPECT_TRUE(robin.empty());
  exec::Array<double> given(device(), region.node_count());
  robin.give_off(
      device(), 0,
      exec::Array<double>(device(), std::vector<double>(static_cast<std::size_t>(region.node_count()), 3.0)),
      given);
  for (const double value : given.to_vector()) EXPECT_EQ(value, 0);
  EXPECT_THROW(robin.take(std::vector<RobinValues>(1)), Error);
}

}  // namespace
}  // namespace setka::fem::test
