// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/solve/detail/front_tree.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve::detail {

/// Whether there is a BLAS with LAPACK's Cholesky factorisation to compute with.
bool can_factorise_fronts();

/// How fronts are eliminated.
struct Elimination {
  int threads = 1;

  /// Null, or [rows] in the order of the factor: then A = L S L' with S of ones and minus ones, which go
  /// there, and the column that is returned is the first whose pivot vanishes. Rows are not exchanged.
  std::int8_t* sign = nullptr;

  /// Empty, or [rows]: what is factorised is D A D with these on the diagonal of D.
  std::span<const double> scale;

  /// Less than this on the diagonal, before its root is taken, counts as not positive definite.
  double min_pivot = 0;
};

/// Fills a supernodal factor whose structure is known and whose values are zero, by the
/// multifrontal method (Duff, Reid 1983): each supernode adds what its children leave to do to its own rows,
/// eliminates its columns, and leaves the rest to its parent. Subtrees are computed side by side by so many
/// threads, the fronts above them in tiles; BLAS has one thread in each. What is computed does not depend on
/// the number of threads.
///
/// Value: double or float. Room beside the factor: the fronts that wait for their parents, in compact bodies
/// about half of the factor.
///
/// Returns the first column in which the matrix turned out not to be positive definite, or -1.
template <class Value>
std::int64_t factorise_fronts(const FrontTree& tree, Value* factor, const sparse::SymmetricRows& a,
                              const Elimination& how);

}  // namespace setka::solve::detail
