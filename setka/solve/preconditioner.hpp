// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve {

/// What is known of a matrix.
enum class MatrixKind {
  positive_definite,  // and symmetric
  symmetric,          // perhaps indefinite; the preconditioner is positive definite all the same
  general,
};

/// What a preconditioner may be made from. Polynomials keep the product, and where there is none the matrix,
/// which then outlives them; nothing else is kept.
struct PreconditionerInput {
  const sparse::BlockCsr<double>* matrix = nullptr;  // on the device of the solver; none: it is not assembled
  MatrixKind kind = MatrixKind::positive_definite;
  std::function<AmgGeometry()> geometry;  // asked for when needed
  /// Diagonal blocks of n unknowns, [rows / n, n, n], where there is no matrix.
  std::function<exec::Array<double>(int n)> diagonal_blocks;
  std::shared_ptr<const Operator> product = nullptr;  // none: that with the matrix
  /// All columns of the rows, where a team has the others: the matrix is what couples the rows here.
  const sparse::TeamCsr<double>* team = nullptr;
};

/// One line of the list of preconditioners, or one that a folder above this one makes (SolverChoice::use()).
struct PreconditionerKind {
  std::string_view word;  // of the command line; a literal
  std::string title;      // "multigrid"
  bool from_diagonal;     // diagonal blocks and products are enough: no matrix has to be assembled
  bool for_symmetric;     // which MatrixKinds it takes beside positive definite ones
  bool for_general;       //
  bool over_team;         // it is the same where the rows are shared out over several devices
  bool local;             // it reaches neighbours alone: iterations grow with the size of the matrix
  int scratch;  // vectors beside diagonal blocks that a product of one from_diagonal takes, a column
  std::function<std::unique_ptr<Operator>(const PreconditionerInput& input, Monitor& monitor)> make;

  /// Of a solver that has it, for a matrix of so many rows.
  int stagnation_window(std::int64_t rows) const;
};

std::span<const PreconditionerKind> preconditioners();

/// "auto" stands for the best that a kind of matrix has. An unknown word, and one whose preconditioner does
/// not take the kind, is an Error(Fault::usage) that lists what would be right.
const PreconditionerKind& preconditioner_of(std::string_view word,
                                            MatrixKind kind = MatrixKind::positive_definite);

/// An Error(Fault::usage) where a preconditioner does not take a kind of matrix.
void require_takes(const PreconditionerKind& preconditioner, MatrixKind kind);

/// "auto, jacobi, ... or amg", and others that a command knows besides.
std::string preconditioner_words(std::span<const std::string_view> others = {});

/// Those that need no matrix: "jacobi, .. or chebyshev"
std::string preconditioner_words_from_diagonal();

}  // namespace setka::solve
