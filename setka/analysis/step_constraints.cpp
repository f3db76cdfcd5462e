// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/step_constraints.hpp"

#include <cstddef>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/fem/rigid_motions.hpp"
#include "setka/mesh/parts.hpp"

namespace setka::analysis {
namespace {

std::string name_of(const mesh::Mesh& mesh, const mesh::Parts& parts, const fem::FreeBody& body) {
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

std::string in_words(const std::string& name, const fem::FreeBody& body) {
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

}  // namespace

fem::Constraints user_constraints(const Setup& setup, const LoadState& loads, double step_time,
                                  double total_time) {
  const model::Model& model = *setup.model;
  const auto dof_name = [&](std::int32_t dof) {
    const std::int32_t node = dof / 3;
    if (node >= model.mesh.node_count()) return std::string("a deformation of a section");
    return fmt::format("node {}, direction {}", model.mesh.node_label(node), dof % 3 + 1);
  };
  fem::ConstraintBuilder builder(setup.solids.user_dofs, dof_name,
                                 [&](model::Line line) { return model.source(line); });
  std::vector<std::int8_t> by_kind(static_cast<std::size_t>(setup.solids.user_dofs), 0);
  for (const std::int32_t dof : setup.solids.fixed_user_dofs) {
    by_kind[static_cast<std::size_t>(dof)] = 1;
    builder.prescribe(dof, 0, {});
  }
  for (const std::int32_t dof : setup.solids.idle_user_dofs) builder.leave_out(dof);
  for (const model::PrescribedValue& value : loads.prescribed()) {
    // Rotations, temperatures and mass flows of nodes that have none.
    if (value.direction < 1 || value.direction > 3) continue;
    const std::int32_t dof = 3 * value.node + value.direction - 1;
    if (by_kind[static_cast<std::size_t>(dof)] != 0) continue;
    builder.prescribe(dof, value.value * loads.factor(value.amplitude, step_time, total_time), value.line);
  }
  std::vector<fem::Term> terms;
  for (const model::Equation& equation : model.equations) {
    terms.clear();
    for (const model::EquationTerm& term : equation.terms)
      terms.push_back({3 * term.node + term.direction - 1, term.coefficient});
    builder.add_equation(terms, equation.constant, equation.line);
  }
  return builder.build();
}

std::vector<FreeMotion> free_motions(const Setup& setup, const fem::Constraints& of_users) {
  const mesh::Mesh& mesh = setup.model->mesh;
  // Springs at single directions hold what the constraints leave free.
  for (const mesh::ElementType type : setup.solids.type) {
    if (type == mesh::ElementType::spring1 || type == mesh::ElementType::spring2) return {};
  }
  const mesh::Parts parts = mesh::connected_parts(mesh);
  std::vector<FreeMotion> free;
  for (const fem::FreeBody& body : fem::free_bodies(parts, setup.solids, of_users))
    free.push_back({in_words(name_of(mesh, parts, body), body), body.checked});
  return free;
}

}  // namespace setka::analysis
