// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/free_motions.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/rigid_motions.hpp"
#include "setka/base/text.hpp"
#include "setka/mesh/parts.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

std::string name_of(const mesh::Mesh& mesh, const mesh::Parts& parts, const FreeBody& body) {
  if (body.parts.size() == static_cast<std::size_t>(parts.count())) return "the model";
  std::vector<std::int32_t> elements;
  std::int64_t count = 0;
  for (const std::int32_t part : body.parts) {
    elements.push_back(mesh.element_label(parts.first_element[static_cast<std::size_t>(part)]));
    count += parts.element_count[static_cast<std::size_t>(part)];
  }
  const std::string size = fmt::format("{} element{}", count, count == 1 ? "" : "s");
  if (elements.size() == 1) return fmt::format("the part with element {} ({})", elements[0], size);
  return fmt::format("the body of the parts with elements {} ({})", some_numbers(elements), size);
}

std::string in_words(const std::string& name, const FreeBody& body) {
  if (!body.checked) return name + " has too many parts to say whether all of them are held";
  if (body.motions.empty()) {
    return fmt::format("{} is held, but its parts are free to move against one another in {} way{}", name,
                       body.loose, body.loose == 1 ? "" : "s");
  }
  return fmt::format("{} is not held: free to move by {}{}", name, join_words(body.motions),
                     body.loose > 0 ? fmt::format(", and its parts against one another in {} way{}",
                                                  body.loose, body.loose == 1 ? "" : "s")
                                    : std::string());
}

/// What springs hold, as sums of displacements of nodes.
std::vector<std::vector<fem::Term>> springs_of(const Setup& setup) {
  std::vector<std::vector<fem::Term>> springs;
  std::vector<double> x;
  for (std::int32_t e = 0; e < setup.solids.mesh_element_count(); ++e) {
    if (model::family(setup.model->mesh, e) != model::Family::spring) continue;
    element_coordinates(setup.solids, e, x);
    const std::array<double, 6> along = spring_directions(setup, e).gradient(x);
    const auto nodes = setup.solids.nodes(e);
    std::vector<fem::Term>& spring = springs.emplace_back();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (along[i] != 0) spring.push_back({3 * nodes[i / 3] + static_cast<std::int32_t>(i % 3), along[i]});
    }
  }
  return springs;
}

}  // namespace

std::vector<FreeMotion> free_motions(const Setup& setup, const fem::Constraints& of_users) {
  const mesh::Mesh& mesh = setup.model->mesh;
  const mesh::Parts parts = mesh::connected_parts(mesh);
  std::vector<FreeMotion> free;
  for (FreeBody& body : free_bodies(parts, setup.solids, of_users, springs_of(setup)))
    free.push_back({in_words(name_of(mesh, parts, body), body), body.checked, std::move(body.vectors)});
  return free;
}

bool drives(const fem::Constraints& constraints, const std::vector<double>& forces,
            const solve::SparseVector& motion) {
  constexpr double hardly = 1e-6;
  std::vector<double> q(static_cast<std::size_t>(constraints.unknown_count()), 0.0);
  for (std::size_t i = 0; i < motion.row.size(); ++i)
    q[static_cast<std::size_t>(motion.row[i])] = motion.value[i];
  double work = 0;
  double most = 0;
  for (std::size_t node = 0; 3 * node < forces.size(); ++node) {
    double way = 0;
    double force = 0;
    for (std::size_t d = 3 * node; d < 3 * node + 3; ++d) {
      double u = 0;
      for (const fem::Term& term : constraints.row(static_cast<std::int32_t>(d)))
        u += term.coefficient * q[static_cast<std::size_t>(term.index)];
      work += u * forces[d];
      way += u * u;
      force += forces[d] * forces[d];
    }
    most += std::sqrt(way * force);
  }
  return std::abs(work) > hardly * most;
}

}  // namespace setka::analysis
