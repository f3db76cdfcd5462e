// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/operator.hpp"

/// What steps have in common that multiply element by element.
namespace setka::analysis {

bool by_elements(OperatorKind kind);

/// Error(Fault::usage) of --operator.
[[noreturn]] void refuse_operator(const std::string& trouble,
                                  const std::string& remedy = "use --operator assembled");

/// An Error where a factorisation is asked for and products are by elements.
void require_no_factor(const Computing& computing);

/// An Error where products are free of matrices and an element's formulation knows no such product.
void require_matrix_free(const Setup& setup, const Computing& computing);

/// Materials of the elements for products with them; an Error where some element has none, or knows no such
/// product.
ElementMaterials materials_for_products(const Setup& setup, const ElementState& state,
                                        const Computing& computing);

/// Whether the preconditioner of a choice can be made from diagonal blocks, so that nothing is assembled.
bool from_diagonal(const solve::SolverChoice& choice);

/// [places * block]: the diagonal blocks of an operator that is not assembled.
exec::Array<double> element_diagonal(const fem::ElementSet& set, const fem::ElementMatrices& matrices,
                                     const fem::DofMap& unknowns, int block);

/// The preconditioner of an operator that is not assembled, given by its product; see from_diagonal().
std::unique_ptr<solve::Operator> element_preconditioner(
    const solve::SolverChoice& choice, const fem::ElementSet& set, const fem::ElementMatrices& matrices,
    const fem::DofMap& unknowns, std::shared_ptr<const solve::Operator> product, Monitor& monitor);

}  // namespace setka::analysis
