// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtu_frame.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "setka/model/attributes.hpp"

namespace setka::io {
namespace {

/// The nodes of a file; null: all of them.
using NodeChoice = const std::vector<std::int32_t>*;

constexpr std::array<std::string_view, 3> vector_names{"X", "Y", "Z"};
constexpr std::array<std::string_view, 6> tensor_names{"XX", "YY", "ZZ", "XY", "YZ", "XZ"};

/// Ours are xx yy zz xy xz yz.
constexpr std::array<std::size_t, 6> tensor_order{0, 1, 2, 3, 5, 4};

std::size_t chosen_node(NodeChoice nodes, std::size_t i) {
  return nodes == nullptr ? i : static_cast<std::size_t>((*nodes)[i]);
}

VtkArray node_field(const std::string& name, const model::NodeField& field, NodeChoice nodes) {
  const std::vector<double>& values = field.values;
  const auto components = static_cast<std::size_t>(field.components);
  const std::size_t count = nodes == nullptr ? values.size() : nodes->size() * components;
  if (components == 6) {
    return {{name, "Float64", 6, tensor_names}, numbers_made<double>(count, [&values, nodes](std::size_t i) {
              return values[6 * chosen_node(nodes, i / 6) + tensor_order[i % 6]];
            })};
  }
  const auto names =
      components == 3 ? std::span<const std::string_view>(vector_names) : std::span<const std::string_view>();
  const ArrayForm form{name, "Float64", field.components, names};
  if (nodes == nullptr) return {form, numbers_in(values)};
  return {form, numbers_made<double>(count, [&values, nodes, components](std::size_t i) {
            return values[components * chosen_node(nodes, i / components) + i % components];
          })};
}

VtkArray von_mises(const std::vector<double>& stresses, NodeChoice nodes) {
  const std::size_t count = nodes == nullptr ? stresses.size() / 6 : nodes->size();
  return {{"S_Mises", "Float64"}, numbers_made<double>(count, [&stresses, nodes](std::size_t i) {
            const double* const s = stresses.data() + 6 * chosen_node(nodes, i);
            const double a = s[0] - s[1];
            const double b = s[1] - s[2];
            const double c = s[2] - s[0];
            return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
          })};
}

/// All fields of a frame, in their order.
std::vector<VtkArray> fields_of(const model::Frame& frame, NodeChoice nodes) {
  std::vector<VtkArray> fields;
  for (const model::NodeField& field : frame.node_fields) {
    fields.push_back(node_field(field.name, field, nodes));
    if (field.name == "S") fields.push_back(von_mises(field.values, nodes));
  }
  for (const model::Frame& part : frame.imaginary) {
    for (const model::NodeField& field : part.node_fields)
      fields.push_back(node_field(field.name + "_Imaginary", field, nodes));
  }
  return fields;
}

/// Time, and of a mode its number and frequency, or the factor at which it buckles.
std::string field_data(const model::Frame& frame, double time) {
  const auto value = [](std::string_view name, double number) {
    return fmt::format(
        "<DataArray type=\"Float64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
        name, number);
  };
  std::string text = "<FieldData>\n" + value("TimeValue", time);
  if (frame.mode) {
    text += value("ModeNumber", frame.mode->number) + value("Frequency", frame.mode->frequency()) +
            value("Eigenvalue", frame.mode->eigenvalue);
  }
  if (frame.buckling)
    text += value("ModeNumber", frame.buckling->number) + value("BucklingFactor", frame.buckling->factor);
  return text + "</FieldData>\n";
}

/// From 1; 0 where an element has none.
VtkArray material_numbers(std::vector<std::int32_t> materials) {
  const std::size_t count = materials.size();
  return {{"MaterialNumber", "Int32"},
          numbers_made<std::int32_t>(
              count, [materials = std::move(materials)](std::size_t e) { return materials[e] + 1; })};
}

std::vector<std::int32_t> materials_of(const model::Model& model, std::span<const std::int32_t> elements) {
  const std::vector<std::int32_t> of_all = model::materials_of_elements(model);
  std::vector<std::int32_t> materials;
  materials.reserve(elements.size());
  for (const std::int32_t e : elements) materials.push_back(of_all[static_cast<std::size_t>(e)]);
  return materials;
}

}  // namespace

VtuMesh::VtuMesh(const model::Model& model)
    : mesh_(model.mesh), materials_(material_numbers(model::materials_of_elements(model))), arrays_(mesh_) {}

VtuMesh::VtuMesh(const model::Model& model, std::span<const std::int32_t> elements)
    : piece_(piece_of(model.mesh, elements)),
      mesh_(piece_->mesh),
      materials_(material_numbers(materials_of(model, elements))),
      arrays_(mesh_) {}

void VtuMesh::take_values_of(const model::ShownSolids& shown) {
  if (!piece_) {
    values_of_ = shown.node;
    return;
  }
  values_of_.reserve(piece_->nodes.size());
  for (const std::int32_t node : piece_->nodes)
    values_of_.push_back(shown.node[static_cast<std::size_t>(node)]);
}

VtuFrame::VtuFrame(const VtuMesh& mesh, const model::Frame& frame, double time)
    : mesh_(mesh), values_(field_data(frame, time)), fields_(fields_of(frame, mesh.nodes())) {}

void VtuFrame::write(OutputFile& file) const {
  const VtkMesh& shown = mesh_.arrays();
  file.write(vtk_file_line("UnstructuredGrid", vtk_compressed));
  file.write("<UnstructuredGrid>\n" + values_ +
             fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
                         mesh_.mesh().node_count(), mesh_.mesh().element_count()));
  VtkArrays arrays;
  for (const VtkArray& field : fields_) file.write(arrays.add(field));
  file.write(arrays.add(shown.node_numbers()) + "</PointData>\n<CellData>\n");
  file.write(arrays.add(shown.element_numbers()) + arrays.add(mesh_.materials()) + "</CellData>\n");
  file.write(shown.geometry(arrays) + "</Piece>\n</UnstructuredGrid>\n");
  arrays.write(file);
  file.write("</VTKFile>\n");
}

std::string VtuFrame::pvtu(const std::vector<std::string>& files) const {
  const VtkMesh& shown = mesh_.arrays();
  std::string text = vtk_file_line("PUnstructuredGrid", "") + "<PUnstructuredGrid GhostLevel=\"0\">\n" +
                     values_ + "<PPointData>\n";
  for (const VtkArray& field : fields_) text += field.declaration();
  text += shown.node_numbers().declaration() + "</PPointData>\n<PCellData>\n" +
          shown.element_numbers().declaration() + mesh_.materials().declaration() +
          "</PCellData>\n<PPoints>\n" + shown.points().declaration() + "</PPoints>\n";
  for (const std::string& file : files) text += fmt::format("<Piece Source=\"{}\"/>\n", xml_escaped(file));
  return text + "</PUnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace setka::io
