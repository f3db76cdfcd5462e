// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtk_mesh.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "setka/io/vtk_data.hpp"

namespace setka::io {
namespace {

using mesh::Cell;

/// VTK's number of a shape, and which of our nodes each of its nodes is; empty: the same order.
struct VtkShape {
  std::uint8_t number;
  std::span<const std::int8_t> order = {};
};

/// The first triangle of VTK's wedges looks out of the element, that of CalculiX looks into it: both
/// triangles are walked the other way round, and so are the nodes amid their edges.
VtkShape vtk_shape(Cell cell) {
  static constexpr std::array<std::int8_t, 6> wedge6{0, 2, 1, 3, 5, 4};
  static constexpr std::array<std::int8_t, 15> wedge15{0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13};
  switch (cell) {
    case Cell::point1:
      return {1};
    case Cell::line2:
      return {3};
    case Cell::line3:
      return {21};
    case Cell::tri3:
      return {5};
    case Cell::tri6:
      return {22};
    case Cell::quad4:
      return {9};
    case Cell::quad8:
      return {23};
    case Cell::tet4:
      return {10};
    case Cell::tet10:
      return {24};
    case Cell::wedge6:
      return {13, wedge6};
    case Cell::wedge15:
      return {26, wedge15};
    case Cell::hex8:
      return {12};
    case Cell::hex20:
      return {25};
  }
  return {0};
}

std::string vtk_cells(const mesh::Mesh& mesh) {
  std::vector<std::int32_t> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const VtkShape shape = vtk_shape(mesh.cell(e));
    const std::span<const std::int32_t> nodes = mesh.nodes(e);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      connectivity.push_back(nodes[shape.order.empty() ? i : static_cast<std::size_t>(shape.order[i])]);
    }
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    types.push_back(shape.number);
  }
  return "<Cells>\n" + data_array({"connectivity", "Int32"}, connectivity) +
         data_array({"offsets", "Int64"}, offsets) + data_array({"types", "UInt8"}, types) + "</Cells>\n";
}

}  // namespace

std::string vtk_file_line(std::string_view type, std::string_view more) {
  return fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\"{}>\n",
                     type, std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", more);
}

std::string vtk_node_numbers(const mesh::Mesh& mesh) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(mesh.node_count()));
  for (std::int32_t n = 0; n < mesh.node_count(); ++n)
    numbers[static_cast<std::size_t>(n)] = mesh.node_label(n);
  return data_array({"NodeNumber", "Int32"}, numbers);
}

std::string vtk_element_numbers(const mesh::Mesh& mesh) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(mesh.element_count()));
  for (std::int32_t e = 0; e < mesh.element_count(); ++e)
    numbers[static_cast<std::size_t>(e)] = mesh.element_label(e);
  return data_array({"ElementNumber", "Int32"}, numbers);
}

std::string vtk_geometry(const mesh::Mesh& mesh) {
  return "<Points>\n" + data_array({"Points", "Float64", 3}, mesh.coordinates()) + "</Points>\n" +
         vtk_cells(mesh);
}

}  // namespace setka::io
