// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/model/model.hpp"
#include "setka/model/shown_solids.hpp"

namespace setka::io {

/// What can be switched on and off.
struct ReportPart {
  std::string name;
  bool is_section = true;  // with its material; else a set of elements
};

/// What is shown or not as a whole: the elements of one section that are in the same sets. Triangles and
/// edges of all chunks follow one another.
struct ReportChunk {
  std::vector<std::int32_t> parts;  // it is seen while all of them are on
  std::int32_t behind = -1;         // a chunk in whose place this border is seen: while that one is off
  std::int64_t triangles = 0;
  std::int64_t sharp_edges = 0;  // borders, and where faces meet at an angle; first of its edges
  std::int64_t edges = 0;        // with these, those of all elements
};

/// The surface of a model as triangles. Faces of quadratic elements are split at the nodes amid their edges;
/// shells are their middle surface and beams prisms about their line, where the model has no solids for them.
struct ReportSurface {
  std::vector<std::int32_t> node;       // [points] of the mesh that is shown
  std::vector<std::int32_t> value;      // [points] whose values are theirs in the fields of a frame
  std::vector<double> positions;        // [points, 3]
  std::vector<std::int32_t> triangles;  // [triangles, 3], points in the order of their first appearance;
                                        // normals look outward for the right hand
  std::vector<std::int32_t> edges;      // [edges, 2]
  std::vector<ReportPart> parts;
  std::vector<ReportChunk> chunks;
  std::int64_t whole_triangles = 0;  // before it was made coarser
  bool has_lines = false;            // beams or trusses are shown as prisms of a made-up width
  bool has_sheets = false;           // shells and planes are shown, which have two sides
  bool sets_left_out = false;        // there are too many ways in which sets overlap

  bool coarser() const { return static_cast<std::int64_t>(triangles.size()) < 3 * whole_triangles; }
};

/// most_triangles: beyond that the nodes amid edges are left out, then nodes near one another become one, as
/// far as it takes; every point that is left is a node with its values. Edges of elements that are not sharp
/// are left out then, and where there are very many.
ReportSurface report_surface(const model::Model& model, const model::ShownSolids* shown,
                             std::int64_t most_triangles);

}  // namespace setka::io
