// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_projection.hpp"
#include "setka/fem/form.hpp"
#include "setka/solve/operator.hpp"

namespace setka::fem {

/// T'AT as a sum over elements, never assembled, with all that iterations ask of it: products, diagonal
/// blocks and projections X'AX. On the device of its elements.
class UnassembledMatrix {
 public:
  /// With stored element matrices.
  UnassembledMatrix(std::shared_ptr<const ElementProjection> elements,
                    std::shared_ptr<const ElementMatrices> matrices);

  /// A form that is integrated anew each time; nothing is stored but ranges of some megabytes on their way.
  UnassembledMatrix(std::shared_ptr<const ElementProjection> elements, std::shared_ptr<const Form> form);

  const solve::Operator& product() const { return *product_; }

  /// [rows / n, n, n]
  exec::Array<double> diagonal_blocks(int n) const;

  /// S = X'AX, of at most most_projected_columns; on a GPU it returns before the work is done.
  void project(const exec::Stream& stream, exec::MultiView<const double> x, exec::MultiView<double> s) const;

 private:
  std::shared_ptr<const ElementProjection> elements_;
  std::shared_ptr<const ElementMatrices> matrices_;  // none: the form
  std::shared_ptr<const Form> form_;
  std::unique_ptr<const solve::Operator> product_;
};

}  // namespace setka::fem
