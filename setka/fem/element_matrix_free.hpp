// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/form.hpp"

namespace setka::fem {

/// The elasticity of solids with one material an element, without stored matrices: each product integrates
/// strains and stresses anew. Those of standard formulation alone: C3D4, C3D6, C3D8, C3D10, C3D15, C3D20,
/// C3D20R.
///
/// C3D8, one column: 1600 fused products and about 500 bytes an element, coordinates and values counted once
/// for each node, where stored matrices take 2784.
class MatrixFreeOperator final : public ElementOperator {
 public:
  MatrixFreeOperator(std::shared_ptr<const Form> stiffness, std::shared_ptr<const DofMap> unknowns,
                     int chunk_nodes = ElementChunks::usual_nodes);

 private:
  void multiply(const exec::Stream& stream, const kernel::DofSource& u, int columns,
                double* values) const final;
  void multiply_chunk(const ElementChunk& chunk, const ChunkVectors& on) const final;

  std::shared_ptr<const Form> stiffness_;
};

/// The product with a form that is faster for it: a MatrixFreeOperator where it can be, else a FormOperator.
std::unique_ptr<ElementOperator> matrix_free(std::shared_ptr<const Form> form,
                                             std::shared_ptr<const DofMap> unknowns);

}  // namespace setka::fem
