// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/user_constraints.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/mean_rotation.hpp"
#include "setka/analysis/section_rotations.hpp"
#include "setka/base/error.hpp"

namespace setka::analysis {
namespace {

/// The mean rotation in terms of v.
std::vector<fem::Term> mean_rotation_terms(const Setup& setup, const model::MeanRotation& rotation) {
  const mesh::Mesh& mesh = setup.model->mesh;
  std::vector<double> x;
  for (const std::int32_t node : rotation.nodes) {
    const auto place = mesh.coordinates(node);
    x.insert(x.end(), place.begin(), place.end());
  }
  const auto axis = mesh.coordinates(rotation.angle_node);
  const std::vector<double> mean = mean_rotation(x, {axis[0], axis[1], axis[2]});
  if (mean.empty()) {
    throw Error(Fault::input,
                fmt::format("MEANROT: the nodes have no rotation about the axis of node {}",
                            mesh.node_label(rotation.angle_node)),
                "its coordinates are a vector along the axis, and the nodes lie around it",
                setup.model->source(rotation.line));
  }
  std::vector<fem::Term> terms;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const std::int32_t dof = 3 * rotation.nodes[i / 3] + static_cast<std::int32_t>(i % 3);
    if (setup.solids.rows.empty()) {
      terms.push_back({dof, mean[i]});
      continue;
    }
    for (const fem::Term& term : setup.solids.rows[static_cast<std::size_t>(dof)])
      terms.push_back({term.index, mean[i] * term.coefficient});
  }
  return terms;
}

}  // namespace

fem::Constraints user_constraints(const Setup& setup, const LoadState& loads, double step_time,
                                  double total_time, Angles angles) {
  const PrescribedNow at_time = [&](const model::PrescribedValue& value) {
    return value.value * loads.factor(value.amplitude, step_time, total_time);
  };
  return user_constraints(setup, loads, at_time, angles);
}

fem::Constraints user_constraints(const Setup& setup, const LoadState& loads, const PrescribedNow& value_of,
                                  Angles angles) {
  const model::Model& model = *setup.model;
  const auto name_of = [&](std::int32_t dof) {
    const std::int32_t node = dof / 3;
    if (node >= model.mesh.node_count()) return std::string("a deformation of a section");
    return fmt::format("node {}, direction {}", model.mesh.node_label(node), dof % 3 + 1);
  };
  fem::ConstraintBuilder builder(setup.solids.user_dofs, name_of,
                                 [&](model::Line line) { return model.source(line); });
  std::vector<std::int8_t> by_kind(static_cast<std::size_t>(setup.solids.user_dofs), 0);
  for (const std::int32_t dof : setup.solids.fixed_user_dofs) {
    by_kind[static_cast<std::size_t>(dof)] = 1;
    builder.prescribe(dof, 0, {});
  }
  for (const std::int32_t dof : setup.solids.idle_user_dofs) builder.leave_out(dof);
  std::set<std::int32_t> released;
  if (angles == Angles::free) {
    for (const model::MeanRotation& rotation : model.mean_rotations) released.insert(3 * rotation.angle_node);
  }
  std::map<std::int32_t, std::vector<PrescribedRotation>> rotations;  // of nodes of shells and beams
  for (const model::PrescribedValue& value : loads.prescribed()) {
    // Temperatures and mass flows of nodes that have none.
    if (value.direction < 1 || value.direction > 6 || value.imaginary) continue;
    const ExpandedNode* expanded = setup.solids.expanded_node(value.node);
    if (value.direction > 3) {
      if (expanded != nullptr)
        rotations[value.node].push_back({value.direction - 4, value_of(value), value.line});
      continue;
    }
    // The middle of a shell moves with the node along what is held.
    if (expanded != nullptr && expanded->middle_v >= 0)
      builder.prescribe(expanded->middle_v + value.direction - 1, 0, value.line);
    const std::int32_t dof = 3 * value.node + value.direction - 1;
    if (by_kind[static_cast<std::size_t>(dof)] != 0 || released.contains(dof)) continue;
    builder.prescribe(dof, value_of(value), value.line);
  }
  for (const auto& [node, about] : rotations)
    prescribe_rotations(setup.solids, *setup.solids.expanded_node(node), about, builder);
  std::vector<fem::Term> terms;
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    const model::Equation& equation = model.equations[i];
    if (!loads.has_equation(i) || equation.terms.front().direction > 3) continue;  // of temperatures
    terms.clear();
    for (const model::EquationTerm& term : equation.terms)
      terms.push_back({3 * term.node + term.direction - 1, term.coefficient});
    builder.add_equation(terms, equation.constant, equation.line);
  }
  for (const model::MeanRotation& rotation : model.mean_rotations)
    builder.add_definition(3 * rotation.angle_node, mean_rotation_terms(setup, rotation), rotation.line);
  return builder.build();
}

}  // namespace setka::analysis
