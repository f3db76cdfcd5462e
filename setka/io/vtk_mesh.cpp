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

/// The mesh's own nodes of its elements, one after the other.
std::span<const std::int32_t> own_nodes(const mesh::Mesh& mesh) {
  const std::int32_t elements = mesh.element_count();
  if (elements == 0) return {};
  const std::span<const std::int32_t> last = mesh.nodes(elements - 1);
  return {mesh.nodes(0).data(), last.data() + last.size()};
}

/// Empty where VTK has all of them in the same order.
std::vector<std::int32_t> turned_nodes(const mesh::Mesh& mesh) {
  std::vector<std::int32_t> turned;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const VtkShape shape = vtk_shape(mesh.cell(e));
    if (shape.order.empty()) continue;
    const std::span<const std::int32_t> own = own_nodes(mesh);
    if (turned.empty()) turned.assign(own.begin(), own.end());
    const std::span<const std::int32_t> nodes = mesh.nodes(e);
    const auto first = static_cast<std::size_t>(nodes.data() - own.data());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      turned[first + i] = nodes[static_cast<std::size_t>(shape.order[i])];
  }
  return turned;
}

std::size_t node_count(const mesh::Mesh& mesh) {
  return static_cast<std::size_t>(mesh.node_count());
}

std::size_t element_count(const mesh::Mesh& mesh) {
  return static_cast<std::size_t>(mesh.element_count());
}

}  // namespace

std::string vtk_file_line(std::string_view type, std::string_view more) {
  return fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\"{}>\n",
                     type, std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", more);
}

VtkMesh::VtkMesh(const mesh::Mesh& mesh)
    : turned_(turned_nodes(mesh)),
      node_numbers_({"NodeNumber", "Int32"},
                    numbers_made<std::int32_t>(
                        node_count(mesh),
                        [&mesh](std::size_t n) { return mesh.node_label(static_cast<std::int32_t>(n)); })),
      element_numbers_({"ElementNumber", "Int32"},
                       numbers_made<std::int32_t>(element_count(mesh),
                                                  [&mesh](std::size_t e) {
                                                    return mesh.element_label(static_cast<std::int32_t>(e));
                                                  })),
      points_({"Points", "Float64", 3}, numbers_in(mesh.coordinates())),
      connectivity_({"connectivity", "Int32"},
                    turned_.empty() ? numbers_in(own_nodes(mesh)) : numbers_in(turned_)),
      offsets_({"offsets", "Int64"},
               numbers_made<std::int64_t>(element_count(mesh),
                                          [&mesh](std::size_t e) -> std::int64_t {
                                            const std::span<const std::int32_t> nodes =
                                                mesh.nodes(static_cast<std::int32_t>(e));
                                            return nodes.data() + nodes.size() - mesh.nodes(0).data();
                                          })),
      types_({"types", "UInt8"}, numbers_made<std::uint8_t>(element_count(mesh), [&mesh](std::size_t e) {
               return vtk_shape(mesh.cell(static_cast<std::int32_t>(e))).number;
             })) {}

std::string VtkMesh::geometry(VtkArrays& arrays) const {
  return "<Points>\n" + arrays.add(points_) + "</Points>\n<Cells>\n" + arrays.add(connectivity_) +
         arrays.add(offsets_) + arrays.add(types_) + "</Cells>\n";
}

}  // namespace setka::io
