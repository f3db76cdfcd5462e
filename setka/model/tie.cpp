// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/tie.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "setka/mesh/face_search.hpp"

namespace setka::model {
namespace {

constexpr double no_share = 1e-12;  // a shape function that is zero but for rounding

}  // namespace

std::vector<std::int32_t> nodes_of_surface(const mesh::Mesh& mesh, const Surface& surface) {
  std::vector<std::int32_t> nodes = surface.nodes;
  for (const ElementFace& face : surface.faces) {
    const auto own = mesh.nodes(face.element);
    for (const std::int8_t local : mesh::face_nodes(mesh.cell(face.element), face.face))
      nodes.push_back(own[static_cast<std::size_t>(local)]);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

TieSearch find_tied(Model& model, const Tie& tie) {
  mesh::Mesh& mesh = model.mesh;
  const Surface& independent = model.surfaces[static_cast<std::size_t>(tie.independent)];
  std::vector<mesh::SurfaceFace> faces;
  faces.reserve(independent.faces.size());
  double edges = 0;
  for (const ElementFace& face : independent.faces) {
    faces.push_back(mesh::surface_face(mesh, face.element, face.face));
    edges += mesh::mean_edge(mesh, faces.back());
  }
  TieSearch result;
  result.tolerance = tie.tolerance > 0 || faces.empty()
                         ? tie.tolerance
                         : default_tie_share * edges / static_cast<double>(faces.size());
  result.nearest = std::numeric_limits<double>::infinity();
  const mesh::FaceSearch search(mesh, std::move(faces));
  std::vector<std::pair<std::int32_t, std::array<double, 3>>> moved;
  const auto place_of = [&](std::int32_t node) { return std::as_const(mesh).coordinates(node); };
  for (const std::int32_t node :
       nodes_of_surface(mesh, model.surfaces[static_cast<std::size_t>(tie.dependent)])) {
    const std::optional<mesh::FacePlace> found = search.nearest(place_of(node), result.tolerance);
    if (!found) {
      result.loose.push_back(node);
      continue;
    }
    const mesh::SurfaceFace& face = search.face(found->face);
    TiedNode tied{node, 0, {}, {}};
    bool shared = false;
    for (std::int32_t i = 0; i < face.node_count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (std::abs(found->weight[at]) < no_share) continue;
      shared |= face.nodes[at] == node;
      tied.face[static_cast<std::size_t>(tied.count)] = face.nodes[at];
      tied.weight[static_cast<std::size_t>(tied.count++)] = found->weight[at];
    }
    if (shared) continue;  // both surfaces have the node
    result.tied.push_back(tied);
    if (tie.adjust) moved.emplace_back(node, found->place);
  }
  // Where nothing was found the user wants to know how far away it is.
  if (result.tied.empty()) {
    for (const std::int32_t node : result.loose) {
      const auto found = search.nearest(place_of(node), result.nearest);
      if (found) result.nearest = std::min(result.nearest, found->distance);
    }
  }
  // All at once, since a node that moves may be one of a face.
  for (const auto& [node, place] : moved)
    std::ranges::copy(place, mesh.coordinates().begin() + 3 * static_cast<std::ptrdiff_t>(node));
  return result;
}

std::vector<std::int32_t> add_tie(EquationMaker& equations, const TieSearch& found, bool temperatures,
                                  Line line) {
  std::vector<std::int32_t> left_out;
  std::vector<EquationTerm> terms;
  for (const TiedNode& tied : found.tied) {
    bool whole = true;
    const Axes axes = equations.axes(tied.node);
    for (std::int32_t direction = 1; direction <= 3; ++direction) {
      if (equations.taken(tied.node, direction)) {
        whole = false;
        continue;
      }
      terms = {{tied.node, direction, 1.0}};
      for (std::size_t i = 0; i < static_cast<std::size_t>(tied.count); ++i) {
        std::array<double, 3> factors = axes[static_cast<std::size_t>(direction - 1)];
        for (double& factor : factors) factor *= -tied.weight[i];
        equations.add_terms(terms, tied.face[i], factors);
      }
      equations.add(terms, line);
    }
    if (temperatures && equations.taken(tied.node, temperature_direction)) whole = false;
    if (temperatures && !equations.taken(tied.node, temperature_direction)) {
      terms = {{tied.node, temperature_direction, 1.0}};
      for (std::size_t i = 0; i < static_cast<std::size_t>(tied.count); ++i)
        terms.push_back({tied.face[i], temperature_direction, -tied.weight[i]});
      equations.add(terms, line);
    }
    if (!whole) left_out.push_back(tied.node);
  }
  return left_out;
}

}  // namespace setka::model
