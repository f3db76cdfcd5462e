// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "setka/analysis/stiffness.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/element_unknowns.hpp"
#include "setka/solve/operator.hpp"

/// What steps have in common that multiply element by element.
namespace setka::analysis {

bool by_elements(OperatorKind kind);

/// Error(Fault::usage) of --operator.
[[noreturn]] void refuse_operator(const std::string& trouble);

/// An Error where a factorisation is asked for and products are by elements.
void require_no_factor(const Computing& computing);

/// An Error where products are free of matrices and an element's formulation knows no such product.
void require_matrix_free(const Setup& setup, const Computing& computing);

/// The inverse diagonal of an operator that is not assembled.
std::unique_ptr<solve::Operator> element_jacobi(const fem::ElementSet& set,
                                                const fem::ElementMatrices& matrices,
                                                const fem::ElementUnknowns& unknowns);

}  // namespace setka::analysis
