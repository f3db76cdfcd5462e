// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/domains/row_parts.hpp"
#include "setka/petsc/objects.hpp"
#include "setka/solve/amg.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::petsc {

/// Whole vectors, which everybody has, and those of PETSc, of which each process has its part. PETSc numbers
/// the rows of the first part first.
class Layout {
 public:
  Layout(const domains::RowParts& parts, int part);

  const domains::RowParts& parts() const { return parts_; }
  int part() const { return part_; }
  PetscInt own_rows() const { return own_rows_; }  // scalar ones
  PetscInt first_row() const { return first_[static_cast<std::size_t>(part_)]; }
  /// PETSc's number of the first scalar row of a block row.
  PetscInt number_of(std::int32_t block_row) const { return number_[static_cast<std::size_t>(block_row)]; }

  Vector vector() const;
  void set(std::span<const double> whole, Vec v) const;
  std::vector<double> whole(Vec v) const;

 private:
  const domains::RowParts& parts_;
  int part_;
  PetscInt own_rows_ = 0;
  std::vector<PetscInt> first_;   // [parts + 1]
  std::vector<PetscInt> number_;  // [block rows]
};

/// A matrix as PETSc has it: AIJ, or what options say. It reads the values of the rows where they are: they
/// and the parts outlive it.
class SharedMatrix {
 public:
  /// What stands on the diagonal of rows that only fill blocks: as large a value as others have, for what is
  /// to be factorised; or nothing, as in a mass.
  enum class Filling { diagonal, nothing };

  /// rows: those of the part.
  SharedMatrix(const domains::RowParts& parts, int part, const sparse::TeamCsr<double>& rows,
               Filling filling = Filling::diagonal);
  /// Of the part of this process.
  explicit SharedMatrix(const domains::DistributedMatrix& matrix, Filling filling = Filling::diagonal);

  const Layout& layout() const { return layout_; }
  Mat mat() const { return mat_; }

 private:
  double* values_with_filling(const sparse::BlockCsr<double>& own, Filling filling);

  Layout layout_;
  std::optional<sparse::BlockCsr<double>> moved_own_;  // from a GPU
  std::optional<sparse::BlockCsr<double>> moved_beside_;
  // What PETSc has no copy of.
  std::vector<double> own_value_;  // none: those of the rows
  std::vector<PetscInt> own_offset_;
  std::vector<PetscInt> own_column_;
  std::vector<PetscInt> beside_offset_;
  std::vector<PetscInt> beside_column_;
  std::vector<double> beside_value_;
  Matrix mat_;
};

/// A matrix as sums over what the elements of each process make of it: of PETSc's type `is`, which methods of
/// substructures take. Like SharedMatrix it has values where rows only fill blocks.
class UnassembledMatrix {
 public:
  UnassembledMatrix(const Layout& layout, domains::UnassembledPart part);

  Mat mat() const { return mat_; }

 private:
  domains::UnassembledPart part_;
  // What PETSc has no copy of.
  std::vector<PetscInt> offset_;
  std::vector<PetscInt> column_;
  std::vector<double> value_;
  Matrix local_;
  Matrix mat_;
};

/// PETSc's multigrid by aggregation, as Setka has it unless options say otherwise.
void use_gamg(PC pc);

/// Motions that aggregates of multigrid are to reproduce: made orthonormal, as PETSc wants them.
void set_near_nullspace(Mat mat, const Layout& layout, const solve::AmgGeometry& geometry);

}  // namespace setka::petsc
