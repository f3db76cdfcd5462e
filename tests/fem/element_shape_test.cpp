// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_shape.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "fem/solids.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "setka/model/element_type.hpp"

namespace setka::fem {
namespace {

constexpr double tight = 1e-13;  // a few dozen operations on numbers of size 1

/// One element with the nodes at these places.
mesh::Mesh element(std::string_view type, const std::vector<std::array<double, 3>>& places) {
  mesh::Mesh mesh;
  std::vector<std::int32_t> nodes;
  for (const auto& [x, y, z] : places) nodes.push_back(mesh.add_node(mesh.node_count() + 1, x, y, z));
  model::add_element(mesh, 1, deck::element(type), nodes);
  return mesh;
}

mesh::Mesh hexahedron(double length, double height) {
  return element("C3D8", {{0, 0, 0},
                          {length, 0, 0},
                          {length, 1, 0},
                          {0, 1, 0},
                          {0, 0, height},
                          {length, 0, height},
                          {length, 1, height},
                          {0, 1, height}});
}

TEST(ElementShape, IdealShapesHaveOne) {
  const double h = std::numbers::sqrt3 / 2;
  const mesh::Mesh tetra =
      element("C3D4", {{0, 0, 0}, {1, 0, 0}, {0.5, h, 0}, {0.5, h / 3, std::sqrt(2.0 / 3)}});
  const mesh::Mesh wedge =
      element("C3D6", {{0, 0, 0}, {1, 0, 0}, {0.5, h, 0}, {0, 0, 1}, {1, 0, 1}, {0.5, h, 1}});
  const mesh::Mesh triangle = element("CPS3", {{0, 0, 0}, {1, 0, 0}, {0.5, h, 0}});
  for (const mesh::Mesh& mesh : {hexahedron(1, 1), tetra, wedge, triangle}) {
    const ElementShape shape = element_shape(mesh, 0);
    EXPECT_EQ(shape.fault, ShapeFault::none);
    EXPECT_NEAR(shape.scaled_jacobian, 1, tight) << deck::name(mesh, 0);
    EXPECT_NEAR(shape.aspect_ratio, 1, tight);
    EXPECT_NEAR(shape.jacobian_ratio, 1, tight);
  }
}

TEST(ElementShape, AspectRatioIsOfEdges) {
  EXPECT_NEAR(element_shape(hexahedron(7, 1), 0).aspect_ratio, 7, tight);
  EXPECT_NEAR(element_shape(hexahedron(7, 1), 0).scaled_jacobian, 1, tight);
  // The thickness of a plane element is no edge of it.
  const mesh::Mesh plate = element("CPS4", {{0, 0, 0}, {50, 0, 0}, {50, 100, 0}, {0, 100, 0}});
  EXPECT_NEAR(element_shape(plate, 0).aspect_ratio, 2, tight);
  EXPECT_NEAR(element_shape(plate, 0).least_jacobian, 50 * 100 / 4.0, 1e-9);
}

TEST(ElementShape, ScaledJacobianIsTheSineOfACorner) {
  for (const double angle : {0.05, 0.3, 1.0}) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const mesh::Mesh plate = element("CPE4", {{0, 0, 0}, {1, 0, 0}, {1 + c, s, 0}, {c, s, 0}});
    EXPECT_NEAR(element_shape(plate, 0).scaled_jacobian, s, tight) << angle;
  }
}

TEST(ElementShape, MiddleNodesCount) {
  // A middle node moved along its edge by d: dx/dr = 1 -+ 4 d at the ends, in units of half the edge.
  const double d = 0.24;
  mesh::Mesh plate = element(
      "CPS8", {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {d, -1, 0}, {1, 0, 0}, {d, 1, 0}, {-1, 0, 0}});
  const ElementShape shape = element_shape(plate, 0);
  EXPECT_EQ(shape.fault, ShapeFault::none);
  EXPECT_NEAR(shape.least_jacobian, 1 - 2 * d, tight);
  EXPECT_NEAR(shape.jacobian_ratio, (1 - 2 * d) / (1 + 2 * d), tight);
}

TEST(ElementShape, EachFaultIsToldApart) {
  EXPECT_EQ(element_shape(hexahedron(1, -1), 0).fault, ShapeFault::inside_out);
  EXPECT_EQ(element_shape(hexahedron(1, 0), 0).fault, ShapeFault::flat);
  EXPECT_EQ(element_shape(hexahedron(1, 1e-14), 0).fault, ShapeFault::flat) << "rounding is no volume";
  EXPECT_EQ(element_shape(hexahedron(1, 1e-6), 0).fault, ShapeFault::none);
  const auto quad = [](double x, double y) {
    return element("CPS4", {{0, 0, 0}, {1, 0, 0}, {x, y, 0}, {0, 1, 0}});
  };
  EXPECT_EQ(element_shape(quad(1, 1), 0).fault, ShapeFault::none);
  EXPECT_EQ(element_shape(quad(0.2, 0.2), 0).fault, ShapeFault::folded);
  EXPECT_EQ(element_shape(quad(0.5, 0.5), 0).fault, ShapeFault::pinched);
  EXPECT_EQ(element_shape(quad(1, 0), 0).fault, ShapeFault::pinched) << "two nodes in one place";
  EXPECT_EQ(element_shape(quad(1, 0), 0).aspect_ratio, INFINITY);
}

TEST(ElementShape, AxisymmetricElementsMayTouchTheAxisButNotCrossIt) {
  const auto ring = [](double inner) {
    return element("CAX4", {{inner, 0, 0}, {1, 0, 0}, {1, 1, 0}, {inner, 1, 0}});
  };
  EXPECT_EQ(element_shape(ring(0), 0).fault, ShapeFault::none);
  EXPECT_EQ(element_shape(ring(-0.1), 0).fault, ShapeFault::beyond_axis);
}

TEST(ElementShape, MeasureOfABlock) {
  for (const Element type : test::solids) {
    mesh::BlockGrid grid;
    for (auto& cells : grid.cells) cells = {2};
    const mesh::Mesh block =
        mesh::block_mesh(
            grid, cell_of(type),
            [](double s, double t, double r) -> std::array<double, 3> {
              return {2 * s + 0.5 * t, 3 * t, 5 * r + 1};
            },
            model::ElementType{cell_of(type), model::Family::solid, integration_of(type)}.attribute())
            .mesh;
    ElementMeasure sum;
    for (std::int32_t e = 0; e < block.element_count(); ++e) {
      const ElementMeasure one = element_measure(block, e, 99);
      sum.volume += one.volume;
      for (std::size_t k = 0; k < 3; ++k) sum.moment[k] += one.moment[k];
    }
    EXPECT_NEAR(sum.volume, 30, 1e-11) << name(type);
    EXPECT_NEAR(sum.moment[0] / 30, 1.25, tight) << name(type);
    EXPECT_NEAR(sum.moment[1] / 30, 1.5, tight);
    EXPECT_NEAR(sum.moment[2] / 30, 3.5, tight);
  }
}

TEST(ElementShape, MeasureOfPlanesAndRings) {
  const mesh::Mesh plate = element("CPS4R", {{0, 0, 7}, {2, 0, 7}, {2, 3, 7}, {0, 3, 7}});
  const ElementMeasure sheet = element_measure(plate, 0, 0.5);
  EXPECT_NEAR(sheet.volume, 3, tight);
  EXPECT_NEAR(sheet.moment[2] / sheet.volume, 7, tight);
  // A cone of radius 1 and height 3: volume pi, its centre at a quarter of the height.
  const mesh::Mesh cone =
      element("CAX6", {{0, 0, 0}, {1, 0, 0}, {0, 3, 0}, {0.5, 0, 0}, {0.5, 1.5, 0}, {0, 1.5, 0}});
  const ElementMeasure ring = element_measure(cone, 0, 1);
  EXPECT_NEAR(ring.volume, std::numbers::pi, tight);
  EXPECT_EQ(ring.moment[0], 0);
}

TEST(ElementShape, OfBarsTheLengthCounts) {
  const mesh::Mesh truss = element("T3D2", {{0, 0, 0}, {3, 4, 0}});
  EXPECT_EQ(element_shape(truss, 0).fault, ShapeFault::none);
  EXPECT_DOUBLE_EQ(element_measure(truss, 0, 0.5).volume, 2.5);
  EXPECT_DOUBLE_EQ(element_measure(truss, 0, 0.5).moment[1], 5);
  const std::vector<std::array<double, 3>> one_place{{1, 2, 3}, {1, 2, 3}};
  EXPECT_EQ(element_shape(element("T3D2", one_place), 0).fault, ShapeFault::no_length);
  EXPECT_EQ(element_shape(element("SPRINGA", one_place), 0).fault, ShapeFault::no_length);
  EXPECT_EQ(element_shape(element("SPRING2", one_place), 0).fault, ShapeFault::none);
  EXPECT_EQ(element_measure(element("SPRING2", one_place), 0, 1).volume, 0);
}

}  // namespace
}  // namespace setka::fem
