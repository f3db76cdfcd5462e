// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/msh_shapes.hpp"

#include <algorithm>
#include <array>

namespace setka::io::detail {
namespace {

using mesh::Cell;

constexpr std::array shapes{
    MshShape{1, "2-node lines", 1, 2, 2, Cell::line2},
    MshShape{2, "3-node triangles", 2, 3, 3, Cell::tri3},
    MshShape{3, "4-node quadrangles", 2, 4, 4, Cell::quad4},
    MshShape{4, "4-node tetrahedra", 3, 4, 4, Cell::tet4},
    MshShape{5, "8-node hexahedra", 3, 8, 8, Cell::hex8},
    MshShape{6, "6-node prisms", 3, 6, 6, Cell::wedge6},
    MshShape{7, "5-node pyramids", 3, 5, 5, {}},
    MshShape{8, "3-node lines", 1, 3, 2, Cell::line3},
    MshShape{9, "6-node triangles", 2, 6, 3, Cell::tri6},
    MshShape{10, "9-node quadrangles", 2, 9, 4, {}},
    MshShape{11, "10-node tetrahedra", 3, 10, 4, Cell::tet10},
    MshShape{12, "27-node hexahedra", 3, 27, 8, {}},
    MshShape{13, "18-node prisms", 3, 18, 6, {}},
    MshShape{14, "14-node pyramids", 3, 14, 5, {}},
    MshShape{15, "points", 0, 1, 1, Cell::point1},
    MshShape{16, "8-node quadrangles", 2, 8, 4, Cell::quad8},
    MshShape{17, "20-node hexahedra", 3, 20, 8, Cell::hex20},
    MshShape{18, "15-node prisms", 3, 15, 6, Cell::wedge15},
    MshShape{19, "13-node pyramids", 3, 13, 5, {}},
    MshShape{20, "9-node triangles", 2, 9, 3, {}},
    MshShape{21, "10-node triangles", 2, 10, 3, {}},
    MshShape{22, "12-node triangles", 2, 12, 3, {}},
    MshShape{23, "15-node triangles", 2, 15, 3, {}},
    MshShape{24, "incomplete 15-node triangles", 2, 15, 3, {}},
    MshShape{25, "21-node triangles", 2, 21, 3, {}},
    MshShape{26, "4-node lines", 1, 4, 2, {}},
    MshShape{27, "5-node lines", 1, 5, 2, {}},
    MshShape{28, "6-node lines", 1, 6, 2, {}},
    MshShape{29, "20-node tetrahedra", 3, 20, 4, {}},
    MshShape{30, "35-node tetrahedra", 3, 35, 4, {}},
    MshShape{31, "56-node tetrahedra", 3, 56, 4, {}},
    MshShape{36, "16-node quadrangles", 2, 16, 4, {}},
    MshShape{37, "25-node quadrangles", 2, 25, 4, {}},
    MshShape{90, "40-node prisms", 3, 40, 6, {}},
    MshShape{92, "64-node hexahedra", 3, 64, 8, {}},
    MshShape{93, "125-node hexahedra", 3, 125, 8, {}},
};

// Gmsh lists the edges of a shape by their lower node, CalculiX walks around the faces.
constexpr std::array<std::int8_t, 10> tetra10{0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
constexpr std::array<std::int8_t, 15> wedge15{0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11};
constexpr std::array<std::int8_t, 20> hexa20{0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                             13, 9, 16, 18, 19, 17, 10, 12, 14, 15};

}  // namespace

const MshShape* find_msh_shape(std::int64_t number) {
  const auto* found =
      std::find_if(shapes.begin(), shapes.end(), [&](const MshShape& s) { return s.number == number; });
  return found == shapes.end() ? nullptr : found;
}

std::span<const std::int8_t> msh_node_order(Cell cell) {
  switch (cell) {
    case Cell::tet10:
      return tetra10;
    case Cell::wedge15:
      return wedge15;
    case Cell::hex20:
      return hexa20;
    default:
      return {};
  }
}

}  // namespace setka::io::detail
