// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtu_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <sstream>
#include <system_error>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/meanwhile.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/output_names.hpp"
#include "setka/io/vtk_data.hpp"
#include "setka/io/vtk_mesh.hpp"
#include "setka/model/attributes.hpp"

namespace setka::io {
namespace {

constexpr std::array<std::string_view, 3> vector_names{"X", "Y", "Z"};
constexpr std::array<std::string_view, 6> tensor_names{"XX", "YY", "ZZ", "XY", "YZ", "XZ"};

/// Ours are xx yy zz xy xz yz.
constexpr std::array<std::size_t, 6> tensor_order{0, 1, 2, 3, 5, 4};

VtkArray node_field(const std::string& name, const model::NodeField& field) {
  const std::vector<double>& values = field.values;
  if (field.components == 6) {
    return {{name, "Float64", 6, tensor_names}, numbers_made<double>(values.size(), [&values](std::size_t i) {
              return values[i - i % 6 + tensor_order[i % 6]];
            })};
  }
  const auto names = field.components == 3 ? std::span<const std::string_view>(vector_names)
                                           : std::span<const std::string_view>();
  return {{name, "Float64", field.components, names}, numbers_in(values)};
}

VtkArray von_mises(const std::vector<double>& stresses) {
  return {{"S_Mises", "Float64"}, numbers_made<double>(stresses.size() / 6, [&stresses](std::size_t i) {
            const double* const s = stresses.data() + 6 * i;
            const double a = s[0] - s[1];
            const double b = s[1] - s[2];
            const double c = s[2] - s[0];
            return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
          })};
}

/// All fields of a frame, in their order.
std::vector<VtkArray> fields_of(const model::Frame& frame) {
  std::vector<VtkArray> fields;
  for (const model::NodeField& field : frame.node_fields) {
    fields.push_back(node_field(field.name, field));
    if (field.name == "S") fields.push_back(von_mises(field.values));
  }
  for (const model::Frame& part : frame.imaginary) {
    for (const model::NodeField& field : part.node_fields)
      fields.push_back(node_field(field.name + "_Imaginary", field));
  }
  return fields;
}

/// Of a mode: its number and frequency, for FieldData.
std::string mode_values(const model::Frame& frame) {
  if (!frame.mode) return {};
  const auto value = [](std::string_view name, double number) {
    return fmt::format(
        "<DataArray type=\"Float64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
        name, number);
  };
  return value("ModeNumber", frame.mode->number) + value("Frequency", frame.mode->frequency()) +
         value("Eigenvalue", frame.mode->eigenvalue);
}

/// From 1; 0 where an element has none.
VtkArray material_numbers(const model::Model& model) {
  std::vector<std::int32_t> materials = model::materials_of_elements(model);
  return {
      {"MaterialNumber", "Int32"},
      numbers_made<std::int32_t>(materials.size(), [materials](std::size_t e) { return materials[e] + 1; })};
}

}  // namespace

VtuWriter::VtuWriter(std::filesystem::path stem, const model::Model& model)
    : stem_(std::move(stem)),
      model_(model),
      mesh_(
          meanwhile(model.mesh.node_count(), [&model] { return std::make_unique<const VtkMesh>(model.mesh); })
              .share()),
      materials_(material_numbers(model)) {}

std::filesystem::path VtuWriter::with_suffix(const std::string& suffix) const {
  std::filesystem::path path = stem_;
  path += suffix;
  return path;
}

std::filesystem::path VtuWriter::numbered(int number) const {
  return with_suffix(fmt::format(".{:04}.vtu", number));
}

double VtuWriter::time_of(const model::Frame& frame) {
  const double time = frame.mode ? frame.time - 1 + frame.mode->number : frame.time;
  if (written_.empty()) return time;
  const double last = written_.back().time;
  // Two states at one time would hide each other; what follows modes, or begins a period anew, is moved as a
  // whole.
  if (time + shift_ < last || (has_modes_ && time + shift_ == last)) shift_ = last + 1 - time;
  return time + shift_;
}

void VtuWriter::write(const model::Step& step, const model::Frame& frame) {
  if (!output_is_due(step, frame) || !frame.nodes.empty()) return;
  const mesh::Mesh& mesh = model_.mesh;
  for (const model::NodeField& field : frame.node_fields) {
    const std::int64_t wanted = std::int64_t{field.components} * mesh.node_count();
    require(static_cast<std::int64_t>(field.values.size()) == wanted, [&] {
      return fmt::format(".vtu: {} has {} values in the frame where the mesh needs {}", field.name,
                         field.values.size(), wanted);
    });
  }
  const double time = time_of(frame);
  OutputFile file(numbered(static_cast<int>(written_.size()) + 1));
  file.write(vtk_file_line("UnstructuredGrid", vtk_compressed));
  file.write(
      fmt::format("<UnstructuredGrid>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                  "NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n{}</FieldData>\n"
                  "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
                  time, mode_values(frame), mesh.node_count(), mesh.element_count()));
  const std::vector<VtkArray> fields = fields_of(frame);
  VtkArrays arrays;
  for (const VtkArray& field : fields) file.write(arrays.add(field));
  const VtkMesh& shown = *mesh_.get();
  file.write(shown.node_numbers(arrays) + "</PointData>\n<CellData>\n" + shown.element_numbers(arrays) +
             arrays.add(materials_) + "</CellData>\n");
  file.write(shown.geometry(arrays) + "</Piece>\n</UnstructuredGrid>\n");
  arrays.write(file);
  file.write("</VTKFile>\n");
  file.commit(frames_);
  files_.push_back(file.path());
  written_.push_back({file.path(), time});
  has_modes_ = has_modes_ || frame.mode.has_value();
}

std::string VtuWriter::position() {
  frames_.finish();  // what a checkpoint refers to is there as long as it is
  std::string text = fmt::format("{} {} {}\n", shift_, has_modes_ ? 1 : 0, written_.size());
  for (const Written& frame : written_) text += fmt::format("{} {}\n", frame.time, frame.path.string());
  return text;
}

void VtuWriter::go_on(const std::string& position) {
  std::istringstream text(position);
  std::size_t count = 0;
  text >> shift_ >> has_modes_ >> count;
  written_.clear();
  files_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    Written frame;
    std::string path;
    text >> frame.time;
    text.ignore(1);
    std::getline(text, path);
    frame.path = stem_.parent_path() / std::filesystem::path(path).filename();
    if (!std::filesystem::exists(frame.path))
      throw Error(Fault::input, fmt::format("{} is needed to go on and is gone", frame.path.string()),
                  "run the deck from the beginning");
    files_.push_back(frame.path);
    written_.push_back(std::move(frame));
  }
}

void VtuWriter::remove_stale() const {
  std::vector<std::filesystem::path> old = files_of_series({with_suffix("."), ".vtu"});
  old.push_back(with_suffix(".vtu"));
  std::unordered_set<std::string> own;
  for (const Written& frame : written_) own.insert(frame.path.string());
  for (const std::filesystem::path& file : old) {
    std::error_code ignored;  // it is only confusing
    if (!own.contains(file.string())) std::filesystem::remove(file, ignored);
  }
}

void VtuWriter::finish() {
  frames_.finish();  // before the file that lists them
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
  warn_unless_told(file.path());
  file.write(vtk_file_line("Collection", "") + "<Collection>\n");
  for (const Written& frame : written_) {
    file.write(fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
                           xml_escaped(frame.path.filename().string())));
  }
  file.write("</Collection>\n</VTKFile>\n");
  file.commit();
  files_.push_back(file.path());
  remove_stale();
}

}  // namespace setka::io
