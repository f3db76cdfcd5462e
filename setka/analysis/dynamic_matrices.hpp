// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "setka/analysis/dynamic_elements.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/dynamics/implicit_dynamics.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/solver.hpp"
#include "setka/sparse/block_csr.hpp"

/// Equations of motion and what solves them, for *DYNAMIC.
namespace setka::analysis {

/// k K + c C + m M of elements, C by the damping of their materials. State and setup must outlive it.
fem::ElementMatrix dynamic_element_matrix(const Setup& setup, const ElementState& state, double k, double c,
                                          double m);

bool has_damping(const Setup& setup);

/// C = by_mass M + by_stiffness K.
struct RayleighDamping {
  double by_mass = 0;
  double by_stiffness = 0;
  bool operator==(const RayleighDamping&) const = default;
};

/// What all elements have in common, if they do; springs are not damped. None where there are
/// dashpots.
std::optional<RayleighDamping> common_damping(const Setup& setup);

/// What suits conjugate gradients of steps: the inverse of diagonal blocks where inertia makes that do,
/// multigrid where it does not. Both by the traces of their matrices.
std::string preconditioner_of_steps(double stiffness, double inertia);

solve::SolverOptions options_of_steps(const Computing& computing);

/// K, M and C in blocks of three unknowns, on the device of the steps.
struct DynamicMatrices {
  exec::Device device;
  bool factorised;  // steps are solved by a Cholesky factor on the host
  fem::Space space;
  std::shared_ptr<const sparse::BlockCsr<double>> stiffness = nullptr;  // none of them: nothing is assembled
  std::shared_ptr<const sparse::BlockCsr<double>> mass = nullptr;
  std::shared_ptr<const sparse::BlockCsr<double>> damping = nullptr;  // where it differs among elements
  double by_mass = 0;                                                 // where it does not
  double by_stiffness = 0;
  std::shared_ptr<const DynamicElements> elements = nullptr;  // for products, where --operator says so

  bool assembled() const { return stiffness != nullptr; }
  dynamics::MotionOperators operators() const;
  /// Those of M, K and C, where C is a matrix, in M + of_damping C + of_stiffness K; that of M is above zero.
  DynamicElements::Weights weights(double of_damping, double of_stiffness) const;
  /// M + of_damping C + of_stiffness K, where it is assembled.
  sparse::BlockCsr<double> combined(double of_damping, double of_stiffness) const;
};

/// A factor of the matrix serves all steps: on the CPU it is chosen up to 50 000 unknowns unless a method or
/// a preconditioner or an operator is given. On a GPU conjugate gradients keep all of a step there, and are
/// chosen always. By elements, with Jacobi's preconditioner, nothing is assembled.
DynamicMatrices dynamic_matrices(const Setup& setup, const ElementState& state,
                                 const fem::Constraints& constraints, const Computing& computing,
                                 Monitor& monitor);

/// Conjugate gradients are preconditioned with the inverse of diagonal blocks where inertia makes that do,
/// and with multigrid where it does not, whose aggregates serve increments of every length. When they fail,
/// and no method was asked for, a factor takes over. All that is given has to outlive the solver.
std::unique_ptr<dynamics::StepSolver> step_solver(const DynamicMatrices& matrices,
                                                  const Computing& computing);

}  // namespace setka::analysis
