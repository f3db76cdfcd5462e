// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/solve/detail/front_tree.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve::detail {

/// Whether there is a BLAS with LAPACK's Cholesky factorisation to compute with.
bool can_factorise_fronts();

/// Fills a supernodal factor whose structure is known and whose values are zero, by the
/// multifrontal method (Duff, Reid 1983): each supernode adds what its children leave to do to its own rows,
/// eliminates its columns, and leaves the rest to its parent. Subtrees are computed side by side by so many
/// threads, the fronts above them in tiles; BLAS has one thread in each. What is computed does not depend on
/// the number of threads.
///
/// Room beside the factor: the fronts that wait for their parents, in compact bodies about half of the
/// factor.
///
/// Returns the first column in which the matrix turned out not to be positive definite, or -1.
///
/// sign: null, or [rows] in the order of the factor: then A = L S L' with S of ones and minus ones, which go
/// there, and the column that is returned is the first whose pivot vanishes. Rows are not exchanged.
std::int64_t factorise_fronts(const FrontTree& tree, const sparse::SymmetricCsr& a, int threads,
                              std::int8_t* sign = nullptr);

}  // namespace setka::solve::detail
