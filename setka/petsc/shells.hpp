// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "setka/petsc/matrix.hpp"
#include "setka/petsc/objects.hpp"
#include "setka/solve/operator.hpp"

/// Operators of Setka's own over the processes, each with the rows of its process, as PETSc asks for them.
/// Vectors pass through the memory of the host where the operator is a GPU's.
namespace setka::petsc {

/// A matrix by its products: symmetric and positive definite. The operator outlives it.
Matrix shell_of(const Layout& layout, const solve::Operator& product);

/// The preconditioner is the operator, which outlives it.
void use_operator(PC pc, const solve::Operator& preconditioner, const std::string& name);

/// Whether the user leaves the preconditioner to Setka: he names none of PETSc's, and no kind of matrix that
/// those would need; and there are no more processes than Setka's is for.
bool is_left_to_us();

/// Of what PETSc is told what would have it make a preconditioner or a matrix of its own; empty: nothing.
std::string own_wish();

}  // namespace setka::petsc
