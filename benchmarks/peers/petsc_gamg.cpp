// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The system that setka_amg wrote, solved by PETSc: conjugate gradients with GAMG, which gets the rigid body
// modes as near null space, to a relative residual of 1e-8 in the norm that Setka uses. Built and run by
// scripts/compare; CMake does not know it.
//
//   mpiexec -n 2 petsc_gamg FILE [options of PETSc]     one line of JSON
#include <cstdio>

#include <petscksp.h>

#include "petsc_part.hpp"

namespace {

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
  LocalPart part;  // A; b and coordinates
  PetscCheck(read_part(path, "SETKASYS", 1, 2, part), PETSC_COMM_WORLD, PETSC_ERR_FILE_READ,
             "%s is not a system written by setka_amg", path);
  Mat a = nullptr;
  Vec b = nullptr;
  Vec x = nullptr;
  PetscCall(matrix_of(part, 0, &a));
  PetscCall(add_rigid_modes(part, a));
  PetscCall(vector_of(part.vector[0], &b));
  PetscCall(VecDuplicate(b, &x));
  // The first round warms up; the second counts.
  for (const bool report : {false, true}) PetscCall(solve(a, b, x, report, part.rows));
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
