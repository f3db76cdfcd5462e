// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/base/monitor.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::domains {

/// A symmetric matrix by what becomes of its unknowns: those of the boundary stay, inner ones follow them.
struct SplitMatrix {
  sparse::SymmetricCsr inner;     // A_ii
  sparse::Csr coupling;           // A_bi: [boundary, inner]
  sparse::SymmetricCsr boundary;  // A_bb
};

/// The unknowns that are not of the boundary, ascending: the order of SplitMatrix::inner.
std::vector<std::int32_t> inner_unknowns(std::int32_t unknowns, std::span<const std::int32_t> boundary);

/// boundary: distinct unknowns, in the order that the boundary is to have.
SplitMatrix split(const sparse::SymmetricCsr& a, std::span<const std::int32_t> boundary);

/// All of it.
Dense dense(const sparse::SymmetricCsr& a);

/// y += s A x of a few columns, [rows, columns] column by column.
void add_product(double s, const sparse::Csr& a, ConstDenseView x, DenseView<double> y);

/// What follows when inner unknowns are free of forces: x_i = -K_ii^-1 K_ib x_b, with a Cholesky
/// factorisation of K_ii on the host.
class Condensation {
 public:
  /// Keeps the matrix. Error(Fault::usage) in a build without CHOLMOD.
  explicit Condensation(SplitMatrix k);

  std::int64_t inner_count() const { return k_.inner.rows; }
  std::int64_t boundary_count() const { return k_.boundary.rows; }
  const SplitMatrix& matrix() const { return k_; }

  /// An inner unknown that moves without force while the boundary is held: K_ii is singular, and nothing
  /// below may be called. -1: there is none.
  std::int32_t loose() const { return loose_; }

  /// X = K_ii^-1 B, [inner, columns].
  Dense inner_solution(const Dense& b) const;

  /// Columns first .. first + count of the constraint modes Psi = -K_ii^-1 K_ib: what the inner unknowns do
  /// when one of the boundary moves by 1 and the others are held.
  Dense constraint_modes(std::int64_t first, std::int64_t count) const;

  /// Calls `take(first, psi)` for all constraint modes, some columns at a time.
  void each_constraint_modes(Monitor& monitor,
                             const std::function<void(std::int64_t first, const Dense& psi)>& take) const;

  /// K_bb - K_bi K_ii^-1 K_ib, symmetric.
  Dense schur_complement(Monitor& monitor) const;

 private:
  SplitMatrix k_;
  solve::Cholesky factor_;
  std::int32_t loose_ = -1;
};

}  // namespace setka::domains
