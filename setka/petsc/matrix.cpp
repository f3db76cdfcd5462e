// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/petsc/matrix.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/device.hpp"

namespace setka::petsc {
namespace {

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Offsets and columns of scalar rows; columns come from first_of, which has PETSc's number of the first
/// scalar column of a block. Values lie scalar row by scalar row in a BlockCsr already.
template <class FirstOf>
void expand(const sparse::BlockCsr<double>& rows, const FirstOf& first_of, std::vector<PetscInt>& offset,
            std::vector<PetscInt>& column) {
  const int block = rows.height();
  const std::int32_t* const first = rows.offset().data();
  const std::int32_t* const blocks = rows.column().data();
  if (rows.value().size() > std::numeric_limits<PetscInt>::max())
    throw Error(Fault::resource,
                fmt::format("this build of PETSc cannot count {} entries of a process", rows.value().size()),
                "use more processes, or a PETSc of 64-bit indices (libpetsc64-real-dev)");
  column.reserve(at(rows.value().size()));
  for (std::int32_t r = 0; r < rows.rows(); ++r) {
    for (int i = 0; i < block; ++i) {
      for (std::int32_t k = first[r]; k < first[r + 1]; ++k) {
        for (int j = 0; j < block; ++j) column.push_back(first_of(blocks[k]) + j);
      }
      offset.push_back(static_cast<PetscInt>(column.size()));
    }
  }
}

/// Columns ascending in every row, and the values with them.
void sort_rows(const std::vector<PetscInt>& offset, std::vector<PetscInt>& column,
               std::vector<double>& value) {
  std::vector<std::pair<PetscInt, double>> row;
  for (std::size_t r = 0; r + 1 < offset.size(); ++r) {
    row.clear();
    for (std::size_t k = at(offset[r]); k < at(offset[r + 1]); ++k) row.emplace_back(column[k], value[k]);
    std::ranges::sort(row, {}, &std::pair<PetscInt, double>::first);
    for (std::size_t k = 0; k < row.size(); ++k) {
      column[at(offset[r]) + k] = row[k].first;
      value[at(offset[r]) + k] = row[k].second;
    }
  }
}

/// Places of diagonals that are zero, and what is as large as others have.
struct EmptyDiagonal {
  std::vector<std::size_t> place;
  double instead = 1;
};
EmptyDiagonal empty_diagonal(const std::vector<PetscInt>& offset, const std::vector<PetscInt>& column,
                             const double* value) {
  EmptyDiagonal found;
  double largest = 0;
  for (std::size_t r = 0; r + 1 < offset.size(); ++r) {
    const auto begin = column.begin() + offset[r];
    const auto end = column.begin() + offset[r + 1];
    const auto place = std::lower_bound(begin, end, static_cast<PetscInt>(r));
    if (place == end || *place != static_cast<PetscInt>(r)) continue;
    const auto k = at(place - column.begin());
    largest = std::max(largest, value[k]);
    if (value[k] == 0) found.place.push_back(k);
  }
  if (largest > 0) found.instead = largest;
  return found;
}

/// Where --petsc wants another kind of matrix, as aijcusparse.
void convert_as_told(Mat& mat) {
  std::array<char, 64> type{};
  PetscBool is_told = PETSC_FALSE;
  SETKA_PETSC(PetscOptionsGetString(nullptr, nullptr, "-mat_type", type.data(), type.size(), &is_told));
  if (is_told == PETSC_TRUE) SETKA_PETSC(MatConvert(mat, type.data(), MAT_INPLACE_MATRIX, &mat));
}

}  // namespace

Layout::Layout(const domains::RowParts& parts, int part) : parts_(parts), part_(part), first_{0} {
  const std::int64_t all = parts_.scalar_rows();
  if (all > std::numeric_limits<PetscInt>::max())
    throw Error(Fault::resource, fmt::format("this build of PETSc cannot number {} unknowns", all),
                "build Setka with a PETSc of 64-bit indices (libpetsc64-real-dev)");
  const int block = parts_.block();
  number_.resize(at(all / block));
  for (int p = 0; p < parts_.count(); ++p) {
    PetscInt next = first_.back();
    for (const std::int32_t row : parts_.part(p).rows) {
      number_[at(row)] = next;
      next += block;
    }
    first_.push_back(next);
  }
  own_rows_ = first_[at(part_) + 1] - first_[at(part_)];
}

Vector Layout::vector() const {
  Vector made;
  SETKA_PETSC(VecCreate(PETSC_COMM_WORLD, made.out()));
  SETKA_PETSC(VecSetSizes(made, own_rows_, PETSC_DETERMINE));
  SETKA_PETSC(VecSetBlockSize(made, parts_.block()));
  SETKA_PETSC(VecSetFromOptions(made));
  return made;
}

void Layout::set(std::span<const double> whole, Vec v) const {
  const std::vector<double> own = parts_.values_of(part_, whole);
  PetscScalar* values = nullptr;
  SETKA_PETSC(VecGetArrayWrite(v, &values));
  std::ranges::copy(own, values);
  SETKA_PETSC(VecRestoreArrayWrite(v, &values));
}

std::vector<double> Layout::whole(Vec v) const {
  const auto all = static_cast<std::size_t>(parts_.scalar_rows());
  std::vector<double> gathered(all);
  std::vector<int> counts;
  std::vector<int> offsets;
  for (int p = 0; p < parts_.count(); ++p) {
    counts.push_back(static_cast<int>(first_[at(p) + 1] - first_[at(p)]));
    offsets.push_back(static_cast<int>(first_[at(p)]));
  }
  const PetscScalar* values = nullptr;
  SETKA_PETSC(VecGetArrayRead(v, &values));
  MPI_Allgatherv(values, counts[at(part_)], MPI_DOUBLE, gathered.data(), counts.data(), offsets.data(),
                 MPI_DOUBLE, PETSC_COMM_WORLD);
  SETKA_PETSC(VecRestoreArrayRead(v, &values));
  std::vector<double> made(all);
  for (int p = 0; p < parts_.count(); ++p)
    parts_.put(p, std::span<const double>(gathered).subspan(at(offsets[at(p)]), at(counts[at(p)])), made);
  return made;
}

SharedMatrix::SharedMatrix(const domains::RowParts& parts, int part, const sparse::TeamCsr<double>& rows,
                           Filling filling)
    : layout_(parts, part) {
  if (rows.device().is_cuda()) {
    moved_own_.emplace(rows.own().to(exec::Device::cpu(1)));
    moved_beside_.emplace(rows.beside().to(exec::Device::cpu(1)));
  }
  const sparse::BlockCsr<double>& own = moved_own_ ? *moved_own_ : rows.own();
  const sparse::BlockCsr<double>& beside = moved_beside_ ? *moved_beside_ : rows.beside();
  const int block = parts.block();
  const std::vector<std::int32_t>& ghosts = parts.part(part).ghosts;
  const PetscInt local = layout_.own_rows();
  own_offset_.push_back(0);
  expand(
      own, [&](std::int32_t column) { return block * column; }, own_offset_, own_column_);
  // Only the last rows have ghosts.
  beside_offset_.assign(at(local - block * beside.rows() + 1), 0);
  expand(
      beside, [&](std::int32_t column) { return layout_.number_of(ghosts[at(column)]); }, beside_offset_,
      beside_column_);
  beside_value_ = beside.value().to_vector();
  sort_rows(beside_offset_, beside_column_, beside_value_);
  double* const own_value = values_with_filling(own, filling);
  if (parts.count() == 1) {
    SETKA_PETSC(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, local, local, own_offset_.data(),
                                          own_column_.data(), own_value, mat_.out()));
  } else {
    SETKA_PETSC(MatCreateMPIAIJWithSplitArrays(PETSC_COMM_WORLD, local, local, PETSC_DETERMINE,
                                               PETSC_DETERMINE, own_offset_.data(), own_column_.data(),
                                               own_value, beside_offset_.data(), beside_column_.data(),
                                               beside_value_.data(), mat_.out()));
  }
  SETKA_PETSC(MatSetBlockSize(mat_, block));
  convert_as_told(*mat_.out());
  SETKA_PETSC(MatSetOption(mat_, MAT_SYMMETRIC, PETSC_TRUE));
  SETKA_PETSC(MatSetOption(mat_, MAT_SPD, PETSC_TRUE));
}

SharedMatrix::SharedMatrix(const domains::DistributedMatrix& matrix, Filling filling)
    : SharedMatrix(matrix.parts(), matrix.team().only(), matrix.here().matrix(), filling) {}

double* SharedMatrix::values_with_filling(const sparse::BlockCsr<double>& own, Filling filling) {
  const double* const value = own.value().data();
  const EmptyDiagonal found = empty_diagonal(own_offset_, own_column_, value);
  if (filling == Filling::nothing || found.place.empty())
    return const_cast<double*>(value);  // which PETSc reads, and nobody scales
  own_value_ = own.value().to_vector();
  for (const std::size_t k : found.place) own_value_[k] = found.instead;
  return own_value_.data();
}

UnassembledMatrix::UnassembledMatrix(const Layout& layout, domains::UnassembledPart part)
    : part_(std::move(part)) {
  const int block = layout.parts().block();
  offset_.push_back(0);
  expand(
      part_.matrix, [&](std::int32_t column) { return block * column; }, offset_, column_);
  value_ = part_.matrix.value().to_vector();
  const EmptyDiagonal found = empty_diagonal(offset_, column_, value_.data());
  for (const std::size_t k : found.place) value_[k] = found.instead;
  std::vector<PetscInt> of_whole;  // in blocks
  of_whole.reserve(part_.rows.size());
  for (const std::int32_t row : part_.rows) of_whole.push_back(layout.number_of(row) / block);
  const auto rows = static_cast<PetscInt>(offset_.size() - 1);
  Numbering numbering;
  SETKA_PETSC(ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, block, static_cast<PetscInt>(of_whole.size()),
                                           of_whole.data(), PETSC_COPY_VALUES, numbering.out()));
  SETKA_PETSC(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows, rows, offset_.data(), column_.data(),
                                        value_.data(), local_.out()));
  SETKA_PETSC(MatSetBlockSize(local_, block));
  SETKA_PETSC(MatSetOption(local_, MAT_SYMMETRIC, PETSC_TRUE));
  const PetscInt own_rows = layout.own_rows();
  SETKA_PETSC(MatCreateIS(PETSC_COMM_WORLD, block, own_rows, own_rows, PETSC_DETERMINE, PETSC_DETERMINE,
                          numbering, numbering, mat_.out()));
  SETKA_PETSC(MatISSetLocalMat(mat_, local_));
  SETKA_PETSC(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));
  SETKA_PETSC(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
  SETKA_PETSC(MatSetOption(mat_, MAT_SYMMETRIC, PETSC_TRUE));
  SETKA_PETSC(MatSetOption(mat_, MAT_SPD, PETSC_TRUE));
}

}  // namespace setka::petsc
