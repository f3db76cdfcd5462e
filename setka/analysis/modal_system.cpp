// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/modal_system.hpp"

#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <utility>
#include <vector>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/element_products.hpp"
#include "setka/analysis/free_motions.hpp"
#include "setka/analysis/modes_in_parts.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/meanwhile.hpp"
#include "setka/domains/distributed_product.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_projection.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/solve/block_csr_operator.hpp"

namespace setka::analysis {
namespace {

/// Products of a matrix that may be assembled as well.
void take_products(const fem::UnassembledMatrix& matrix, modes::SystemMatrix& taken) {
  taken.product = &matrix.product();
  taken.diagonal_blocks = [&matrix](int n) { return matrix.diagonal_blocks(n); };
  taken.projection = [&matrix](const exec::Stream& stream, exec::MultiView<const double> x,
                               exec::MultiView<double> s) { matrix.project(stream, x, s); };
}

void load_blocks(const exec::Stream& stream) {
  try {
    exec::prepare_blocks(stream);
  } catch (const Error& error) {  // told by what uses them, if anything does
    log::debug("{}", error.message());
  }
}

bool factorises(modes::Method method) {
  return method == modes::Method::dense || method == modes::Method::lanczos;
}

}  // namespace

modes::Choice modal_choice(const Computing& computing) {
  const solve::SolverChoice& solver = computing.solver;
  const bool of_others = factorises(computing.modes) || solver.given != nullptr;
  modes::Choice choice(computing.modes, of_others ? "auto" : solver.preconditioner);
  choice.preferred = computing.preferred_modes;
  return choice;
}

ModalSystem::ModalSystem(const Setup& setup, const ElementState& state, const fem::Constraints& of_users,
                         const fem::Constraints& constraints, const Preload* preload,
                         const modes::Request& request, const Computing& computing, Monitor& monitor)
    : setup_(setup), computing_(computing) {
  const bool elementwise = by_elements(computing.operator_kind);
  const modes::Choice choice = modal_choice(computing);
  const modes::Method method =
      modes::chosen_method(choice, constraints.unknown_count(), request, computing.device);
  const bool iterates = elementwise || method == modes::Method::lobpcg || method == modes::Method::subspace;
  if (elementwise) refuse_elements(preload);
  std::future<bool> moves;
  std::future<void> prepared;
  if (iterates) {
    const std::int64_t nodes = setup.model->mesh.node_count();
    moves = meanwhile(nodes, [&] { return !free_motions(setup, of_users).empty(); });
    prepared = meanwhile(nodes, [stream = computing.device.stream()] { load_blocks(stream); });
  }
  if (computing.team && elementwise) {
    share_elements_out(state, constraints, monitor);
  } else if (computing.team) {
    share_out(state, constraints, preload, monitor);
  } else if (!elementwise || (choice.preconditioner != "auto" && !from_diagonal(computing.solver)))
    assemble(state, constraints, preload, iterates && computing.device.is_cuda(), monitor);
  if (!computing.team && elementwise) take_elements(state, constraints, monitor);
  system_.place = space_->places();
  system_.geometry = [this] { return space_->amg_geometry(computing_.cpu); };
  system_.parts = [this, &of_users] { return parts_of_blocks(setup_, of_users, *space_); };
  if (!iterates) return;
  const Stage looking = monitor.stage("free motions");
  system_.free = moves.get();
  prepared.wait();
}

void ModalSystem::assemble(const ElementState& state, const fem::Constraints& constraints,
                           const Preload* preload, bool on_device, Monitor& monitor) {
  matrices_.emplace(modal_matrices(setup_, state, constraints, preload, computing_, on_device, monitor));
  space_.emplace(matrices_->space);
  of_given_mass_ = std::make_unique<solve::BlockCsrOperator>(matrices_->mass);
  mass_product_ = of_given_mass_.get();
  system_.stiffness.assembled = &matrices_->stiffness;
  system_.mass.assembled = &matrices_->mass;
}

void ModalSystem::share_out(const ElementState& state, const fem::Constraints& constraints,
                            const Preload* preload, Monitor& monitor) {
  if (!TeamAssembly::possible(setup_, computing_.team->size()))
    return assemble(state, constraints, preload, computing_.device.is_cuda(), monitor);
  space_.emplace(setup_.solids.region(), 3, constraints);
  TeamAssembly assembly(setup_, state, *space_, *computing_.team, computing_.cpu, monitor);
  parts_ = assembly.shared_parts();
  shared_stiffness_ =
      assembly.assemble(modal_stiffness(setup_, state, preload),
                        preload == nullptr ? &ElementMaterials::elasticity : nullptr, monitor);
  shared_mass_ = assembly.assemble(modal_mass(setup_, state), &ElementMaterials::mass, monitor);
  of_given_mass_ = std::make_unique<domains::DistributedProduct>(*shared_mass_->matrix);
  mass_product_ = of_given_mass_.get();
}

void ModalSystem::share_elements_out(const ElementState& state, const fem::Constraints& constraints,
                                     Monitor& monitor) {
  if (computing_.ranks != nullptr && computing_.ranks->is_told_of_modes())
    refuse_operator("modes that --petsc tells how to find are those of assembled matrices");
  space_.emplace(setup_.solids.region(), 3, constraints);
  TeamElements elements(setup_, state, *space_, computing_, monitor);
  parts_ = elements.shared_parts();
  products_of_stiffness_ = elements.products(&ElementMaterials::elasticity, monitor);
  products_of_mass_ = elements.products(&ElementMaterials::mass, monitor);
  of_given_mass_ = std::make_unique<domains::DistributedProduct>(*products_of_mass_->product);
  mass_product_ = of_given_mass_.get();
}

modes::Modes ModalSystem::find(const modes::EigenSystem& system, const modes::Request& request,
                               Monitor& monitor) const {
  if (products_of_stiffness_)
    return find_in_parts(*parts_, *space_, *products_of_stiffness_->product, *products_of_mass_->product,
                         system, request, computing_, monitor);
  if (shared_stiffness_)
    return find_in_parts(*parts_, *space_, *shared_stiffness_->matrix, *shared_mass_->matrix, system, request,
                         computing_, monitor);
  return find_whole(system, request, computing_, monitor);
}

void ModalSystem::refuse_elements(const Preload* preload) const {
  if (preload != nullptr) refuse_operator("the stiffness about a preload is assembled");
  if (factorises(computing_.modes))
    refuse_operator("--modes dense and lanczos need assembled matrices", "use --modes lobpcg or subspace");
}

void ModalSystem::take_elements(const ElementState& state, const fem::Constraints& constraints,
                                Monitor& monitor) {
  const Stage stage = monitor.stage("elements", setup_.solids.element_count(), "elements");
  const exec::Device& device = computing_.device;
  const fem::Region region = setup_.solids.region();
  if (!space_) space_.emplace(region, 3, constraints);
  const ElementMaterials of_elements = materials_for_products(setup_, state, computing_);
  const auto set = std::make_shared<const fem::ElementSet>(device, region);
  const auto k = of_elements.elasticity(set);
  const auto m = of_elements.mass(set);
  const auto elements = std::make_shared<const fem::ElementProjection>(
      set, std::make_shared<const fem::DofMap>(device, *space_));
  if (computing_.operator_kind == OperatorKind::elements) {
    const auto stored = [&](const fem::Form& form) {
      auto matrices = std::make_shared<fem::ElementMatrices>(*set);
      form.integrate(device, *matrices);
      return std::make_unique<const fem::UnassembledMatrix>(elements, std::move(matrices));
    };
    stiffness_ = stored(*k);
    mass_ = stored(*m);
  } else {
    stiffness_ = std::make_unique<const fem::UnassembledMatrix>(elements, k);
    mass_ = std::make_unique<const fem::UnassembledMatrix>(elements, m);
  }
  device.synchronize();
  mass_product_ = &mass_->product();
  take_products(*stiffness_, system_.stiffness);
  take_products(*mass_, system_.mass);
}

}  // namespace setka::analysis
