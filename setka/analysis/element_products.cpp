// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/element_products.hpp"

#include <cstddef>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/exec/array.hpp"
#include "setka/fem/element.hpp"
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

void require_matrix_free(const Setup& setup, const Computing& computing) {
  if (computing.operator_kind != OperatorKind::matrix_free) return;
  const mesh::Mesh& mesh = setup.model->mesh;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const fem::Element element = setup.solids.type[static_cast<std::size_t>(e)];
    if (!fem::is_solid(element) || fem::is_plain(element)) continue;
    throw Error(Fault::usage,
                fmt::format("--operator matrix-free: element {} is a {}, which has a formulation of its own",
                            mesh.element_label(e), deck::name(mesh, e)),
                "use --operator elements");
  }
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
