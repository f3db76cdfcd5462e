// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/report_faces.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>

#include "setka/mesh/cell.hpp"
#include "setka/model/element_type.hpp"

namespace setka::io::detail {
namespace {

constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();

/// A face of a solid by three of its corners, which no other face has.
struct SolidFace {
  std::array<std::int32_t, 3> key;
  std::int32_t element;
  std::int8_t face;
};

/// The three lowest of its corners; of a face that has shrunk to a line the last is none.
std::array<std::int32_t, 3> key_of(std::span<const std::int32_t> nodes, std::span<const std::int8_t> local,
                                   std::size_t corners) {
  std::array<std::int32_t, 4> own{none, none, none, none};
  for (std::size_t i = 0; i < corners; ++i) own[i] = nodes[static_cast<std::size_t>(local[i])];
  std::ranges::sort(own);
  std::fill(std::unique(own.begin(), own.end()), own.end(), none);
  return {own[0], own[1], own[2]};
}

/// In the order outward: that of a solid's face looks inward.
ReportFace shown_face(const mesh::Mesh& mesh, std::int32_t element, int face) {
  const mesh::Cell cell = mesh.cell(element);
  const std::span<const std::int32_t> nodes = mesh.nodes(element);
  const std::span<const std::int8_t> local = mesh::face_nodes(cell, face);
  ReportFace made;
  const auto corners = static_cast<std::size_t>(mesh::corner_count(mesh::face_cell(cell, face)));
  made.corners = static_cast<std::int8_t>(corners);
  made.quadratic = local.size() > corners;
  for (std::size_t i = 0; i < corners; ++i) {
    made.nodes[i] = nodes[static_cast<std::size_t>(local[(corners - i) % corners])];
    if (made.quadratic)  // edge i goes from corner -i to corner -i - 1, and that is the one before it
      made.nodes[corners + i] = nodes[static_cast<std::size_t>(local[2 * corners - 1 - i])];
  }
  return made;
}

/// A surface or a line.
ReportFace whole_element(const mesh::Mesh& mesh, std::int32_t element) {
  const mesh::Cell cell = mesh.cell(element);
  const std::span<const std::int32_t> nodes = mesh.nodes(element);
  ReportFace made;
  made.corners = static_cast<std::int8_t>(mesh::corner_count(cell));
  made.quadratic = static_cast<int>(nodes.size()) > made.corners;
  std::ranges::copy(nodes, made.nodes.begin());
  return made;
}

}  // namespace

std::vector<ReportFace> report_faces(const mesh::Mesh& mesh, std::span<const std::int32_t> chunk_of) {
  std::vector<ReportFace> shown;
  std::vector<SolidFace> solid;
  const auto chunk = [&](std::int32_t element) { return chunk_of[static_cast<std::size_t>(element)]; };
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const mesh::Cell cell = mesh.cell(e);
    const int dimension = mesh::dimension(cell);
    if (dimension == 3) {
      for (int face = 0; face < mesh::face_count(cell); ++face) {
        const std::array<std::int32_t, 3> key =
            key_of(mesh.nodes(e), mesh::face_nodes(cell, face),
                   static_cast<std::size_t>(mesh::corner_count(mesh::face_cell(cell, face))));
        if (key[2] != none) solid.push_back({key, e, static_cast<std::int8_t>(face)});
      }
    } else if (dimension > 0) {
      shown.push_back(whole_element(mesh, e));
      shown.back().chunk = chunk(e);
    }
  }
  std::ranges::sort(solid, {},
                    [](const SolidFace& face) { return std::tie(face.key, face.element, face.face); });
  std::vector<SolidFace> outer;
  for (auto first = solid.begin(); first != solid.end();) {
    const auto last =
        std::find_if(first, solid.end(), [&](const SolidFace& face) { return face.key != first->key; });
    for (auto face = first; face != last; ++face) {
      const bool inside = std::any_of(first, last, [&](const SolidFace& other) {
        return other.element != face->element && chunk(other.element) == chunk(face->element);
      });
      if (!inside) outer.push_back(*face);
    }
    first = last;
  }
  // Where two chunks meet both faces are there, one after the other.
  std::vector<std::int32_t> behind(outer.size(), -1);
  for (std::size_t i = 0; i + 1 < outer.size(); ++i) {
    if (outer[i].key != outer[i + 1].key || outer[i].element == outer[i + 1].element) continue;
    behind[i] = chunk(outer[i + 1].element);
    behind[i + 1] = chunk(outer[i].element);
  }
  std::vector<std::size_t> order(outer.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(outer[i].element, outer[i].face); });
  shown.reserve(shown.size() + order.size());
  for (const std::size_t i : order) {
    shown.push_back(shown_face(mesh, outer[i].element, outer[i].face));
    shown.back().chunk = chunk(outer[i].element);
    shown.back().behind = behind[i];
  }
  return shown;
}

}  // namespace setka::io::detail
