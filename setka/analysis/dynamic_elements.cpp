// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/dynamic_elements.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/element_products.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element_matrix_free.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/solve/operators.hpp"

namespace setka::analysis {

DynamicElements::DynamicElements(const Setup& setup, const ElementState& state, const fem::Space& space,
                                 const Computing& computing, bool damping, Monitor& monitor) {
  const Stage stage = monitor.stage("element matrices", setup.solids.element_count(), "elements");
  const exec::Device& device = computing.device;
  const ElementMaterials of_elements = materials_for_products(setup, state, computing);
  set_ = std::make_shared<const fem::ElementSet>(device, setup.solids.region());
  stiffness_form_ = of_elements.elasticity(set_);
  unknowns_ = std::make_shared<const fem::DofMap>(device, space);
  const bool free_of_matrices = computing.operator_kind == OperatorKind::matrix_free;
  if (free_of_matrices) stiffness_product_ = fem::matrix_free(stiffness_form_, unknowns_);

  auto mass = std::make_shared<fem::ElementMatrices>(*set_);
  of_elements.mass(set_)->integrate(device, *mass);
  mass_ = std::move(mass);
  mass_product_ = std::make_shared<fem::StoredElementOperator>(set_, mass_, unknowns_);
  if (free_of_matrices && !damping) return;
  auto stiffness = std::make_shared<fem::ElementMatrices>(*set_);
  stiffness_form_->integrate(device, *stiffness);
  if (damping) {
    damping_ = damping_matrices(setup, *stiffness);
    damping_product_ = std::make_shared<fem::StoredElementOperator>(set_, damping_, unknowns_);
  }
  if (free_of_matrices) return;
  stiffness_ = std::move(stiffness);
  stiffness_product_ = std::make_shared<fem::StoredElementOperator>(set_, stiffness_, unknowns_);
}

/// By the coefficients of each element's material, on the host: it is done once.
DynamicElements::Matrices DynamicElements::damping_matrices(const Setup& setup,
                                                            const fem::ElementMatrices& stiffness) const {
  const exec::Device& device = set_->device();
  const auto on_host = [&](exec::View<const double> values) {
    std::vector<double> copy(static_cast<std::size_t>(values.size));
    exec::copy_async<double>(device, values, {copy.data(), values.size});
    device.synchronize();
    return copy;
  };
  auto made = std::make_shared<fem::ElementMatrices>(*set_);
  for (std::size_t g = 0; g < made->group_count(); ++g) {
    const fem::ElementGroup& group = set_->groups()[g];
    const auto elements = group.elements();
    const auto rows = static_cast<std::size_t>(made->components()) * static_cast<std::size_t>(group.nodes());
    const std::size_t entries = rows * (rows + 1) / 2;
    std::vector<double> c = on_host(stiffness.group(g));
    const std::vector<double> m = on_host(mass_->group(g));
    for (std::size_t i = 0; i < c.size(); ++i) {
      const std::size_t block = i / (entries * fem::block_lanes);
      const std::size_t place = block * fem::block_lanes + i % fem::block_lanes;
      const model::Material& material = setup.material(elements[std::min(place, elements.size() - 1)]);
      c[i] = material.damping_by_stiffness * c[i] + material.damping_by_mass * m[i];
    }
    exec::copy_async<double>(device, exec::View<const double>{c.data(), static_cast<std::int64_t>(c.size())},
                             made->group(g));
    device.synchronize();
  }
  return made;
}

DynamicElements::Matrices DynamicElements::summed(const Weights& weights) const {
  const exec::Device& device = set_->device();
  auto sum = std::make_shared<fem::ElementMatrices>(*set_);
  if (stiffness_ == nullptr) stiffness_form_->integrate(device, *sum);
  for (std::size_t g = 0; g < sum->group_count(); ++g) {
    const exec::View<const double> stiffness =
        stiffness_ == nullptr ? exec::View<const double>(sum->group(g)) : stiffness_->group(g);
    exec::combine<double>(device, weights.mass, mass_->group(g), weights.stiffness, stiffness, sum->group(g));
    if (damping_ != nullptr) exec::axpy<double>(device, weights.damping, damping_->group(g), sum->group(g));
  }
  return sum;
}

dynamics::CgStepSolver::System DynamicElements::sum(const Weights& weights, const solve::SolverChoice& choice,
                                                    Monitor& monitor) const {
  dynamics::CgStepSolver::System system;
  Matrices matrices;
  const bool preconditioned = from_diagonal(choice);
  if (stiffness_ != nullptr || preconditioned) matrices = summed(weights);
  if (stiffness_ != nullptr) {
    system.matrix = std::make_shared<fem::StoredElementOperator>(set_, matrices, unknowns_);
  } else {
    system.matrix = std::make_shared<solve::SumOperator>(weights.mass, mass_product_, weights.stiffness,
                                                         stiffness_product_);
    if (damping_product_ != nullptr)
      system.matrix =
          std::make_shared<solve::SumOperator>(1, system.matrix, weights.damping, damping_product_);
  }
  if (preconditioned)
    system.preconditioner =
        element_preconditioner(choice, *set_, *matrices, *unknowns_, system.matrix, monitor);
  return system;
}

}  // namespace setka::analysis
