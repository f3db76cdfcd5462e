// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include <petscmat.h>

/// A rank's part of the matrices and vectors in a file of block_file.hpp.
struct LocalPart {
  PetscInt rows = 0;             // scalar, of the whole
  std::vector<PetscInt> offset;  // of this rank's scalar rows
  std::vector<PetscInt> column;
  std::vector<std::vector<PetscScalar>> matrix;  // values
  std::vector<std::vector<PetscScalar>> vector;  // the last are the nodes' coordinates
};

template <class T>
std::vector<T> read(std::ifstream& file, std::int64_t from, std::int64_t first, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  file.seekg(from + first * static_cast<std::int64_t>(sizeof(T)));
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

/// Contiguous block rows for each rank; false when the file is not what it should be.
inline bool read_part(const char* path, const char* letters, int matrices, int vectors, LocalPart& part) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  std::ifstream file(path, std::ios::binary);
  char magic[8] = {};
  std::int64_t sizes[2] = {};
  file.read(magic, sizeof magic);
  file.read(reinterpret_cast<char*>(sizes), sizeof sizes);
  if (!file || std::memcmp(magic, letters, sizeof magic) != 0) return false;
  const std::int64_t rows = sizes[0];
  const std::int64_t blocks = sizes[1];
  const std::int64_t at_offset = sizeof magic + sizeof sizes;
  const std::int64_t at_column = at_offset + 4 * (rows + 1);
  const std::int64_t at_matrix = at_column + 4 * blocks;
  const std::int64_t at_vector = at_matrix + matrices * 8 * 9 * blocks;
  const std::int64_t begin = rows * rank / ranks;
  const std::int64_t end = rows * (rank + 1) / ranks;
  const auto first = read<std::int32_t>(file, at_offset, begin, end - begin + 1);
  const std::int64_t count = first.back() - first.front();
  const auto block = read<std::int32_t>(file, at_column, first.front(), count);
  part.rows = static_cast<PetscInt>(3 * rows);
  for (int i = 0; i < matrices; ++i) {
    part.matrix.push_back(
        read<PetscScalar>(file, at_matrix + i * 8 * 9 * blocks, std::int64_t{9} * first.front(), 9 * count));
  }
  for (int i = 0; i < vectors; ++i)
    part.vector.push_back(
        read<PetscScalar>(file, at_vector + i * 8 * 3 * rows, 3 * begin, 3 * (end - begin)));
  part.offset.push_back(0);
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    for (int i = 0; i < 3; ++i) {
      for (std::int32_t l = first[row]; l < first[row + 1]; ++l) {
        const std::int32_t node = block[static_cast<std::size_t>(l - first.front())];
        for (int j = 0; j < 3; ++j) part.column.push_back(3 * node + j);
      }
      part.offset.push_back(static_cast<PetscInt>(part.column.size()));
    }
  }
  return static_cast<bool>(file);
}

inline PetscErrorCode vector_of(const std::vector<PetscScalar>& values, Vec* v) {
  PetscFunctionBeginUser;
  PetscCall(VecCreate(PETSC_COMM_WORLD, v));
  PetscCall(VecSetSizes(*v, static_cast<PetscInt>(values.size()), PETSC_DETERMINE));
  PetscCall(VecSetBlockSize(*v, 3));
  PetscCall(VecSetFromOptions(*v));
  PetscScalar* place = nullptr;
  PetscCall(VecGetArray(*v, &place));
  std::copy(values.begin(), values.end(), place);
  PetscCall(VecRestoreArray(*v, &place));
  PetscFunctionReturn(0);
}

inline PetscErrorCode matrix_of(const LocalPart& part, std::size_t which, Mat* a) {
  PetscFunctionBeginUser;
  const auto local = static_cast<PetscInt>(part.vector.back().size());
  const PetscScalar* const values = part.matrix[which].data();
  PetscCall(MatCreate(PETSC_COMM_WORLD, a));
  PetscCall(MatSetSizes(*a, local, local, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetBlockSize(*a, 3));
  PetscCall(MatSetType(*a, MATAIJ));
  PetscCall(MatSeqAIJSetPreallocationCSR(*a, part.offset.data(), part.column.data(), values));
  PetscCall(MatMPIAIJSetPreallocationCSR(*a, part.offset.data(), part.column.data(), values));
  PetscCall(MatSetOption(*a, MAT_SPD, PETSC_TRUE));
  PetscFunctionReturn(0);
}

/// The rigid motions of the nodes as near null space, which GAMG coarsens by.
inline PetscErrorCode add_rigid_modes(const LocalPart& part, Mat a) {
  PetscFunctionBeginUser;
  Vec places = nullptr;
  MatNullSpace rigid = nullptr;
  PetscCall(vector_of(part.vector.back(), &places));
  PetscCall(MatNullSpaceCreateRigidBody(places, &rigid));
  PetscCall(MatSetNearNullSpace(a, rigid));
  PetscCall(MatNullSpaceDestroy(&rigid));
  PetscCall(VecDestroy(&places));
  PetscFunctionReturn(0);
}
