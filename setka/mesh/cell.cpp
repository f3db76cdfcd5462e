// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/cell.hpp"

#include <cstddef>

#include "setka/base/error.hpp"

namespace setka::mesh {
namespace {

using Edge = std::array<std::int8_t, 2>;
constexpr std::array<Edge, 1> line3_edges{{{0, 1}}};
constexpr std::array<Edge, 3> tri6_edges{{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<Edge, 4> quad8_edges{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<Edge, 6> tet10_edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
constexpr std::array<Edge, 9> wedge15_edges{
    {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}};
constexpr std::array<Edge, 12> hex20_edges{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

using Nodes = std::array<std::int8_t, 8>;

constexpr std::array<Nodes, 3> tri3_faces{{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<Nodes, 3> tri6_faces{{{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}};
constexpr std::array<Nodes, 4> quad4_faces{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<Nodes, 4> quad8_faces{{{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}}};
constexpr std::array<Nodes, 4> tet4_faces{{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
constexpr std::array<Nodes, 4> tet10_faces{
    {{0, 1, 2, 4, 5, 6}, {0, 3, 1, 7, 8, 4}, {1, 3, 2, 8, 9, 5}, {2, 3, 0, 9, 7, 6}}};
constexpr std::array<Nodes, 5> wedge6_faces{{{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}}};
constexpr std::array<Nodes, 5> wedge15_faces{{{0, 1, 2, 6, 7, 8},
                                              {3, 5, 4, 11, 10, 9},
                                              {0, 3, 4, 1, 12, 9, 13, 6},
                                              {1, 4, 5, 2, 13, 10, 14, 7},
                                              {2, 5, 3, 0, 14, 11, 12, 8}}};
constexpr std::array<Nodes, 6> hex8_faces{
    {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}}};
constexpr std::array<Nodes, 6> hex20_faces{{{0, 1, 2, 3, 8, 9, 10, 11},
                                            {4, 7, 6, 5, 15, 14, 13, 12},
                                            {0, 4, 5, 1, 16, 12, 17, 8},
                                            {1, 5, 6, 2, 17, 13, 18, 9},
                                            {2, 6, 7, 3, 18, 14, 19, 10},
                                            {3, 7, 4, 0, 19, 15, 16, 11}}};

struct CellInfo {
  std::string_view name;
  int nodes;
  int dimension;
  std::span<const Edge> edges;  // with a node between their ends
  std::span<const Nodes> faces;
  Cell face = Cell::line2;   // what the faces are
  int others = 0;            // so many faces at the end are of the other kind
  Cell other = Cell::line2;  // which is this one
};

constexpr std::array<CellInfo, cell_count> cells{{
    {"point1", 1, 0, {}, {}},
    {"line2", 2, 1, {}, {}},
    {"line3", 3, 1, line3_edges, {}},
    {"tri3", 3, 2, {}, tri3_faces, Cell::line2},
    {"tri6", 6, 2, tri6_edges, tri6_faces, Cell::line3},
    {"quad4", 4, 2, {}, quad4_faces, Cell::line2},
    {"quad8", 8, 2, quad8_edges, quad8_faces, Cell::line3},
    {"tet4", 4, 3, {}, tet4_faces, Cell::tri3},
    {"tet10", 10, 3, tet10_edges, tet10_faces, Cell::tri6},
    {"wedge6", 6, 3, {}, wedge6_faces, Cell::tri3, 3, Cell::quad4},
    {"wedge15", 15, 3, wedge15_edges, wedge15_faces, Cell::tri6, 3, Cell::quad8},
    {"hex8", 8, 3, {}, hex8_faces, Cell::quad4},
    {"hex20", 20, 3, hex20_edges, hex20_faces, Cell::quad8},
}};

const CellInfo& info(Cell cell) {
  return cells[static_cast<std::size_t>(cell)];
}

}  // namespace

std::string_view name(Cell cell) {
  return info(cell).name;
}
int node_count(Cell cell) {
  return info(cell).nodes;
}
int dimension(Cell cell) {
  return info(cell).dimension;
}
int face_count(Cell cell) {
  return static_cast<int>(info(cell).faces.size());
}

int corner_count(Cell cell) {
  return node_count(cell) - static_cast<int>(info(cell).edges.size());
}

std::span<const std::array<std::int8_t, 2>> edges_with_nodes(Cell cell) {
  return info(cell).edges;
}

std::span<const std::int8_t> face_nodes(Cell cell, int face) {
  require(face >= 0 && face < face_count(cell), "face_nodes: the cell has no such face");
  const Nodes& nodes = info(cell).faces[static_cast<std::size_t>(face)];
  return {nodes.data(), static_cast<std::size_t>(node_count(face_cell(cell, face)))};
}

Cell face_cell(Cell cell, int face) {
  const CellInfo& about = info(cell);
  return face < face_count(cell) - about.others ? about.face : about.other;
}

}  // namespace setka::mesh
