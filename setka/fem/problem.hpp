// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::fem {

/// A field that was solved for: all its degrees of freedom, and how it was found.
struct Solution {
  std::vector<double> u;  // [components * nodes]
  solve::SolveReport report;
};

/// K u = f on a device: a space, and the sum of the forms on its elements. The pattern of the matrix is found
/// once, its values anew when forms were added.
class Problem {
 public:
  /// The arrays of the space's region outlive it.
  Problem(const exec::Device& device, const Space& space);

  const Space& space() const { return dofs_->space(); }
  const exec::Device& device() const { return set_->device(); }

  /// Adds a form: with the same coefficients everywhere, or with rows of a table as Form takes them.
  void add(FormKind kind, std::span<const double> coefficients);
  void add(FormKind kind, std::span<const double> table, std::span<const std::int32_t> row_of);

  /// T'KT, on the device, or on the host where constraints do more than pick unknowns.
  const sparse::BlockCsr<double>& matrix(Monitor& monitor);

  /// The forces, [components * nodes], that a density of them has, given at the nodes: the integral with the
  /// shape functions of the field that they make.
  std::vector<double> forces_of(std::span<const double> density) const;

  /// For forces at all degrees of freedom; those of prescribed ones have no say. Error(Fault::input) where
  /// nothing holds the field.
  Solution solve(std::span<const double> forces, const solve::SolverChoice& choice, Monitor& monitor);

 private:
  void assemble(Monitor& monitor);
  void assemble_on_host(Monitor& monitor);

  std::shared_ptr<const ElementSet> set_;
  std::shared_ptr<const DofMap> dofs_;
  std::vector<Form> forms_;
  std::optional<DeviceAssembly> pattern_;
  std::optional<sparse::BlockCsr<double>> matrix_;
  std::vector<double> from_shifts_;
};

}  // namespace setka::fem
