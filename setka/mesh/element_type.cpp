// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/element_type.hpp"

#include <cstddef>

#include "setka/base/error.hpp"

namespace setka::mesh {
namespace {

struct ShapeInfo {
  int nodes;
  int dimension;
  int faces;
};

constexpr std::array<ShapeInfo, 13> shapes{{
    {1, 0, 0},   // point1
    {2, 1, 0},   // line2
    {3, 1, 0},   // line3
    {3, 2, 3},   // triangle3
    {6, 2, 3},   // triangle6
    {4, 2, 4},   // quad4
    {8, 2, 4},   // quad8
    {4, 3, 4},   // tetra4
    {10, 3, 4},  // tetra10
    {6, 3, 5},   // wedge6
    {15, 3, 5},  // wedge15
    {8, 3, 6},   // hexa8
    {20, 3, 6},  // hexa20
}};

using Edge = std::array<std::int8_t, 2>;
constexpr std::array<Edge, 1> line3_edges{{{0, 1}}};
constexpr std::array<Edge, 3> triangle6_edges{{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<Edge, 4> quad8_edges{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<Edge, 6> tetra10_edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
constexpr std::array<Edge, 9> wedge15_edges{
    {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}};
constexpr std::array<Edge, 12> hexa20_edges{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

using Nodes = std::array<std::int8_t, 8>;

constexpr std::array<Nodes, 3> triangle3_faces{{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<Nodes, 3> triangle6_faces{{{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}};
constexpr std::array<Nodes, 4> quad4_faces{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<Nodes, 4> quad8_faces{{{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}}};
constexpr std::array<Nodes, 4> tetra4_faces{{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
constexpr std::array<Nodes, 4> tetra10_faces{
    {{0, 1, 2, 4, 5, 6}, {0, 3, 1, 7, 8, 4}, {1, 3, 2, 8, 9, 5}, {2, 3, 0, 9, 7, 6}}};
constexpr std::array<Nodes, 5> wedge6_faces{{{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}}};
constexpr std::array<Nodes, 5> wedge15_faces{{{0, 1, 2, 6, 7, 8},
                                              {3, 5, 4, 11, 10, 9},
                                              {0, 3, 4, 1, 12, 9, 13, 6},
                                              {1, 4, 5, 2, 13, 10, 14, 7},
                                              {2, 5, 3, 0, 14, 11, 12, 8}}};
constexpr std::array<Nodes, 6> hexa8_faces{
    {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}}};
constexpr std::array<Nodes, 6> hexa20_faces{{{0, 1, 2, 3, 8, 9, 10, 11},
                                             {4, 7, 6, 5, 15, 14, 13, 12},
                                             {0, 4, 5, 1, 16, 12, 17, 8},
                                             {1, 5, 6, 2, 17, 13, 18, 9},
                                             {2, 6, 7, 3, 18, 14, 19, 10},
                                             {3, 7, 4, 0, 19, 15, 16, 11}}};

const Nodes& face_row(Shape shape, int face) {
  require(face >= 0 && face < face_count(shape), "face_nodes: the element has no such face");
  const auto f = static_cast<std::size_t>(face);
  switch (shape) {
    case Shape::triangle3:
      return triangle3_faces[f];
    case Shape::triangle6:
      return triangle6_faces[f];
    case Shape::quad4:
      return quad4_faces[f];
    case Shape::quad8:
      return quad8_faces[f];
    case Shape::tetra4:
      return tetra4_faces[f];
    case Shape::tetra10:
      return tetra10_faces[f];
    case Shape::wedge6:
      return wedge6_faces[f];
    case Shape::wedge15:
      return wedge15_faces[f];
    case Shape::hexa8:
      return hexa8_faces[f];
    default:
      return hexa20_faces[f];
  }
}

constexpr std::array<ElementTypeInfo, element_type_count> types{{
    {"C3D4", Shape::tetra4, Family::solid, Integration::full},
    {"C3D6", Shape::wedge6, Family::solid, Integration::full},
    {"C3D8", Shape::hexa8, Family::solid, Integration::full},
    {"C3D8I", Shape::hexa8, Family::solid, Integration::incompatible},
    {"C3D8R", Shape::hexa8, Family::solid, Integration::reduced},
    {"C3D10", Shape::tetra10, Family::solid, Integration::full},
    {"C3D15", Shape::wedge15, Family::solid, Integration::full},
    {"C3D20", Shape::hexa20, Family::solid, Integration::full},
    {"C3D20R", Shape::hexa20, Family::solid, Integration::reduced},
    {"CPS3", Shape::triangle3, Family::plane_stress, Integration::full},
    {"CPS4", Shape::quad4, Family::plane_stress, Integration::full},
    {"CPS4R", Shape::quad4, Family::plane_stress, Integration::reduced},
    {"CPS6", Shape::triangle6, Family::plane_stress, Integration::full},
    {"CPS8", Shape::quad8, Family::plane_stress, Integration::full},
    {"CPS8R", Shape::quad8, Family::plane_stress, Integration::reduced},
    {"CPE3", Shape::triangle3, Family::plane_strain, Integration::full},
    {"CPE4", Shape::quad4, Family::plane_strain, Integration::full},
    {"CPE4R", Shape::quad4, Family::plane_strain, Integration::reduced},
    {"CPE6", Shape::triangle6, Family::plane_strain, Integration::full},
    {"CPE8", Shape::quad8, Family::plane_strain, Integration::full},
    {"CPE8R", Shape::quad8, Family::plane_strain, Integration::reduced},
    {"CAX3", Shape::triangle3, Family::axisymmetric, Integration::full},
    {"CAX4", Shape::quad4, Family::axisymmetric, Integration::full},
    {"CAX4R", Shape::quad4, Family::axisymmetric, Integration::reduced},
    {"CAX6", Shape::triangle6, Family::axisymmetric, Integration::full},
    {"CAX8", Shape::quad8, Family::axisymmetric, Integration::full},
    {"CAX8R", Shape::quad8, Family::axisymmetric, Integration::reduced},
    {"T3D2", Shape::line2, Family::truss, Integration::full},
    {"SPRING1", Shape::point1, Family::spring, Integration::full},
    {"SPRING2", Shape::line2, Family::spring, Integration::full},
    {"SPRINGA", Shape::line2, Family::spring, Integration::full},
}};

}  // namespace

int node_count(Shape shape) {
  return shapes[static_cast<std::size_t>(shape)].nodes;
}
int dimension(Shape shape) {
  return shapes[static_cast<std::size_t>(shape)].dimension;
}
int face_count(Shape shape) {
  return shapes[static_cast<std::size_t>(shape)].faces;
}

int corner_count(Shape shape) {
  return node_count(shape) - static_cast<int>(edges_with_nodes(shape).size());
}

std::span<const std::array<std::int8_t, 2>> edges_with_nodes(Shape shape) {
  switch (shape) {
    case Shape::line3:
      return line3_edges;
    case Shape::triangle6:
      return triangle6_edges;
    case Shape::quad8:
      return quad8_edges;
    case Shape::tetra10:
      return tetra10_edges;
    case Shape::wedge15:
      return wedge15_edges;
    case Shape::hexa20:
      return hexa20_edges;
    default:
      return {};
  }
}

std::span<const std::int8_t> face_nodes(Shape shape, int face) {
  const Nodes& row = face_row(shape, face);
  return {row.data(), static_cast<std::size_t>(node_count(face_shape(shape, face)))};
}

Shape face_shape(Shape shape, int face) {
  switch (shape) {
    case Shape::tetra4:
      return Shape::triangle3;
    case Shape::tetra10:
      return Shape::triangle6;
    case Shape::wedge6:
      return face < 2 ? Shape::triangle3 : Shape::quad4;
    case Shape::wedge15:
      return face < 2 ? Shape::triangle6 : Shape::quad8;
    case Shape::hexa8:
      return Shape::quad4;
    case Shape::hexa20:
      return Shape::quad8;
    case Shape::triangle6:
    case Shape::quad8:
      return Shape::line3;
    default:
      return Shape::line2;
  }
}

const ElementTypeInfo& info(ElementType type) {
  return types[static_cast<std::size_t>(type)];
}

std::optional<ElementType> element_type(std::string_view name) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

}  // namespace setka::mesh
