// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/operator.hpp"

namespace setka::analysis {

/// K, M and C of *DYNAMIC element by element: stored matrices, or K integrated anew in each product. Masses
/// are stored, since no product has them without.
class DynamicElements {
 public:
  /// damping: whether C is wanted, by the materials. Error(Fault::usage) where elements are no uniform
  /// solids.
  DynamicElements(const Setup& setup, const ElementState& state, const fem::Space& space,
                  const Computing& computing, bool damping, Monitor& monitor);

  const std::shared_ptr<const solve::Operator>& stiffness() const { return stiffness_product_; }
  const std::shared_ptr<const solve::Operator>& mass() const { return mass_product_; }
  const std::shared_ptr<const solve::Operator>& damping() const { return damping_product_; }

  struct Weights {
    double mass = 1;
    double stiffness = 0;
    double damping = 0;
  };
  /// The weighted sum, in one product with stored matrices; with the preconditioner of the choice where that
  /// can be made without an assembled matrix, else none.
  dynamics::CgStepSolver::System sum(const Weights& weights, const solve::SolverChoice& choice,
                                     Monitor& monitor) const;

 private:
  using Matrices = std::shared_ptr<const fem::ElementMatrices>;

  Matrices damping_matrices(const Setup& setup, const fem::ElementMatrices& stiffness) const;
  Matrices summed(const Weights& weights) const;

  std::shared_ptr<const fem::ElementSet> set_;
  std::shared_ptr<const fem::Form> stiffness_form_;
  std::shared_ptr<const fem::DofMap> unknowns_;
  Matrices stiffness_;  // none: integrated anew
  Matrices mass_;
  Matrices damping_;  // none: not wanted
  std::shared_ptr<const solve::Operator> stiffness_product_;
  std::shared_ptr<const solve::Operator> mass_product_;
  std::shared_ptr<const solve::Operator> damping_product_;
};

}  // namespace setka::analysis
