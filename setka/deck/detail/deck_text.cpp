// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/detail/deck_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/compile.h>

#include "setka/deck/element_names.hpp"

namespace setka::deck::detail {
namespace {

constexpr int most_on_a_line = 16;  // numbers that CalculiX reads from one line
constexpr int most_faces = 6;

std::array<bool, most_faces> used_faces(std::span<const mesh::MeshFace> faces) {
  std::array<bool, most_faces> used{};
  for (const mesh::MeshFace& face : faces) used[static_cast<std::size_t>(face.face)] = true;
  return used;
}

}  // namespace

void DeckText::flush() {
  if (!text_.empty()) sink_(text_);
  text_.clear();
}

void DeckText::nodes(const mesh::Mesh& mesh) {
  print("*NODE, NSET=ALL\n");
  auto out = std::back_inserter(text_);
  for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
    // Twelve digits: CalculiX reads at most 20 characters of a number.
    const auto x = mesh.coordinates(node);
    fmt::format_to(out, FMT_COMPILE("{},{:.12g},{:.12g},{:.12g}\n"), mesh.node_label(node), x[0], x[1], x[2]);
    if (text_.size() >= full) flush();
  }
}

void DeckText::elements(const mesh::BlockMesh& made, int part, std::string_view set) {
  const mesh::Mesh& mesh = made.mesh;
  print("*ELEMENT, TYPE={}, ELSET={}\n", deck::name(mesh, 0), set);
  auto out = std::back_inserter(text_);
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    if (made.part[static_cast<std::size_t>(e)] != part) continue;
    fmt::format_to(out, FMT_COMPILE("{}"), mesh.element_label(e));
    int on_line = 1;
    for (const std::int32_t node : mesh.nodes(e)) {
      if (on_line == most_on_a_line) {
        text_ += ",\n";
        on_line = 0;
      } else {
        text_ += ',';
      }
      fmt::format_to(out, FMT_COMPILE("{}"), mesh.node_label(node));
      ++on_line;
    }
    text_ += '\n';
    if (text_.size() >= full) flush();
  }
}

void DeckText::set(std::string_view keyword, std::string_view name, std::span<const std::int32_t> labels) {
  print("*{}, {}={}\n", keyword, keyword, name);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool last = i + 1 == labels.size() || (i + 1) % most_on_a_line == 0;
    print("{}{}", labels[i], last ? "\n" : ",");
  }
}

void DeckText::node_set(std::string_view name, const mesh::Mesh& mesh, const std::vector<bool>& chosen) {
  std::vector<std::int32_t> labels;
  for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
    if (chosen[static_cast<std::size_t>(node)]) labels.push_back(mesh.node_label(node));
  }
  set("NSET", name, labels);
}

void DeckText::face_sets(std::string_view prefix, const mesh::Mesh& mesh,
                         std::span<const mesh::MeshFace> faces) {
  const auto used = used_faces(faces);
  for (int number = 0; number < most_faces; ++number) {
    if (!used[static_cast<std::size_t>(number)]) continue;
    std::vector<std::int32_t> labels;
    for (const mesh::MeshFace& face : faces) {
      if (face.face == number) labels.push_back(mesh.element_label(face.element));
    }
    set("ELSET", fmt::format("{}{}", prefix, number + 1), labels);
  }
}

void DeckText::face_lines(std::string_view prefix, std::span<const mesh::MeshFace> faces, char label,
                          std::string_view values) {
  const auto used = used_faces(faces);
  for (int number = 1; number <= most_faces; ++number) {
    if (used[static_cast<std::size_t>(number - 1)])
      print("{}{}, {}{}, {}\n", prefix, number, label, number, values);
  }
}

void DeckText::face_pressure(std::string_view prefix, std::span<const mesh::MeshFace> faces,
                             double pressure) {
  print("*DLOAD\n");
  face_lines(prefix, faces, 'P', fmt::format("{:.12g}", pressure));
}

void DeckText::face_film(std::string_view prefix, std::span<const mesh::MeshFace> faces, double sink,
                         double coefficient) {
  print("*FILM\n");
  face_lines(prefix, faces, 'F', fmt::format("{:.12g}, {:.12g}", sink, coefficient));
}

}  // namespace setka::deck::detail
