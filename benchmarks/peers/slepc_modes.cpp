// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The lowest modes of the matrices that setka_modes wrote, by SLEPc. Built and run by scripts/compare; CMake
// does not know it.
//
//   mpiexec -n 2 slepc_modes FILE 27 mumps      Krylov-Schur with K factorised by MUMPS; one line of JSON
//   slepc_modes FILE 27 cholmod                 the same by CHOLMOD, which knows no MPI but threads
//   mpiexec -n 2 slepc_modes FILE 27 gamg       LOBPCG with GAMG, which gets the rigid body modes
//
// "residual" is the largest |K x - lambda M x| / |K x|, as Setka has it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <slepceps.h>

#include "petsc_part.hpp"

namespace {

constexpr double tolerance = 1e-6;

/// |M x| of a smooth x with x'Mx = 1, by which the residual norms of LOBPCG are to be divided as well: the
/// root of the mean mass of a row.
PetscErrorCode length_of_mass(Mat m, double* length) {
  PetscFunctionBeginUser;
  Vec ones = nullptr;
  Vec sums = nullptr;
  PetscScalar total = 0;
  PetscInt rows = 0;
  PetscCall(MatCreateVecs(m, &ones, &sums));
  PetscCall(VecSet(ones, 1));
  PetscCall(MatMult(m, ones, sums));
  PetscCall(VecSum(sums, &total));
  PetscCall(VecGetSize(sums, &rows));
  PetscCall(VecDestroy(&ones));
  PetscCall(VecDestroy(&sums));
  *length = std::sqrt(static_cast<double>(total) / static_cast<double>(rows));
  PetscFunctionReturn(0);
}

PetscErrorCode set_method(EPS eps, const std::string& method, Mat m, PetscInt count) {
  PetscFunctionBeginUser;
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscCall(EPSGetST(eps, &st));
  if (method == "gamg") {
    double length = 1;
    PetscCall(length_of_mass(m, &length));
    PetscCall(EPSSetType(eps, EPSLOBPCG));
    // Guards as Setka has them; with its own defaults (fewer columns, hard locking) the last modes stagnate.
    PetscCall(EPSLOBPCGSetBlockSize(eps, count + std::max<PetscInt>(4, count / 4)));
    PetscCall(EPSLOBPCGSetLocking(eps, PETSC_FALSE));
    PetscCall(EPSSetWhichEigenpairs(eps, EPS_SMALLEST_REAL));
    PetscCall(EPSSetTolerances(eps, tolerance * length, 1000));
    PetscCall(STSetType(st, STPRECOND));
  } else {
    PetscCall(EPSSetType(eps, EPSKRYLOVSCHUR));
    PetscCall(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
    PetscCall(EPSSetTarget(eps, 0));
    PetscCall(EPSSetTolerances(eps, tolerance, 1000));
    PetscCall(STSetType(st, STSINVERT));
  }
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  if (method == "gamg") {
    PetscCall(PCSetType(pc, PCGAMG));
  } else {
    PetscCall(PCSetType(pc, PCCHOLESKY));
    PetscCall(PCFactorSetMatSolverType(pc, method == "mumps" ? MATSOLVERMUMPS : MATSOLVERCHOLMOD));
  }
  PetscCall(EPSSetFromOptions(eps));
  PetscFunctionReturn(0);
}

PetscErrorCode largest_residual(EPS eps, Mat k, Mat m, PetscInt count, std::vector<double>& lambda,
                                double* largest) {
  PetscFunctionBeginUser;
  Vec x = nullptr;
  Vec kx = nullptr;
  Vec mx = nullptr;
  PetscCall(MatCreateVecs(k, &x, &kx));
  PetscCall(VecDuplicate(kx, &mx));
  *largest = 0;
  for (PetscInt j = 0; j < count; ++j) {
    PetscScalar value = 0;
    PetscReal residual = 0;
    PetscReal size = 0;
    PetscCall(EPSGetEigenpair(eps, j, &value, nullptr, x, nullptr));
    PetscCall(MatMult(k, x, kx));
    PetscCall(MatMult(m, x, mx));
    PetscCall(VecNorm(kx, NORM_2, &size));
    PetscCall(VecAXPY(kx, -value, mx));
    PetscCall(VecNorm(kx, NORM_2, &residual));
    lambda.push_back(static_cast<double>(value));
    *largest = std::max(*largest, static_cast<double>(residual / size));
  }
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&kx));
  PetscCall(VecDestroy(&mx));
  PetscFunctionReturn(0);
}

PetscErrorCode run(const char* path, PetscInt count, const std::string& method) {
  PetscFunctionBeginUser;
  int ranks = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  LocalPart part;  // K, M; coordinates
  PetscCheck(read_part(path, "SETKAEIG", 2, 1, part), PETSC_COMM_WORLD, PETSC_ERR_FILE_READ,
             "%s is not a problem written by setka_modes", path);
  Mat k = nullptr;
  Mat m = nullptr;
  PetscCall(matrix_of(part, 0, &k));
  PetscCall(matrix_of(part, 1, &m));
  PetscCall(add_rigid_modes(part, k));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  const double began = MPI_Wtime();
  EPS eps = nullptr;
  PetscCall(EPSCreate(PETSC_COMM_WORLD, &eps));
  PetscCall(EPSSetOperators(eps, k, m));
  PetscCall(EPSSetProblemType(eps, EPS_GHEP));
  PetscCall(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(set_method(eps, method, m, count));
  PetscCall(EPSSetUp(eps));
  const double set_up = MPI_Wtime();
  PetscCall(EPSSolve(eps));
  const double solved = MPI_Wtime();
  PetscInt iterations = 0;
  PetscInt found = 0;
  PetscCall(EPSGetIterationNumber(eps, &iterations));
  PetscCall(EPSGetConverged(eps, &found));
  std::vector<double> lambda;
  double residual = 0;
  PetscCall(largest_residual(eps, k, m, std::min(found, count), lambda, &residual));
  std::string list;
  for (const double value : lambda) {
    char text[40];
    std::snprintf(text, sizeof text, "%s%.12g", list.empty() ? "" : ", ", value);
    list += text;
  }
  PetscCall(
      PetscPrintf(PETSC_COMM_WORLD,
                  "{\"unknowns\": %" PetscInt_FMT
                  ", \"ranks\": %d, \"set_up_s\": %.6g, \"solve_s\": %.6g, \"iterations\": %" PetscInt_FMT
                  ", \"residual\": %.6g, \"converged\": %s, \"lambda\": [%s]}\n",
                  part.rows, ranks, set_up - began, solved - set_up, iterations, residual,
                  found >= count ? "true" : "false", list.c_str()));
  PetscCall(EPSDestroy(&eps));
  PetscCall(MatDestroy(&k));
  PetscCall(MatDestroy(&m));
  PetscFunctionReturn(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string method = argc < 4 ? "" : argv[3];
  if (method != "mumps" && method != "cholmod" && method != "gamg") {
    std::fprintf(stderr, "usage: slepc_modes FILE MODES mumps|cholmod|gamg [options of SLEPc]\n");
    return 2;
  }
  PetscCall(SlepcInitialize(&argc, &argv, nullptr, nullptr));
  PetscCall(run(argv[1], std::atoi(argv[2]), method));
  PetscCall(SlepcFinalize());
  return 0;
}
