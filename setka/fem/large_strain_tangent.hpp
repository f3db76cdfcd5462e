// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/large_strain_form.hpp"

namespace setka::fem {

/// K = df/du of every element at the displacements u, [nodes, 3]; overwrites the matrices, which are those of
/// form.set(). Assembly, diagonals and stored products take them as those of any form. history: what points
/// remember; null where no law has any. On a GPU it returns before the work is done.
void integrate_tangent(const exec::Stream& stream, const LargeStrainForm<double>& form,
                       exec::View<const double> u, ElementMatrices& matrices,
                       PointHistory<double>* history = nullptr);

/// T'KT at a state, without stored matrices: each product evaluates the laws anew.
class TangentOperator final : public ElementOperator {
 public:
  /// u: [nodes, 3], copied; zero displacements where it is empty.
  TangentOperator(std::shared_ptr<const LargeStrainForm<double>> form, std::shared_ptr<const DofMap> unknowns,
                  exec::View<const double> u = {}, PointHistory<double>* history = nullptr);

  /// From now on the products are those at these displacements.
  void set_state(const exec::Stream& stream, exec::View<const double> u);

 private:
  void multiply(const exec::Stream& stream, const kernel::DofSource& v, int columns,
                double* values) const final;

  std::shared_ptr<const LargeStrainForm<double>> form_;
  PointHistory<double>* history_;
  exec::Array<double> u_;
};

}  // namespace setka::fem
