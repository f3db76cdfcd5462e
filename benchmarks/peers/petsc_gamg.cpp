// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The system that setka_amg wrote, solved by PETSc: conjugate gradients with GAMG, which gets the rigid body
// modes as near null space, to a relative residual of 1e-8 in the norm that Setka uses. Built and run by
// scripts/compare; CMake does not know it.
//
//   mpiexec -n 2 petsc_gamg FILE [options of PETSc]     one line of JSON
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#include <petscksp.h>

namespace {

struct LocalSystem {
  std::int64_t rows = 0;         // scalar, of the whole system
  std::vector<PetscInt> offset;  // of this rank's scalar rows
  std::vector<PetscInt> column;
  std::vector<PetscScalar> value;
  std::vector<PetscScalar> load;
  std::vector<PetscScalar> coordinates;
};

template <class T>
std::vector<T> read(std::ifstream& file, std::int64_t from, std::int64_t first, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  file.seekg(from + first * static_cast<std::int64_t>(sizeof(T)));
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

/// Contiguous block rows for each rank; false when the file is not what it should be.
bool read_part(const char* path, int rank, int ranks, LocalSystem& system) {
  std::ifstream file(path, std::ios::binary);
  char magic[8] = {};
  std::int64_t sizes[2] = {};
  file.read(magic, sizeof magic);
  file.read(reinterpret_cast<char*>(sizes), sizeof sizes);
  if (!file || std::memcmp(magic, "SETKASYS", sizeof magic) != 0) return false;
  const std::int64_t rows = sizes[0];
  const std::int64_t blocks = sizes[1];
  const std::int64_t at_offset = sizeof magic + sizeof sizes;
  const std::int64_t at_column = at_offset + 4 * (rows + 1);
  const std::int64_t at_value = at_column + 4 * blocks;
  const std::int64_t at_load = at_value + 8 * 9 * blocks;
  const std::int64_t at_place = at_load + 8 * 3 * rows;
  const std::int64_t begin = rows * rank / ranks;
  const std::int64_t end = rows * (rank + 1) / ranks;
  const auto first = read<std::int32_t>(file, at_offset, begin, end - begin + 1);
  const auto block = read<std::int32_t>(file, at_column, first.front(), first.back() - first.front());
  system.rows = 3 * rows;
  system.value = read<PetscScalar>(file, at_value, std::int64_t{9} * first.front(),
                                   std::int64_t{9} * (first.back() - first.front()));
  system.load = read<PetscScalar>(file, at_load, 3 * begin, 3 * (end - begin));
  system.coordinates = read<PetscScalar>(file, at_place, 3 * begin, 3 * (end - begin));
  system.offset.push_back(0);
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    for (int i = 0; i < 3; ++i) {
      for (std::int32_t k = first[row]; k < first[row + 1]; ++k) {
        const std::int32_t node = block[static_cast<std::size_t>(k - first.front())];
        for (int j = 0; j < 3; ++j) system.column.push_back(3 * node + j);
      }
      system.offset.push_back(static_cast<PetscInt>(system.column.size()));
    }
  }
  return static_cast<bool>(file);
}

PetscErrorCode vector_of(const std::vector<PetscScalar>& values, Vec* v) {
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

PetscErrorCode matrix_of(const LocalSystem& system, Mat* a) {
  PetscFunctionBeginUser;
  const auto local = static_cast<PetscInt>(system.load.size());
  PetscCall(MatCreate(PETSC_COMM_WORLD, a));
  PetscCall(MatSetSizes(*a, local, local, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetBlockSize(*a, 3));
  PetscCall(MatSetType(*a, MATAIJ));
  PetscCall(
      MatSeqAIJSetPreallocationCSR(*a, system.offset.data(), system.column.data(), system.value.data()));
  PetscCall(
      MatMPIAIJSetPreallocationCSR(*a, system.offset.data(), system.column.data(), system.value.data()));
  PetscCall(MatSetOption(*a, MAT_SPD, PETSC_TRUE));
  Vec places = nullptr;
  MatNullSpace rigid = nullptr;
  PetscCall(vector_of(system.coordinates, &places));
  PetscCall(MatNullSpaceCreateRigidBody(places, &rigid));
  PetscCall(MatSetNearNullSpace(*a, rigid));
  PetscCall(MatNullSpaceDestroy(&rigid));
  PetscCall(VecDestroy(&places));
  PetscFunctionReturn(0);
}

/// One set-up and solution, from nothing.
PetscErrorCode solve(Mat a, Vec b, Vec x, bool report, PetscInt rows) {
  PetscFunctionBeginUser;
  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscCall(VecSet(x, 0));
  PetscCall(PetscBarrier(reinterpret_cast<PetscObject>(b)));
  const double began = MPI_Wtime();
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCGAMG));
  PetscCall(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSetUp(ksp));
  const double set_up = MPI_Wtime();
  PetscCall(KSPSolve(ksp, b, x));
  const double solved = MPI_Wtime();
  PetscInt iterations = 0;
  KSPConvergedReason reason{};
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  Vec r = nullptr;
  PetscReal residual = 0;
  PetscReal load = 0;
  PetscCall(VecDuplicate(b, &r));
  PetscCall(MatMult(a, x, r));
  PetscCall(VecAXPY(r, -1, b));
  PetscCall(VecNorm(r, NORM_2, &residual));
  PetscCall(VecNorm(b, NORM_2, &load));
  PetscCall(VecDestroy(&r));
  PetscCall(KSPDestroy(&ksp));
  if (report) {
    int ranks = 0;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    PetscCall(
        PetscPrintf(PETSC_COMM_WORLD,
                    "{\"unknowns\": %" PetscInt_FMT
                    ", \"ranks\": %d, \"set_up_s\": %.6g, \"solve_s\": %.6g, \"iterations\": %" PetscInt_FMT
                    ", \"residual\": %.6g, \"converged\": %s}\n",
                    rows, ranks, set_up - began, solved - set_up, iterations,
                    static_cast<double>(residual / load), reason > 0 ? "true" : "false"));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode run(const char* path) {
  PetscFunctionBeginUser;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  LocalSystem system;
  PetscCheck(read_part(path, rank, ranks, system), PETSC_COMM_WORLD, PETSC_ERR_FILE_READ,
             "%s is not a system written by setka_amg", path);
  Mat a = nullptr;
  Vec b = nullptr;
  Vec x = nullptr;
  PetscCall(matrix_of(system, &a));
  PetscCall(vector_of(system.load, &b));
  PetscCall(VecDuplicate(b, &x));
  // The first round warms up; the second counts.
  for (const bool report : {false, true})
    PetscCall(solve(a, b, x, report, static_cast<PetscInt>(system.rows)));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: petsc_gamg FILE [options of PETSc]\n");
    return 2;
  }
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  PetscCall(run(argv[1]));
  PetscCall(PetscFinalize());
  return 0;
}
