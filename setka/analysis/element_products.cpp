// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/element_products.hpp"

#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::analysis {

bool by_elements(OperatorKind kind) {
  return kind == OperatorKind::elements || kind == OperatorKind::matrix_free;
}

void refuse_operator(const std::string& trouble, const std::string& remedy) {
  throw Error(Fault::usage, "--operator: " + trouble, remedy);
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

ElementMaterials materials_for_products(const Setup& setup, const ElementState& state,
                                        const Computing& computing) {
  ElementMaterials taken = element_materials(setup, state);
  if (!taken.trouble.empty()) refuse_operator(taken.trouble);
  require_matrix_free(setup, computing);
  return taken;
}

bool from_diagonal(const solve::SolverChoice& choice) {
  return solve::preconditioner_of(choice).from_diagonal;
}

exec::Array<double> element_diagonal(const fem::ElementSet& set, const fem::ElementMatrices& matrices,
                                     const fem::DofMap& unknowns, int block) {
  exec::Array<double> d(set.device(), unknowns.size() * block);
  fem::diagonal(set.device(), set, matrices, unknowns, d, block);
  return d;
}

std::unique_ptr<solve::Operator> element_preconditioner(
    const solve::SolverChoice& choice, const fem::ElementSet& set, const fem::ElementMatrices& matrices,
    const fem::DofMap& unknowns, std::shared_ptr<const solve::Operator> product, Monitor& monitor) {
  solve::PreconditionerInput input;
  input.product = std::move(product);
  input.diagonal_blocks = [&](int block) { return element_diagonal(set, matrices, unknowns, block); };
  return solve::preconditioner_of(choice.preconditioner).make(input, monitor);
}

}  // namespace setka::analysis
