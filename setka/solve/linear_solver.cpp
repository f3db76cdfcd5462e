// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/linear_solver.hpp"

#include <algorithm>
#include <array>
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
#include "setka/solve/cholesky_inverse.hpp"
#include "setka/solve/energy_cg.hpp"
#include "setka/solve/gmres.hpp"
#include "setka/solve/minres.hpp"
#include "setka/solve/operators.hpp"
#include "setka/solve/refinement.hpp"
#include "setka/solve/solver_choices.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::solve {
namespace {

constexpr const char* singular_matrix = "the matrix is singular to working precision";

/// Of |b - A x| / |b| after a factorisation. One that went through by luck of rounding shows here: the
/// answer has nothing to do with the equation.
constexpr double factor_tolerance = 1e-6;

/// Of the energy of the error, as a root, where conjugate gradients correct what a factor answers. With one
/// of single precision displacements then have ten digits, as those of a factor of double precision with a
/// condition number of 1e6 have.
constexpr double rough_factor_tolerance = 1e-10;
/// The displacements of a body as thin as that are rounded by more.
constexpr double thin_body_tolerance = 1e-8;
/// Of the pivots of such a body, as parts of their diagonals; a smaller one may be what rounding made of
/// nothing, and a motion that only rounding resists has an energy like any other.
constexpr double thin_body_min_pivot = 1e-12;
/// A plate 3300 times as wide as thick leaves a residual of 3e-6 and has displacements to a thousandth; one
/// of 10 000 leaves 7e-5, and what rounding does to K alone makes them wrong by 1 to 20 percent.
constexpr double thin_body_max_residual = 1e-5;
/// Where more are needed, the factor is not what it was taken for; most take three to six.
constexpr int factor_max_iterations = 25;

Outcome correct_by_energy(const BlockCsrOperator& a, const CholeskyInverse& inverse, double tolerance,
                          const exec::Array<double>& b, exec::Array<double>& x, Monitor& monitor) {
  SolverOptions options;
  options.tolerance = tolerance;
  options.max_iterations = factor_max_iterations;
  return EnergyCg(options).solve(b.device(), a, inverse, b, x, monitor);
}

/// Solves and takes out what rounding left: by one correction, or, where the factor has single precision, by
/// conjugate gradients. So it does where the residual stays large: of a body that is some thousand times as
/// wide as thick displacements are right whose forces across are all rounding, and the energy of the error
/// tells.
Outcome solve_by(const Cholesky& cholesky, const LinearSystem& system, const exec::Array<double>& b,
                 exec::Array<double>& x, Monitor& monitor) {
  const exec::Device& device = b.device();
  const BlockCsrOperator a(*system.matrix);
  const CholeskyInverse inverse(device, a.rows(), cholesky, system.place);
  exec::fill(device, x, 0.0);
  if (cholesky.rough()) return correct_by_energy(a, inverse, rough_factor_tolerance, b, x, monitor);
  SolverOptions options;
  options.tolerance = 0;  // as near as one correction comes
  options.max_iterations = 2;
  Monitor silent;
  Outcome outcome = Refinement(options).solve(device, a, inverse, b, x, silent);
  outcome.status = outcome.residual <= factor_tolerance ? Status::converged : Status::stagnated;
  if (outcome.converged() || !(outcome.residual <= thin_body_max_residual) ||
      !(cholesky.min_pivot().share > thin_body_min_pivot))
    return outcome;
  return correct_by_energy(a, inverse, thin_body_tolerance, b, x, monitor);
}

/// Its order, where that was looked for meanwhile; else one without a pattern.
OrderedFactor factor_of(const LinearSystem& system) {
  if (system.ordered != nullptr && system.ordered->valid()) return system.ordered->get();
  return {};
}

/// The matrix over the unknowns, with values of its own only where those of the system's are not at hand.
class MatrixOfUnknowns {
 public:
  /// pattern: without values, or of no rows.
  MatrixOfUnknowns(const LinearSystem& system, sparse::SymmetricCsr pattern)
      : upper_(std::move(pattern)), has_values_(upper_.rows == 0) {
    if (has_values_) upper_ = sparse::over_unknowns(*system.matrix, system.place);
    rows_ = has_values_ ? sparse::rows_of(upper_)
                        : sparse::rows_over_unknowns(*system.matrix, system.place, upper_);
  }
  MatrixOfUnknowns(const MatrixOfUnknowns&) = delete;
  MatrixOfUnknowns& operator=(const MatrixOfUnknowns&) = delete;

  const sparse::SymmetricRows& rows() const { return rows_; }

 private:
  sparse::SymmetricCsr upper_;
  bool has_values_;
  sparse::SymmetricRows rows_;
};

SolveResult factorise_and_solve(const LinearSystem& system, const std::vector<double>& b, Monitor& monitor) {
  SolveResult result;
  SolveReport& report = result.report;
  report.method = "Cholesky";
  report.factorised = true;
  report.iterations = 1;
  const exec::Device device = system.matrix->device();
  const exec::Array<double> right(device, b);
  exec::Array<double> x(device, right.size());
  OrderedFactor factor;
  Cholesky& cholesky = factor.cholesky;
  for (bool roughly = true;; roughly = false) {
    {
      const Stage stage = monitor.stage("factorise");
      if (roughly) factor = factor_of(system);
      const MatrixOfUnknowns matrix(system, std::move(factor.upper));
      report.singular =
          roughly ? cholesky.factorise_roughly(matrix.rows()) : cholesky.factorise(matrix.rows());
      report.setup_seconds += stage.seconds();
      const bool definite = report.singular < 0;
      const Cholesky::Pivot min = cholesky.min_pivot();
      if (definite) report.min_pivot = min.share;
      if (definite && min.share < system.min_pivot) report.singular = min.row;
      if (report.singular >= 0) {
        report.converged = false;
        report.residual = 1;
        report.trouble = definite ? singular_matrix : "the matrix is not positive definite";
        result.x.assign(b.size(), 0.0);
        return result;
      }
    }
    const Stage stage = monitor.stage("solve");
    const Outcome outcome = solve_by(cholesky, system, right, x, monitor);
    report.solve_seconds += stage.seconds();
    report.residual = outcome.residual;
    report.converged = outcome.converged();
    if (!cholesky.rough()) {
      if (report.converged && report.residual > factor_tolerance)
        log::warning(
            "the residual stays at {:.1e}: so thin or slender a body leaves three or four of the digits of "
            "double precision to displacements",
            report.residual);
      break;
    }
    report.method = "CG with Cholesky in single precision";
    report.iterations = outcome.iterations;
    if (outcome.converged() && report.residual <= factor_tolerance) break;
    log::debug("{}: {} after {} iterations (residual {:.1e}); now in double precision", report.method,
               describe(outcome.status), outcome.iterations, outcome.residual);
    report.method = "Cholesky";
    report.iterations = 1;
  }
  if (!report.converged) {
    report.singular = std::max(0, cholesky.min_pivot().row);
    report.trouble = singular_matrix;
  }
  result.x = x.to_vector();
  return result;
}

SolveResult iterate(const exec::Device& device, const LinearSystem& system, const std::vector<double>& b,
                    const SolverChoice& choice, Monitor& monitor) {
  SolveResult result;
  SolveReport& report = result.report;
  const MatrixKind matrix_kind = kind_for(choice.method);
  const PreconditionerKind& kind = preconditioner_of(choice, matrix_kind);
  report.method = name_of(choice, kind);
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
  if (system.preconditioner == nullptr)
    made = kind.make({matrix, matrix_kind, system.geometry, {}, borrowed(a)}, monitor);
  const Operator& preconditioner = made ? *made : *system.preconditioner;
  if (!assembled) moved.reset();  // was needed for the preconditioner alone
  report.setup_seconds = stage->seconds();
  stage.reset();
  stage.emplace(monitor.stage("solve"));
  const exec::Array<double> right(device, b);
  exec::Array<double> x(device, right.size());
  exec::fill(device, x, 0.0);
  const Outcome outcome = make_solver(choice, kind.stagnation_window(a.rows()))
                              ->solve(device, a, preconditioner, right, x, monitor);
  report.iterations = outcome.iterations;
  report.residual = outcome.residual;
  report.converged = outcome.converged();
  if (!report.converged) report.trouble = describe(outcome.status);
  if (outcome.status == Status::not_positive_definite) report.singular = 0;
  report.solve_seconds = stage->seconds();
  result.x = x.to_vector();
  return result;
}

struct MethodWord {
  std::string_view word;
  Method method;
  std::string_view title;
};

constexpr std::array methods{
    MethodWord{"auto", Method::automatic, "CG"}, MethodWord{"cholesky", Method::cholesky, "Cholesky"},
    MethodWord{"cg", Method::cg, "CG"},          MethodWord{"minres", Method::minres, "MINRES"},
    MethodWord{"gmres", Method::gmres, "GMRES"},
};

}  // namespace

std::future<OrderedFactor> order_meanwhile(const sparse::BlockCsr<double>& pattern,
                                           std::vector<std::int32_t> place) {
  // A copy of the pattern, a small part of the matrix: where the assembly throws, the matrix is gone at once.
  return std::async(std::launch::async,
                    [offset = pattern.offset().to_vector(), column = pattern.column().to_vector(),
                     view = pattern.view(), size = pattern.height(), place = std::move(place)]() mutable {
                      view.offset = offset.data();
                      view.column = column.data();
                      OrderedFactor made{sparse::structure_over_unknowns(view, size, place, 1), {}};
                      made.cholesky.order(made.upper);
                      return made;
                    });
}

Method method_of(std::string_view word) {
  for (const MethodWord& one : methods) {
    if (one.word == word) return one.method;
  }
  throw Error(Fault::usage, fmt::format("'{}' is no solver", word),
              "give auto, cholesky, cg, minres or gmres");
}

MatrixKind kind_for(Method method) {
  if (method == Method::minres) return MatrixKind::symmetric;
  return method == Method::gmres ? MatrixKind::general : MatrixKind::positive_definite;
}

void SolverChoice::use(PreconditionerKind kind) {
  preconditioner = kind.word;
  given = std::make_shared<const PreconditionerKind>(std::move(kind));
}

const PreconditionerKind& preconditioner_of(const SolverChoice& choice, MatrixKind kind) {
  if (choice.given == nullptr) return preconditioner_of(choice.preconditioner, kind);
  require_takes(*choice.given, kind);
  return *choice.given;
}

std::unique_ptr<Solver> make_solver(const SolverChoice& choice, int stagnation_window) {
  GmresOptions options;
  options.tolerance = choice.tolerance;
  options.max_iterations = choice.max_iterations;
  options.stagnation_window = stagnation_window;
  options.restart = choice.restart;
  if (choice.method == Method::minres) return std::make_unique<Minres>(options);
  if (choice.method == Method::gmres) return std::make_unique<Gmres>(options);
  return std::make_unique<Cg>(options);
}

std::string name_of(const SolverChoice& choice, const PreconditionerKind& preconditioner) {
  const auto* const found =
      std::ranges::find_if(methods, [&](const MethodWord& one) { return one.method == choice.method; });
  return fmt::format("{} with {}", found->title, preconditioner.title);
}

bool factorises(const SolverChoice& choice, std::int64_t unknowns) {
  if (choice.method != Method::automatic) return choice.method == Method::cholesky;
  return choice.preconditioner == "auto" && Cholesky::available() &&
         choice.begins_with_factor.value_or(unknowns <= cholesky_max_unknowns);
}

SolveResult solve(const exec::Device& device, const LinearSystem& system, const std::vector<double>& b,
                  const SolverChoice& choice, Monitor& monitor) {
  const std::int64_t entries = system.matrix == nullptr ? 0 : system.matrix->value().size();
  const auto with_sizes = [&](SolveResult result) {
    result.report.unknowns = system.unknown_count;
    result.report.matrix_entries = entries;
    return result;
  };
  if (b.empty()) return with_sizes({});
  if (choice.method == Method::cholesky && !Cholesky::available()) {
    throw Error(Fault::usage, "this build of setka has no Cholesky factorisation",
                "build it with SuiteSparse (libsuitesparse-dev), or choose the solver cg");
  }
  if (factorises(choice, system.unknown_count) && system.product == nullptr)
    return with_sizes(factorise_and_solve(system, b, monitor));
  SolveResult iterated = iterate(device, system, b, choice, monitor);
  const SolveReport& report = iterated.report;
  if (report.converged || choice.method != Method::automatic || system.matrix == nullptr ||
      !Cholesky::available()) {
    return with_sizes(std::move(iterated));
  }
  log::warning("{}: {} after {} iterations (residual {:.1e}); trying a factorisation", report.method,
               report.trouble, report.iterations, report.residual);
  SolveResult direct = factorise_and_solve(system, b, monitor);
  direct.report.setup_seconds += report.setup_seconds;
  direct.report.solve_seconds += report.solve_seconds;
  return with_sizes(std::move(direct));
}

}  // namespace setka::solve
