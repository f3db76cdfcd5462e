// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/petsc/shells.hpp"

#include <exception>

#include "setka/exec/copy.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/solver_choices.hpp"

namespace setka::petsc {
namespace {

void apply_there(const solve::Operator& a, exec::View<const double> x, exec::View<double> y) {
  const exec::Device& device = a.device();
  if (!device.is_cuda()) return a.apply(device, x, y);
  const exec::Scratch<double> in(device, x.size);
  const exec::Scratch<double> out(device, y.size);
  exec::copy_async<double>(device, x, in);
  a.apply(device, in, out);
  exec::copy_async<double>(device, out, y);
  device.synchronize();
}

/// PETSc, which is written in C, is told of failures by what it is returned.
PetscErrorCode apply(const void* context, Vec x, Vec y) {
  PetscFunctionBeginUser;
  const PetscScalar* in = nullptr;
  PetscScalar* out = nullptr;
  PetscInt size = 0;
  PetscCall(VecGetLocalSize(x, &size));
  PetscCall(VecGetArrayRead(x, &in));
  PetscCall(VecGetArrayWrite(y, &out));
  try {
    apply_there(*static_cast<const solve::Operator*>(context), {in, size}, {out, size});
  } catch (const std::exception& failure) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", failure.what());
  }
  PetscCall(VecRestoreArrayWrite(y, &out));
  PetscCall(VecRestoreArrayRead(x, &in));
  PetscFunctionReturn(0);
}

/// Of a matrix or a preconditioner whose context is the operator.
template <class Shell, PetscErrorCode (*ContextOf)(Shell, void*)>
PetscErrorCode apply_shell(Shell shell, Vec x, Vec y) {
  PetscFunctionBeginUser;
  void* context = nullptr;
  PetscCall(ContextOf(shell, &context));
  PetscCall(apply(context, x, y));
  PetscFunctionReturn(0);
}

}  // namespace

Matrix shell_of(const Layout& layout, const solve::Operator& product) {
  Matrix made;
  const PetscInt rows = layout.own_rows();
  SETKA_PETSC(MatCreateShell(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE,
                             const_cast<solve::Operator*>(&product), made.out()));
  SETKA_PETSC(MatShellSetOperation(made, MATOP_MULT,
                                   reinterpret_cast<void (*)()>(apply_shell<Mat, MatShellGetContext>)));
  SETKA_PETSC(MatSetOption(made, MAT_SYMMETRIC, PETSC_TRUE));
  SETKA_PETSC(MatSetOption(made, MAT_SPD, PETSC_TRUE));
  return made;
}

void use_operator(PC pc, const solve::Operator& preconditioner, const std::string& name) {
  SETKA_PETSC(PCSetType(pc, PCSHELL));
  SETKA_PETSC(PCShellSetContext(pc, const_cast<solve::Operator*>(&preconditioner)));
  SETKA_PETSC(PCShellSetApply(pc, apply_shell<PC, PCShellGetContext>));
  SETKA_PETSC(PCShellSetName(pc, name.c_str()));
}

bool is_left_to_us() {
  int processes = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &processes);
  return processes <= solve::own_multigrid_max_processes && own_wish().empty();
}

std::string own_wish() {
  for (const char* const option : {"-pc_type", "-mat_type"}) {
    PetscBool is_told = PETSC_FALSE;
    SETKA_PETSC(PetscOptionsHasName(nullptr, nullptr, option, &is_told));
    if (is_told == PETSC_TRUE) return option;
  }
  return {};
}

}  // namespace setka::petsc
