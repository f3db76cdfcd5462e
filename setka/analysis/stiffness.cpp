// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/stiffness.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/element_products.hpp"
#include "setka/analysis/superelements.hpp"
#include "setka/analysis/team_assembly.hpp"
#include "setka/analysis/team_elements.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_matrix_free.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::analysis {
namespace {

/// T'Kg without a matrix.
std::vector<double> forces_of_shifts(const std::shared_ptr<const fem::ElementSet>& set,
                                     const std::shared_ptr<const fem::ElementMatrices>& matrices,
                                     const fem::Space& space) {
  const fem::Constraints& constraints = space.constraints();
  if (!constraints.shifted()) return std::vector<double>(static_cast<std::size_t>(space.size()), 0.0);
  const exec::Device& device = set->device();
  const fem::Space all(space.region(), space.components(), fem::Constraints::none(constraints.dof_count()));
  const exec::Array<double> g(device, constraints.shifts());
  exec::Array<double> f(device, g.size());
  fem::StoredElementOperator(set, matrices, std::make_shared<const fem::DofMap>(device, all))
      .apply(device, g, f);
  return space.spread(constraints.restrict_forces(f.to_vector()));
}

/// Whether elements may stay beside a matrix on a device: multigrid takes as much again as the matrix has and
/// works in the rest.
bool leaves_room(const sparse::BlockCsr<double>& matrix, const exec::Device& device) {
  return device.is_cuda() && 3 * matrix.bytes() < device.info().total_memory;
}

/// Whether a matrix is ordered while its values are still added up. Superelements add to its pattern.
bool worth_ordering_meanwhile(const Setup& setup, const fem::Space& space, const exec::Device& cpu) {
  constexpr std::size_t few_unknowns = 5000;  // are ordered in a moment
  return cpu.threads() > 1 && space.places().size() >= few_unknowns && setup.model->superelements.empty() &&
         solve::Cholesky::available();
}

}  // namespace

OperatorKind operator_of(std::string_view word) {
  if (word == "auto") return OperatorKind::automatic;
  if (word == "assembled") return OperatorKind::assembled;
  if (word == "elements") return OperatorKind::elements;
  if (word == "matrix-free") return OperatorKind::matrix_free;
  throw Error(Fault::usage, fmt::format("'{}' is no operator", word),
              "give auto, assembled, elements or matrix-free");
}

Stiffness make_stiffness(const Setup& setup, const ElementState& state, const fem::Constraints& constraints,
                         const Computing& computing, Monitor& monitor) {
  std::optional<Stage> numbering(monitor.stage("number the unknowns"));
  Stiffness made{fem::Space(setup.solids.region(), 3, constraints)};
  numbering.reset();
  const bool elementwise = by_elements(computing.operator_kind);
  const bool factorises = solve::factorises(computing.solver, constraints.unknown_count());
  require_no_factor(computing);
  const auto assemble_on_host = [&](const fem::ElementMatrix& element_matrix) {
    fem::System system =
        fem::assemble(made.space, element_matrix, computing.cpu, monitor, [&](const auto& pattern) {
          if (factorises && !computing.team && worth_ordering_meanwhile(setup, made.space, computing.cpu))
            made.ordered =
                solve::order_meanwhile(pattern, {made.space.places().begin(), made.space.places().end()});
        });
    add_superelements(*setup.model, made.space, computing.cpu, system);
    made.matrix.emplace(std::move(system.matrix));
    made.from_shifts = std::move(system.from_shifts);
  };
  const auto by_host = [&](std::int32_t e, std::span<double> k) { state.element_matrix(e, k); };
  if (computing.team && elementwise) {
    TeamElements elements(setup, state, made.space, computing, monitor);
    SharedProducts shared = elements.products(&ElementMaterials::elasticity, monitor);
    made.shared_product = std::move(shared.product);
    made.from_shifts = std::move(shared.from_shifts);
    made.by_device = computing.device.is_cuda();
    return made;
  }
  // What bars and springs leave free is seen by a factorisation of the whole, while that is soon done.
  const bool looked_through = !solids_alone(setup) && solve::factorises({}, constraints.unknown_count());
  if (computing.team && !looked_through && TeamAssembly::possible(setup, computing.team->size())) {
    TeamAssembly assembly(setup, state, made.space, *computing.team, computing.cpu, monitor);
    SharedSystem system = assembly.assemble(by_host, &ElementMaterials::elasticity, monitor);
    made.shared = std::move(system.matrix);
    made.from_shifts = std::move(system.from_shifts);
    made.parts = assembly.shared_parts();
    if (computing.ranks != nullptr && made.space.picks() && solids_alone(setup)) {
      made.unassembled = [parts = made.parts, &state, p = computing.ranks->number(), cpu = computing.cpu] {
        return part_of_elements(
            *parts, p, [&](std::int32_t e, std::span<double> k) { state.element_matrix(e, k); }, cpu);
      };
    }
    made.by_device = computing.device.is_cuda();
    return made;
  }
  if (!elementwise && (factorises || !computing.device.is_cuda())) {
    assemble_on_host(by_host);
    return made;
  }

  std::optional<Stage> stage(monitor.stage("elements to the device"));
  const exec::Device& device = computing.device;
  const ElementMaterials of_elements = element_materials(setup, state);
  if (!of_elements.trouble.empty()) {
    if (elementwise) refuse_operator(of_elements.trouble);
    stage.reset();
    log::debug("assembled on the CPU: {}", of_elements.trouble);
    assemble_on_host(by_host);
    return made;
  }
  require_matrix_free(setup, computing);
  const auto set = std::make_shared<const fem::ElementSet>(device, setup.solids.region());
  const std::shared_ptr<const fem::Form> form = of_elements.elasticity(set);
  const auto unknowns = std::make_shared<const fem::DofMap>(device, made.space);
  stage.reset();
  if (!elementwise && unknowns->picks()) {
    stage.emplace(monitor.stage("assemble"));
    fem::DeviceSystem system =
        fem::DeviceAssembly(device, *set, *unknowns).assemble(device, *form, *unknowns);
    made.matrix.emplace(std::move(system.matrix));
    if (constraints.shifted()) made.from_shifts = system.from_shifts.to_vector();
    made.by_device = true;
    if (leaves_room(*made.matrix, device)) made.form = form;
    return made;
  }
  made.by_device = true;
  made.form = form;
  stage.emplace(monitor.stage("element matrices", setup.solids.element_count(), "elements"));
  const auto matrices = std::make_shared<fem::ElementMatrices>(*set);
  form->integrate(device, *matrices);
  device.synchronize();
  stage.reset();
  if (computing.operator_kind == OperatorKind::elements)
    made.product = std::make_shared<fem::StoredElementOperator>(set, matrices, unknowns);
  if (computing.operator_kind == OperatorKind::matrix_free) made.product = fem::matrix_free(form, unknowns);

  if (elementwise && from_diagonal(computing.solver)) {
    made.preconditioner =
        element_preconditioner(computing.solver, *set, *matrices, *unknowns, made.product, monitor);
    made.diagonal = element_diagonal(*set, *matrices, *unknowns, 1).to_vector();
    made.from_shifts = forces_of_shifts(set, matrices, made.space);
  } else if (unknowns->picks()) {
    stage.emplace(monitor.stage("assemble"));
    fem::DeviceSystem system = fem::assemble(device, *set, *matrices, *unknowns);
    made.matrix.emplace(std::move(system.matrix));
    if (constraints.shifted()) made.from_shifts = system.from_shifts.to_vector();
  } else {
    assemble_on_host(fem::element_matrices_on_host(*set, *matrices));
  }
  return made;
}

}  // namespace setka::analysis
