// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/exec/copy.hpp"
#include "setka/petsc/matrix.hpp"
#include "setka/petsc/objects.hpp"
#include "setka/petsc/session.hpp"
#include "setka/petsc/shells.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::petsc {

void use_gamg(PC pc) {
  // Couplings of a hundredth of the diagonal are not aggregated by: flat elements and soft joints have such.
  PetscReal threshold = 0.01;
  SETKA_PETSC(PCSetType(pc, PCGAMG));
  SETKA_PETSC(PCGAMGSetThreshold(pc, &threshold, 1));
}

void set_near_nullspace(Mat mat, const Layout& layout, const solve::AmgGeometry& geometry) {
  if (geometry.modes == 0) return;
  const std::vector<double> values = geometry.mode.on_host();
  const auto modes = static_cast<std::size_t>(geometry.modes);
  std::vector<Vector> kept;
  for (std::size_t m = 0; m < modes; ++m) {
    Vector one = layout.vector();
    PetscScalar* own = nullptr;
    SETKA_PETSC(VecGetArrayWrite(one, &own));
    for (std::size_t row = 0; row < static_cast<std::size_t>(layout.own_rows()); ++row)
      own[row] = values[modes * row + m];
    SETKA_PETSC(VecRestoreArrayWrite(one, &own));
    PetscReal before = 0;
    SETKA_PETSC(VecNorm(one, NORM_2, &before));
    for (int round = 0; round < 2; ++round) {
      for (const Vector& other : kept) {
        PetscScalar share = 0;
        SETKA_PETSC(VecDot(one, other, &share));
        SETKA_PETSC(VecAXPY(one, -share, other));
      }
    }
    PetscReal after = 0;
    SETKA_PETSC(VecNorm(one, NORM_2, &after));
    if (!(after > 1e-8 * before)) continue;  // as of a plate without thickness
    SETKA_PETSC(VecScale(one, 1 / after));
    kept.push_back(std::move(one));
  }
  std::vector<Vec> list(kept.begin(), kept.end());
  Object<MatNullSpace, MatNullSpaceDestroy> space;
  SETKA_PETSC(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, static_cast<PetscInt>(list.size()),
                                 list.data(), space.out()));
  SETKA_PETSC(MatSetNearNullSpace(mat, space));
}

namespace {

/// Whether the user wants a method that computes with what the elements of each process make.
bool wants_elements() {
  std::array<char, 64> type{};
  PetscBool is_told = PETSC_FALSE;
  SETKA_PETSC(PetscOptionsGetString(nullptr, nullptr, "-pc_type", type.data(), type.size(), &is_told));
  return is_told == PETSC_TRUE && std::string_view(type.data()) == PCBDDC;
}

/// Means on the borders between parts become unknowns of their own, without which what is left of a part that
/// floats is singular; unless the user tells otherwise.
void change_basis_of_bddc() {
  constexpr const char* option = "-pc_bddc_use_change_of_basis";
  PetscBool is_told = PETSC_FALSE;
  SETKA_PETSC(PetscOptionsHasName(nullptr, nullptr, option, &is_told));
  if (is_told == PETSC_FALSE) SETKA_PETSC(PetscOptionsSetValue(nullptr, option, "1"));
}

[[noreturn]] void refuse_bddc() {
  throw Error(Fault::usage,
              "-pc_type bddc is of *STATIC steps that are shared out by elements: without equations, ties, "
              "local axes, springs or bars, of bodies that something holds",
              "leave it out, or use --petsc '-pc_type gamg' or '-pc_type hypre'");
}

/// The method that is chosen: models that one process would factorise are small enough for MUMPS too, unless
/// the user tells PETSc how to solve.
solve::SolverChoice resolved(solve::SolverChoice choice, std::int64_t unknowns) {
  PetscBool is_told = PETSC_FALSE;
  SETKA_PETSC(PetscOptionsHasName(nullptr, nullptr, "-ksp_type", &is_told));
  if (is_told == PETSC_FALSE && is_left_to_us() && solve::factorises(choice, unknowns))
    choice.method = solve::Method::cholesky;
  return choice;
}

/// Whether the choice stands for Setka's own multigrid.
bool means_multigrid(const solve::SolverChoice& choice) {
  return choice.method != solve::Method::cholesky &&
         (choice.preconditioner == "auto" || choice.preconditioner == "amg") && is_left_to_us();
}

void use_conjugate_gradients(KSP ksp, const solve::SolverChoice& choice) {
  if (choice.method != solve::Method::automatic && choice.method != solve::Method::cg)
    throw Error(Fault::usage, "several processes solve by conjugate gradients or a factorisation",
                "leave --solver out, or let --petsc choose, as by '-ksp_type gmres'");
  SETKA_PETSC(KSPSetType(ksp, KSPCG));
  SETKA_PETSC(KSPSetTolerances(ksp, choice.tolerance, PETSC_DEFAULT, PETSC_DEFAULT, choice.max_iterations));
}

/// What the choice means to PETSc; what the user tells it besides comes after.
void choose(KSP ksp, const solve::SolverChoice& choice) {
  PC pc = nullptr;
  SETKA_PETSC(KSPGetPC(ksp, &pc));
  if (choice.method == solve::Method::cholesky) {
    SETKA_PETSC(KSPSetType(ksp, KSPPREONLY));
    SETKA_PETSC(PCSetType(pc, PCCHOLESKY));
    SETKA_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    return;
  }
  use_conjugate_gradients(ksp, choice);
  const std::string& word = choice.preconditioner;
  if (word == "auto" || word == "amg") {
    use_gamg(pc);  // until our own takes its place
  } else if (word == "jacobi") {
    SETKA_PETSC(PCSetType(pc, PCJACOBI));
  } else if (word == "block-jacobi") {
    SETKA_PETSC(PCSetType(pc, PCPBJACOBI));
  } else {
    throw Error(Fault::usage, fmt::format("--preconditioner {} is of one process", word),
                "give amg, jacobi or block-jacobi, or let --petsc choose, as by '-pc_type hypre'");
  }
}

/// Conjugate gradients measure residuals as Setka does, unless the user tells them otherwise; other methods
/// that he chooses as they can.
void measure_residuals(KSP ksp) {
  PetscBool is_cg = PETSC_FALSE;
  PetscBool is_told = PETSC_FALSE;
  SETKA_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPCG, &is_cg));
  SETKA_PETSC(PetscOptionsHasName(nullptr, nullptr, "-ksp_norm_type", &is_told));
  if (is_cg == PETSC_TRUE && is_told == PETSC_FALSE)
    SETKA_PETSC(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
}

/// "PETSc: cg with gamg on 4 processes", as it was in the end.
std::string name_of(KSP ksp, int size) {
  KSPType method = nullptr;
  PC pc = nullptr;
  PCType preconditioner = nullptr;
  SETKA_PETSC(KSPGetType(ksp, &method));
  SETKA_PETSC(KSPGetPC(ksp, &pc));
  SETKA_PETSC(PCGetType(pc, &preconditioner));
  PetscBool is_ours = PETSC_FALSE;
  SETKA_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCSHELL, &is_ours));
  if (is_ours == PETSC_TRUE) SETKA_PETSC(PCShellGetName(pc, &preconditioner));
  return fmt::format("PETSc: {} with {} on {} process{}", method, preconditioner, size,
                     size == 1 ? "" : "es");
}

/// Of the rows of this process, by all of them together.
std::unique_ptr<solve::Operator> own_multigrid(const domains::TeamMatrix& matrix,
                                               const domains::GeometryHere& geometry, Monitor& monitor) {
  const sparse::TeamCsr<double>& rows = matrix.matrix();
  return solve::make_amg({&rows.own(), solve::MatrixKind::positive_definite, geometry, {}, nullptr, &rows},
                         monitor);
}

/// Ends the iterations where a user wants to stop: all processes see the same, as signals reach all of them.
PetscErrorCode converged(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason,
                         void* context) {
  PetscFunctionBeginUser;
  PetscCall(KSPConvergedDefault(ksp, iteration, norm, reason, context));
  int stop = interrupted() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  if (stop != 0) *reason = KSP_DIVERGED_BREAKDOWN;
  PetscFunctionReturn(0);
}

/// Takes what the user tells PETSc, and sets up the solver and its preconditioner.
void set_up(KSP ksp) {
  SETKA_PETSC(KSPSetFromOptions(ksp));
  measure_residuals(ksp);
  void* context = nullptr;
  SETKA_PETSC(KSPConvergedDefaultCreate(&context));
  SETKA_PETSC(KSPSetConvergenceTest(ksp, converged, context, KSPConvergedDefaultDestroy));
  SETKA_PETSC(KSPSetUp(ksp));
}

/// The answer of a solver that is set up; report: what is known before.
solve::SolveResult solved(KSP ksp, const Layout& layout, const std::vector<double>& b,
                          const solve::SolverChoice& choice, int processes, solve::SolveReport known,
                          Monitor& monitor) {
  const Stage stage = monitor.stage("solve");
  solve::SolveResult result;
  result.report = std::move(known);
  solve::SolveReport& report = result.report;
  Mat matrix = nullptr;
  SETKA_PETSC(KSPGetOperators(ksp, &matrix, nullptr));
  const Vector right = layout.vector();
  const Vector x = layout.vector();
  layout.set(b, right);
  const double began = MPI_Wtime();
  SETKA_PETSC(KSPSolve(ksp, right, x));
  report.solve_seconds = MPI_Wtime() - began;
  throw_if_interrupted();
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  SETKA_PETSC(KSPGetConvergedReason(ksp, &reason));
  SETKA_PETSC(KSPGetIterationNumber(ksp, &iterations));
  report.iterations = static_cast<int>(iterations);
  report.method = name_of(ksp, processes);
  const Vector rest = layout.vector();
  PetscReal load = 0;
  PetscReal left = 0;
  SETKA_PETSC(MatMult(matrix, x, rest));
  SETKA_PETSC(VecAYPX(rest, -1, right));
  SETKA_PETSC(VecNorm(rest, NORM_2, &left));
  SETKA_PETSC(VecNorm(right, NORM_2, &load));
  report.residual = load > 0 ? left / load : left;
  KSPNormType norm = KSP_NORM_NONE;
  SETKA_PETSC(KSPGetNormType(ksp, &norm));
  const bool as_told = norm == KSP_NORM_PRECONDITIONED || norm == KSP_NORM_NATURAL;
  report.converged = reason > 0 && (as_told || report.residual <= 10 * choice.tolerance);
  if (!report.converged)
    report.trouble = fmt::format("PETSc ended for the reason {}", KSPConvergedReasons[reason]);
  if (reason == KSP_DIVERGED_PC_FAILED && choice.method == solve::Method::cholesky) report.singular = 0;
  result.x = layout.whole(x);
  return result;
}

}  // namespace

solve::SolveResult Session::solve(const domains::RankSystem& system, const std::vector<double>& b,
                                  const solve::SolverChoice& choice, Monitor& monitor) const {
  if (system.unknown_count == 0) return {std::vector<double>(b.size(), 0.0), {}};
  const solve::SolverChoice chosen = resolved(choice, system.unknown_count);
  // Setka's own multigrid needs no matrix of PETSc's.
  const bool ours = means_multigrid(chosen);
  std::optional<Stage> handing(monitor.stage("hand over"));
  const double handed_at = MPI_Wtime();
  const Layout layout(system.matrix.parts(), system.matrix.team().only());
  std::optional<SharedMatrix> copied;
  std::optional<UnassembledMatrix> unassembled;
  Matrix shell;
  if (ours) {
    shell = shell_of(layout, system.matrix.here());
  } else if (wants_elements()) {
    if (!system.part) refuse_bddc();
    unassembled.emplace(layout, system.part());
    change_basis_of_bddc();
  } else {
    copied.emplace(system.matrix);
  }
  Mat const matrix = ours ? shell : unassembled ? unassembled->mat() : copied->mat();
  handing.reset();
  const double handing_seconds = MPI_Wtime() - handed_at;
  solve::SolveReport report;
  report.unknowns = system.unknown_count;
  report.matrix_entries = system.matrix.entries();

  std::unique_ptr<solve::Operator> multigrid;
  LinearSolver ksp;
  {
    const Stage stage = monitor.stage("preconditioner");
    const double began = MPI_Wtime();
    SETKA_PETSC(KSPCreate(PETSC_COMM_WORLD, ksp.out()));
    SETKA_PETSC(KSPSetOperators(ksp, matrix, matrix));
    choose(ksp, chosen);
    if (ours) {
      multigrid = own_multigrid(system.matrix.here(), system.geometry, monitor);
      PC pc = nullptr;
      SETKA_PETSC(KSPGetPC(ksp, &pc));
      use_operator(pc, *multigrid, "Setka's multigrid");
    } else if (chosen.method != solve::Method::cholesky) {
      set_near_nullspace(matrix, layout, system.geometry());
    }
    set_up(ksp);
    report.setup_seconds = handing_seconds + MPI_Wtime() - began;
  }
  return solved(ksp, layout, b, chosen, size(), std::move(report), monitor);
}

solve::SolveResult Session::solve(const domains::UnassembledSystem& system, const std::vector<double>& b,
                                  const solve::SolverChoice& choice, Monitor& monitor) const {
  if (system.unknown_count == 0) return {std::vector<double>(b.size(), 0.0), {}};
  const solve::PreconditionerKind& kind = domains::preconditioner_of_products(choice);
  if (const std::string wish = own_wish(); !wish.empty())
    throw Error(Fault::usage,
                fmt::format("--petsc {} needs an assembled matrix, and --operator multiplies element by "
                            "element",
                            wish),
                "leave one of them out; --preconditioner chooses what needs no matrix");
  const domains::DistributedOperator& a = system.stiffness;
  const Layout layout(a.parts(), a.team().only());
  const Matrix shell = shell_of(layout, *a.here().product);
  solve::SolveReport report;
  report.unknowns = system.unknown_count;
  std::unique_ptr<solve::Operator> preconditioner;
  LinearSolver ksp;
  {
    const Stage stage = monitor.stage("preconditioner");
    const double began = MPI_Wtime();
    SETKA_PETSC(KSPCreate(PETSC_COMM_WORLD, ksp.out()));
    SETKA_PETSC(KSPSetOperators(ksp, shell, shell));
    use_conjugate_gradients(ksp, choice);
    preconditioner = domains::make_preconditioner(kind, a.here(), monitor);
    PC pc = nullptr;
    SETKA_PETSC(KSPGetPC(ksp, &pc));
    use_operator(pc, *preconditioner, kind.title);
    set_up(ksp);
    report.setup_seconds = MPI_Wtime() - began;
  }
  return solved(ksp, layout, b, choice, size(), std::move(report), monitor);
}

namespace {

/// GAMG by itself, for conjugate gradients of others.
class Multigrid final : public solve::Operator {
 public:
  Multigrid(const domains::RowParts& parts, const domains::TeamMatrix& matrix, int part,
            const domains::GeometryHere& geometry)
      : device_(matrix.device()),
        matrix_(parts, part, matrix.matrix()),
        in_(matrix_.layout().vector()),
        out_(matrix_.layout().vector()) {
    set_near_nullspace(matrix_.mat(), matrix_.layout(), geometry());
    SETKA_PETSC(PCCreate(PETSC_COMM_WORLD, pc_.out()));
    SETKA_PETSC(PCSetOperators(pc_, matrix_.mat(), matrix_.mat()));
    use_gamg(pc_);
    SETKA_PETSC(PCSetFromOptions(pc_));
    SETKA_PETSC(PCSetUp(pc_));
  }

  const exec::Device& device() const override { return device_; }
  std::int64_t rows() const override { return matrix_.layout().own_rows(); }

  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    PetscScalar* values = nullptr;
    const PetscScalar* made = nullptr;
    SETKA_PETSC(VecGetArrayWrite(in_, &values));
    exec::copy_async<double>(stream, x, exec::View<double>{values, x.size});
    stream.synchronize();
    SETKA_PETSC(VecRestoreArrayWrite(in_, &values));
    SETKA_PETSC(PCApply(pc_, in_, out_));
    SETKA_PETSC(VecGetArrayRead(out_, &made));
    exec::copy_async<double>(stream, exec::View<const double>{made, y.size}, y);
    stream.synchronize();
    SETKA_PETSC(VecRestoreArrayRead(out_, &made));
  }
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    require(x.columns == 1 && x.stride == 1 && y.stride == 1, "Multigrid: a column at a time");
    apply(stream, exec::View<const double>{x.data, x.rows}, exec::View<double>{y.data, y.rows});
  }

 private:
  exec::Device device_;
  SharedMatrix matrix_;
  Vector in_;
  Vector out_;
  Object<PC, PCDestroy> pc_;
};

}  // namespace

std::unique_ptr<solve::Operator> Session::multigrid(const domains::RowParts& parts,
                                                    const domains::TeamMatrix& matrix,
                                                    const domains::GeometryHere& geometry,
                                                    Monitor& monitor) const {
  if (is_left_to_us()) return own_multigrid(matrix, geometry, monitor);
  if (wants_elements()) refuse_bddc();
  return std::make_unique<Multigrid>(parts, matrix, number(), geometry);
}

}  // namespace setka::petsc
