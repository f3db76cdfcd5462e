// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/substructure.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/static.hpp"
#include "setka/analysis/superelements.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/condensation.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::analysis {
namespace {

std::string name_of(const Setup& setup, std::int32_t dof) {
  if (dof >= 3 * setup.model->mesh.node_count()) return "a deformation of a section";
  return fmt::format("node {}, direction {}", setup.model->mesh.node_label(dof / 3), dof % 3 + 1);
}

/// Loads act on what is condensed too, and a matrix has no place for them.
void tell_loads(const LoadState& loads, const fem::Constraints& constraints) {
  if (!loads.point_loads().empty() || !loads.distributed_loads().empty())
    log::warning("*SUBSTRUCTURE GENERATE writes a stiffness alone: the loads of its step have no effect");
  if (constraints.shifted())
    log::warning("*SUBSTRUCTURE GENERATE holds what is prescribed at zero, whatever its value");
}

sparse::SymmetricCsr stiffness_of(const Setup& setup, const ElementState& state,
                                  const fem::Constraints& constraints, const Computing& computing,
                                  Monitor& monitor) {
  const fem::Space space(setup.solids.region(), 3, constraints);
  fem::System system = fem::assemble(
      space, [&](std::int32_t e, std::span<double> k) { state.element_matrix(e, k); }, computing.cpu,
      monitor);
  add_superelements(*setup.model, space, computing.cpu, system);
  return sparse::over_unknowns(system.matrix, space.places());
}

}  // namespace

std::vector<std::int32_t> retained_unknowns(const Setup& setup, const model::SubstructureStep& procedure,
                                            const fem::Constraints& of_users) {
  const model::Model& model = *setup.model;
  if (procedure.retained.empty())
    throw Error(Fault::input, "*SUBSTRUCTURE GENERATE retains nothing",
                "name the nodes that the superelement keeps by *RETAINED NODAL DOFS",
                model.source(procedure.line));
  std::vector<char> turned(static_cast<std::size_t>(model.mesh.node_count()), 0);
  for (const model::Transform& transform : model.transforms) {
    for (const std::int32_t node : model.node_sets[static_cast<std::size_t>(transform.node_set)].nodes)
      turned[static_cast<std::size_t>(node)] = 1;
  }
  std::vector<std::int32_t> unknowns;
  for (const model::NodalDof& dof : procedure.retained) {
    const std::int32_t number = 3 * dof.node + dof.direction - 1;
    const auto refuse = [&](const char* why, const char* remedy) {
      throw Error(Fault::input, fmt::format("{} is retained, but {}", name_of(setup, number), why), remedy,
                  model.source(dof.line));
    };
    if (turned[static_cast<std::size_t>(dof.node)] != 0)
      refuse("*TRANSFORM gives the node axes of its own", "retain nodes whose directions are global");
    const auto row = of_users.row(number);
    if (row.empty())
      refuse("it is held at a value, or no element has it",
             "leave it out of *RETAINED NODAL DOFS, or its *BOUNDARY out");
    if (row.size() != 1 || of_users.unknown_dofs()[static_cast<std::size_t>(row[0].index)] != number)
      refuse("an equation makes it follow others", "retain those, or let the equation eliminate another one");
    unknowns.push_back(row[0].index);
  }
  return unknowns;
}

io::SuperelementMatrix solve_substructure(const Setup& setup, const LoadState& loads, const model::Step& step,
                                          double total_time, const Computing& computing, Monitor& monitor) {
  const auto& procedure = std::get<model::SubstructureStep>(step.procedure);
  const std::vector<double> temperature = temperatures_at(setup, loads, 1, total_time);
  const ElementState state(setup, temperature);
  const fem::Constraints of_users = user_constraints(setup, loads, 1, total_time, Angles::as_given);
  tell_loads(loads, of_users);
  const std::vector<std::int32_t> retained = retained_unknowns(setup, procedure, of_users);
  const fem::Constraints constraints =
      setup.solids.rows.empty() ? of_users : of_users.compose(setup.solids.rows);
  domains::SplitMatrix parts =
      domains::split(stiffness_of(setup, state, constraints, computing, monitor), retained);
  std::optional<Stage> stage(monitor.stage("factorise"));
  const domains::Condensation condensation(std::move(parts));
  stage.reset();
  if (condensation.loose() >= 0) {
    const std::vector<std::int32_t> inner = domains::inner_unknowns(of_users.unknown_count(), retained);
    const std::int32_t unknown = inner[static_cast<std::size_t>(condensation.loose())];
    const std::int32_t dof = of_users.unknown_dofs()[static_cast<std::size_t>(unknown)];
    throw Error(Fault::input,
                fmt::format("a part about {} moves without force while all that is retained is held",
                            name_of(setup, dof)),
                "retain more of it, or hold it by *BOUNDARY", setup.model->source(procedure.line));
  }
  const Dense s = condensation.schur_complement(monitor);
  io::SuperelementMatrix matrix;
  for (std::size_t i = 0; i < retained.size(); ++i) {
    matrix.node.push_back(setup.model->mesh.node_label(procedure.retained[i].node));
    matrix.direction.push_back(procedure.retained[i].direction);
    for (std::size_t j = 0; j <= i; ++j)
      matrix.lower.push_back(s(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)));
  }
  return matrix;
}

}  // namespace setka::analysis
