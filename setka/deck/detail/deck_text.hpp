// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "setka/deck/example_decks.hpp"
#include "setka/mesh/block_mesh.hpp"

namespace setka::deck::detail {

/// The text of a deck on its way to a sink.
class DeckText {
 public:
  explicit DeckText(const TextSink& sink) : sink_(sink) { text_.reserve(full + 4096); }

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    if (text_.size() >= full) flush();
  }
  void flush();

  void nodes(const mesh::Mesh& mesh);  // all of them, in the set ALL

  /// The elements of one part, in a set.
  void elements(const mesh::BlockMesh& made, int part, std::string_view set);

  void node_set(std::string_view name, const mesh::Mesh& mesh, const std::vector<bool>& chosen);
  void set(std::string_view keyword, std::string_view name, std::span<const std::int32_t> labels);

  /// *DLOAD of a pressure: a set for each number of a face, PREFIX1 and so on, made by `face_sets` before the
  /// step.
  void face_sets(std::string_view prefix, const mesh::Mesh& mesh, std::span<const mesh::MeshFace> faces);
  void face_pressure(std::string_view prefix, std::span<const mesh::MeshFace> faces, double pressure);

  /// *FILM of a sink temperature and a film coefficient, likewise.
  void face_film(std::string_view prefix, std::span<const mesh::MeshFace> faces, double sink,
                 double coefficient);

 private:
  /// A line of load data for each set of faces: "PULL3, P3, -1e8".
  void face_lines(std::string_view prefix, std::span<const mesh::MeshFace> faces, char label,
                  std::string_view values);

  static constexpr std::size_t full = std::size_t{1} << 20;

  const TextSink& sink_;
  std::string text_;
};

}  // namespace setka::deck::detail
