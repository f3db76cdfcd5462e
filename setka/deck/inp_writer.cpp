// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/inp_writer.hpp"

#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace setka::deck {
namespace {

constexpr std::size_t fields_a_line = 16;  // the most that CalculiX reads

/// Numbers with commas between; a line that is full ends with one, and so goes on.
void append_labels(std::string& text, std::span<const std::int32_t> labels) {
  std::size_t in_line = 0;
  for (const std::int32_t label : labels) {
    if (in_line == fields_a_line) {
      text += ",\n";
      in_line = 0;
    } else if (in_line > 0) {
      text += ", ";
    }
    fmt::format_to(std::back_inserter(text), "{}", label);
    ++in_line;
  }
  text += '\n';
}

/// The shortest text that reads as the same number, with fewer digits where it is longer than the 20
/// characters that CalculiX looks at.
void append_coordinate(std::string& text, double value) {
  constexpr std::size_t most = 20;
  std::string number = fmt::format("{}", value);
  for (int digits = 17; number.size() > most; --digits) number = fmt::format("{:.{}g}", value, digits);
  text += number;
}

/// Members of a set: lines that stand alone, without a comma at the end.
template <class Label>
void write_members(io::OutputFile& file, const std::vector<std::int32_t>& members, const Label& label) {
  std::vector<std::int32_t> line;
  for (std::size_t i = 0; i < members.size(); i += fields_a_line) {
    line.clear();
    for (std::size_t k = i; k < std::min(i + fields_a_line, members.size()); ++k)
      line.push_back(label(members[k]));
    append_labels(file.text(), line);
    file.flush_if_full();
  }
}

void write_elements(const mesh::Mesh& mesh, io::OutputFile& file) {
  std::vector<std::int32_t> labels;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const model::ElementType type = model::element_type(mesh, e);
    if (e == 0 || model::element_type(mesh, e - 1) != type)
      fmt::format_to(std::back_inserter(file.text()), "*ELEMENT, TYPE={}\n", deck::name(type));
    labels.assign(1, mesh.element_label(e));
    for (const std::int32_t node : mesh.nodes(e)) labels.push_back(mesh.node_label(node));
    if (type.cell == mesh::Cell::line3) std::swap(labels[2], labels[3]);  // decks have the middle between
    append_labels(file.text(), labels);
    file.flush_if_full();
  }
}

}  // namespace

void write_inp_mesh(const model::Model& model, io::OutputFile& file) {
  const mesh::Mesh& mesh = model.mesh;
  file.write("*NODE\n");
  for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
    const auto x = mesh.coordinates(node);
    fmt::format_to(std::back_inserter(file.text()), "{}", mesh.node_label(node));
    for (const double coordinate : x) {
      file.text() += ", ";
      append_coordinate(file.text(), coordinate);
    }
    file.text() += '\n';
    file.flush_if_full();
  }
  write_elements(mesh, file);
  for (const model::NodeSet& set : model.node_sets) {
    file.write(fmt::format("*NSET, NSET={}\n", set.name));
    write_members(file, set.nodes, [&](std::int32_t node) { return mesh.node_label(node); });
  }
  for (const model::ElementSet& set : model.element_sets) {
    file.write(fmt::format("*ELSET, ELSET={}\n", set.name));
    write_members(file, set.elements, [&](std::int32_t element) { return mesh.element_label(element); });
  }
  for (const model::Surface& surface : model.surfaces) {
    file.write(
        fmt::format("*SURFACE, NAME={}, TYPE={}\n", surface.name, surface.of_nodes ? "NODE" : "ELEMENT"));
    for (const std::int32_t node : surface.nodes) {
      fmt::format_to(std::back_inserter(file.text()), "{}\n", mesh.node_label(node));
      file.flush_if_full();
    }
    for (const model::ElementFace& face : surface.faces) {
      fmt::format_to(std::back_inserter(file.text()), "{}, S{}\n", mesh.element_label(face.element),
                     face.face + 1);
      file.flush_if_full();
    }
  }
}

}  // namespace setka::deck
