// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/element_products.hpp"

#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/solve/block_jacobi.hpp"

namespace setka::analysis {

bool by_elements(OperatorKind kind) {
  return kind == OperatorKind::elements || kind == OperatorKind::matrix_free;
}

void refuse_operator(const std::string& trouble) {
  throw Error(Fault::usage, "--operator: " + trouble, "use --operator assembled");
}

void require_no_factor(const Computing& computing) {
  if (by_elements(computing.operator_kind) && computing.solver.method == solve::Method::cholesky)
    refuse_operator("a factorisation needs the assembled matrix");
}

std::unique_ptr<solve::Operator> element_jacobi(const fem::ElementSet& set,
                                                const fem::ElementMatrices& matrices,
                                                const fem::ElementUnknowns& unknowns) {
  const exec::Device& device = set.device();
  exec::Array<double> d(device, unknowns.unknown_count());
  fem::diagonal(device, set, matrices, unknowns, d);
  std::vector<double> inverse = d.to_vector();
  for (double& value : inverse) value = value != 0 ? 1 / value : 0.0;
  return std::make_unique<solve::BlockJacobi>(device, 1, exec::Array<double>(device, inverse));
}

}  // namespace setka::analysis
