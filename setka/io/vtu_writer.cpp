// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtu_writer.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/vtk_data.hpp"
#include "setka/model/attributes.hpp"

namespace setka::io {
namespace {

using mesh::Shape;

/// VTK's number of a shape, and which of our nodes each of its nodes is; empty: the same order.
struct VtkShape {
  std::uint8_t number;
  std::span<const std::int8_t> order = {};
};

/// The first triangle of VTK's wedges looks out of the element, that of CalculiX looks into it: both
/// triangles are walked the other way round, and so are the nodes amid their edges.
VtkShape vtk_shape(Shape shape) {
  static constexpr std::array<std::int8_t, 6> wedge6{0, 2, 1, 3, 5, 4};
  static constexpr std::array<std::int8_t, 15> wedge15{0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13};
  switch (shape) {
    case Shape::point1:
      return {1};
    case Shape::line2:
      return {3};
    case Shape::line3:
      return {21};
    case Shape::triangle3:
      return {5};
    case Shape::triangle6:
      return {22};
    case Shape::quad4:
      return {9};
    case Shape::quad8:
      return {23};
    case Shape::tetra4:
      return {10};
    case Shape::tetra10:
      return {24};
    case Shape::wedge6:
      return {13, wedge6};
    case Shape::wedge15:
      return {26, wedge15};
    case Shape::hexa8:
      return {12};
    case Shape::hexa20:
      return {25};
  }
  return {0};
}

constexpr std::array<std::string_view, 3> vector_names{"X", "Y", "Z"};
constexpr std::array<std::string_view, 6> tensor_names{"XX", "YY", "ZZ", "XY", "YZ", "XZ"};

/// Ours are xx yy zz xy xz yz.
std::vector<double> in_vtk_order(std::span<const double> tensors) {
  std::vector<double> values(tensors.begin(), tensors.end());
  for (std::size_t i = 0; i + 5 < values.size(); i += 6) std::swap(values[i + 4], values[i + 5]);
  return values;
}

std::vector<double> von_mises(std::span<const double> stresses) {
  std::vector<double> values(stresses.size() / 6);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto s = stresses.subspan(6 * i, 6);
    const double a = s[0] - s[1];
    const double b = s[1] - s[2];
    const double c = s[2] - s[0];
    values[i] = std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
  }
  return values;
}

std::string node_field(const model::NodeField& field) {
  if (field.components == 6) {
    return detail::data_array({field.name, "Float64", 6, tensor_names}, in_vtk_order(field.values));
  }
  const auto names = field.components == 3 ? std::span<const std::string_view>(vector_names)
                                           : std::span<const std::string_view>();
  return detail::data_array({field.name, "Float64", field.components, names}, field.values);
}

std::string encoded_cells(const mesh::Mesh& mesh) {
  std::vector<std::int32_t> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const VtkShape shape = vtk_shape(mesh::info(mesh.type(e)).shape);
    const std::span<const std::int32_t> nodes = mesh.nodes(e);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      connectivity.push_back(nodes[shape.order.empty() ? i : static_cast<std::size_t>(shape.order[i])]);
    }
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    types.push_back(shape.number);
  }
  return "<Cells>\n" + detail::data_array({"connectivity", "Int32"}, connectivity) +
         detail::data_array({"offsets", "Int64"}, offsets) + detail::data_array({"types", "UInt8"}, types) +
         "</Cells>\n";
}

/// What ends the PointData element, and all behind it: the same in every frame.
std::string encoded_mesh(const model::Model& model) {
  const mesh::Mesh& mesh = model.mesh;
  std::vector<std::int32_t> node_numbers(static_cast<std::size_t>(mesh.node_count()));
  for (std::int32_t n = 0; n < mesh.node_count(); ++n)
    node_numbers[static_cast<std::size_t>(n)] = mesh.node_label(n);
  std::vector<std::int32_t> element_numbers(static_cast<std::size_t>(mesh.element_count()));
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    element_numbers[static_cast<std::size_t>(e)] = mesh.element_label(e);
  }
  std::vector<std::int32_t> materials = model::materials_of_elements(model);
  for (std::int32_t& material : materials) ++material;
  return detail::data_array({"NodeNumber", "Int32"}, node_numbers) + "</PointData>\n<CellData>\n" +
         detail::data_array({"ElementNumber", "Int32"}, element_numbers) +
         detail::data_array({"MaterialNumber", "Int32"}, materials) + "</CellData>\n<Points>\n" +
         detail::data_array({"Points", "Float64", 3}, mesh.coordinates()) + "</Points>\n" +
         encoded_cells(mesh);
}

std::string vtk_file_line(std::string_view type, std::string_view more) {
  return fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\"{}>\n",
                     type, std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", more);
}

}  // namespace

VtuWriter::VtuWriter(std::filesystem::path stem, const model::Model& model)
    : stem_(std::move(stem)), model_(model), mesh_pieces_(encoded_mesh(model)) {}

std::filesystem::path VtuWriter::with_suffix(const std::string& suffix) const {
  std::filesystem::path path = stem_;
  path += suffix;
  return path;
}

std::filesystem::path VtuWriter::numbered(int number) const {
  return with_suffix(fmt::format(".{:04}.vtu", number));
}

void VtuWriter::write(const model::Step& step, const model::Frame& frame) {
  if (!output_is_due(step, frame)) return;
  const mesh::Mesh& mesh = model_.mesh;
  for (const model::NodeField& field : frame.node_fields) {
    const std::int64_t wanted = std::int64_t{field.components} * mesh.node_count();
    require(static_cast<std::int64_t>(field.values.size()) == wanted, [&] {
      return fmt::format(".vtu: {} has {} values in the frame where the mesh needs {}", field.name,
                         field.values.size(), wanted);
    });
  }
  OutputFile file(numbered(static_cast<int>(written_.size()) + 1));
  file.write(
      vtk_file_line("UnstructuredGrid", R"( header_type="UInt64" compressor="vtkZLibDataCompressor")"));
  file.write(
      fmt::format("<UnstructuredGrid>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                  "NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n</FieldData>\n"
                  "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
                  frame.time, mesh.node_count(), mesh.element_count()));
  for (const model::NodeField& field : frame.node_fields) {
    file.write(node_field(field));
    if (field.name == "S") file.write(detail::data_array({"S_Mises", "Float64"}, von_mises(field.values)));
  }
  file.write(mesh_pieces_);
  file.write("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
  file.commit();
  files_.push_back(file.path());
  written_.push_back({file.path(), frame.time});
}

void VtuWriter::finish() {
  if (written_.size() == 1) {
    const std::filesystem::path plain = with_suffix(".vtu");
    std::error_code reason;
    std::filesystem::rename(written_[0].path, plain, reason);
    if (reason) {
      throw Error(Fault::resource,
                  fmt::format("{} cannot be given its name: {}", plain.string(), reason.message()));
    }
    written_[0].path = files_[0] = plain;
  }
  OutputFile file(with_suffix(".pvd"));
  file.write(vtk_file_line("Collection", "") + "<Collection>\n");
  for (const Written& frame : written_) {
    file.write(fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
                           detail::escaped(frame.path.filename().string())));
  }
  file.write("</Collection>\n</VTKFile>\n");
  file.commit();
  files_.push_back(file.path());
}

}  // namespace setka::io
