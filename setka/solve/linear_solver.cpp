// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::solve {
namespace {

/// Unknowns up to which a factorisation is a matter of a moment, whatever the shape of the model.
constexpr std::int64_t factorise_up_to = 20000;

constexpr const char* singular_matrix = "the matrix is singular to working precision";

double relative_residual(const exec::Device& cpu, const sparse::BlockCsr<double>& a,
                         const std::vector<double>& b, const exec::Array<double>& x, exec::Array<double>& r) {
  const exec::Array<double> rhs(cpu, b);
  sparse::multiply<double>(cpu, -1.0, a, x, 1.0, rhs, r);
  const double size = exec::norm(cpu, rhs);
  const double left = exec::norm(cpu, r);
  return size > 0 ? left / size : left;
}

/// Solves and takes out what rounding left by one correction.
std::vector<double> factorise_and_solve(const LinearSystem& system, const std::vector<double>& b,
                                        SolveReport& report, Monitor& monitor) {
  report.method = "Cholesky";
  report.factorised = true;
  report.iterations = 1;
  const exec::Device device = system.matrix->device();
  Cholesky cholesky;
  {
    const Stage stage = monitor.stage("factorise");
    report.singular = cholesky.factorise(system.unknowns());
    report.setup_seconds += stage.seconds();
    const bool definite = report.singular < 0;
    const Cholesky::Pivot least = cholesky.least_pivot();
    if (definite) report.least_pivot = least.share;
    if (definite && least.share < system.least_pivot) report.singular = least.row;
    if (report.singular >= 0) {
      report.converged = false;
      report.residual = 1;
      report.trouble = definite ? singular_matrix : "the matrix is not positive definite";
      return std::vector<double>(b.size());  // zeros
    }
  }
  const Stage stage = monitor.stage("solve");
  const auto solved = [&](const std::vector<double>& f) {
    const std::vector<double> right = system.collect(f);
    std::vector<double> q(right.size());
    cholesky.solve(right, q);
    return system.spread(q);
  };
  exec::Array<double> x(device, solved(b));
  exec::Array<double> r(device, x.size());
  report.residual = relative_residual(device, *system.matrix, b, x, r);
  if (report.residual > 0) {
    const exec::Array<double> correction(device, solved(r.to_vector()));
    exec::axpy(device, 1.0, correction, x);
    report.residual = relative_residual(device, *system.matrix, b, x, r);
  }
  // A factorisation that went through by luck of rounding shows here: the answer has nothing to do with the
  // equation.
  report.converged = report.residual <= 1e-6;
  if (!report.converged) {
    report.singular = std::max(0, cholesky.least_pivot().row);
    report.trouble = singular_matrix;
  }
  report.solve_seconds += stage.seconds();
  return x.to_vector();
}

std::vector<double> iterate(const exec::Device& device, const LinearSystem& system,
                            const std::vector<double>& b, const SolverChoice& choice, SolveReport& report,
                            Monitor& monitor) {
  report.method = name_of(choice.preconditioning);
  std::optional<Stage> stage(monitor.stage("set up"));
  std::optional<sparse::BlockCsr<double>> moved;
  const sparse::BlockCsr<double>* matrix = system.matrix;
  if (matrix != nullptr && !(matrix->device() == device)) {
    moved = matrix->to(device);
    matrix = &*moved;
  }
  std::optional<BlockCsrOperator> assembled;
  if (system.product == nullptr) assembled.emplace(*matrix);
  const Operator& a = assembled ? static_cast<const Operator&>(*assembled) : *system.product;
  std::unique_ptr<Operator> made;
  if (system.diagonal == nullptr)
    made = make_preconditioner(*matrix, system.geometry, choice.preconditioning, monitor);
  const Operator& preconditioner = made ? *made : *system.diagonal;
  if (!assembled) moved.reset();  // was needed for the preconditioner alone
  report.setup_seconds += stage->seconds();
  stage.reset();
  stage.emplace(monitor.stage("solve"));
  const exec::Array<double> right(device, b);
  exec::Array<double> x(device, right.size());
  exec::fill(device, x, 0.0);
  SolverOptions options;
  options.tolerance = choice.tolerance;
  options.max_iterations = choice.max_iterations;
  if (choice.preconditioning == Preconditioning::automatic ||
      choice.preconditioning == Preconditioning::amg) {
    options.stagnation_window = 100;
  }
  const Outcome outcome = Cg(options).solve(device, a, preconditioner, right, x, monitor);
  report.iterations = outcome.iterations;
  report.residual = outcome.residual;
  report.converged = outcome.converged();
  if (!report.converged) report.trouble = describe(outcome.status);
  if (outcome.status == Status::not_positive_definite) report.singular = 0;
  report.solve_seconds += stage->seconds();
  return x.to_vector();
}

}  // namespace

Method method_of(std::string_view word) {
  if (word == "auto") return Method::automatic;
  if (word == "cholesky") return Method::cholesky;
  if (word == "cg") return Method::cg;
  throw Error(Fault::usage, fmt::format("'{}' is no solver", word), "give auto, cholesky or cg");
}

Preconditioning preconditioning_of(std::string_view word) {
  if (word == "auto") return Preconditioning::automatic;
  if (word == "jacobi") return Preconditioning::jacobi;
  if (word == "block-jacobi") return Preconditioning::block_jacobi;
  if (word == "fsai") return Preconditioning::fsai;
  if (word == "amg") return Preconditioning::amg;
  throw Error(Fault::usage, fmt::format("'{}' is no preconditioner", word),
              "give auto, jacobi, block-jacobi, fsai or amg");
}

bool factorises(const SolverChoice& choice, std::int64_t unknowns) {
  if (choice.method != Method::automatic) return choice.method == Method::cholesky;
  return choice.preconditioning == Preconditioning::automatic && unknowns <= factorise_up_to &&
         Cholesky::available();
}

std::vector<double> solve(const exec::Device& device, const LinearSystem& system,
                          const std::vector<double>& b, const SolverChoice& choice, SolveReport& report,
                          Monitor& monitor) {
  report.matrix_entries = system.matrix == nullptr ? 0 : system.matrix->value().size();
  if (b.empty()) return {};
  if (choice.method == Method::cholesky && !Cholesky::available()) {
    throw Error(Fault::usage, "this build of setka has no Cholesky factorisation",
                "build it with SuiteSparse (libsuitesparse-dev), or choose the solver cg");
  }
  if (factorises(choice, report.unknowns) && system.product == nullptr)
    return factorise_and_solve(system, b, report, monitor);
  std::vector<double> x = iterate(device, system, b, choice, report, monitor);
  if (report.converged || choice.method == Method::cg || system.matrix == nullptr || !Cholesky::available())
    return x;
  log::warning("{}: {} after {} iterations (residual {:.1e}); trying a factorisation", report.method,
               report.trouble, report.iterations, report.residual);
  SolveReport direct;
  direct.unknowns = report.unknowns;
  direct.matrix_entries = report.matrix_entries;
  direct.setup_seconds = report.setup_seconds;
  direct.solve_seconds = report.solve_seconds;
  x = factorise_and_solve(system, b, direct, monitor);
  report = std::move(direct);
  return x;
}

}  // namespace setka::solve
