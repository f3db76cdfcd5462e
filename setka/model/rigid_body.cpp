// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/rigid_body.hpp"

#include <algorithm>
#include <cstddef>

namespace setka::model {
namespace {

std::array<double, 3> vector_product(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::array<double, 3> times(double factor, std::array<double, 3> a) {
  for (double& component : a) component *= factor;
  return a;
}

}  // namespace

std::optional<Conflict> add_rigid_body(EquationMaker& equations, const mesh::Mesh& mesh,
                                       const RigidBody& body, const std::vector<bool>& in_plane) {
  std::vector<std::int32_t> nodes = body.nodes;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::erase_if(nodes, [&](std::int32_t node) { return node == body.reference || node == body.rotation; });
  const auto center = mesh.coordinates(body.reference);
  std::vector<EquationTerm> terms;
  for (const std::int32_t node : nodes) {
    const auto x = mesh.coordinates(node);
    const std::array<double, 3> r{x[0] - center[0], x[1] - center[1], x[2] - center[2]};
    const Axes axes = equations.axes(node);
    const std::int32_t last = in_plane[static_cast<std::size_t>(node)] ? 2 : 3;
    for (std::int32_t direction = 1; direction <= last; ++direction) {
      const auto k = static_cast<std::size_t>(direction - 1);
      if (!body.directions[k]) continue;
      if (const auto line = equations.taken(node, direction)) return Conflict{node, direction, *line};
      terms = {{node, direction, 1.0}};
      equations.add_terms(terms, body.reference, times(-1, axes[k]));
      // e . (theta x r) = theta . (r x e)
      equations.add_terms(terms, body.rotation, times(-1, vector_product(r, axes[k])));
      equations.add(terms, body.line, true);
    }
  }
  return std::nullopt;
}

}  // namespace setka::model
