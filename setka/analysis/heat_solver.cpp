// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_solver.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/analysis/dynamic_matrices.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/meanwhile.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/cholesky_inverse.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::analysis {
namespace {

/// A hierarchy of an earlier matrix serves until it takes so many iterations more than one of the matrix
/// itself did: then making it anew costs less.
constexpr double most_growth = 1.5;
constexpr int most_more = 2;

[[noreturn]] void refuse_singular() {
  throw Error(Fault::input, "the equations of heat are singular",
              "check materials and equations for values out of range");
}

}  // namespace

HeatSolver::HeatSolver(const fem::Space& space, const Computing& computing)
    : space_(space),
      computing_(computing),
      factorises_(solve::factorises(computing.solver, space.unknown_count())),
      cg_(options_of_steps(computing)) {
  if (factorises_ || solve::preconditioner_of(computing.solver).word != "amg") return;
  geometry_ = meanwhile(space.region().node_count(),
                        [own = space_, cpu = computing.cpu] { return own.amg_geometry(cpu); });
}

HeatSolver::HeatSolver(const exec::Member& member, const domains::SpaceParts& parts,
                       const Computing& computing)
    : space_(parts.space(member.number())),
      member_(member),
      parts_(&parts),
      computing_(computing),
      factorises_(false),
      cg_(options_of_steps(computing)) {}

void HeatSolver::set(sparse::BlockCsr<double> a, Monitor& monitor) {
  const Stage stage = monitor.stage("set up");
  if (member_)
    team_matrix_ = std::make_shared<const domains::TeamMatrix>(
        domains::rows_of_part(*member_, parts_->part(member_->number()), std::move(a)));
  else
    matrix_ = std::make_shared<const solve::BlockCsrOperator>(std::move(a));
  fresh_ = false;
  if (factorises_)
    factorise(monitor);
  else
    precondition(monitor);
}

void HeatSolver::factorise(Monitor& /*monitor*/) {
  method_ = "Cholesky";
  if (factor_.emplace().factorise(sparse::over_unknowns(matrix_->matrix(), space_.places())) >= 0)
    refuse_singular();
  if (factor_->min_pivot().share < 1e-13) refuse_singular();
}

void HeatSolver::precondition(Monitor& monitor) {
  const solve::SolverChoice& choice = computing_.solver;
  const solve::PreconditionerKind& kind = solve::preconditioner_of(choice);
  method_ = solve::name_of(choice, kind);
  if (member_)
    method_ += fmt::format("{} on {} {}", kind.over_team ? "" : " of each part", member_->size(),
                           computing_.ranks != nullptr ? "processes" : "devices");
  if (kind.word != "amg") {
    preconditioner_ = made_by(kind, monitor);
  } else if (outworn_) {
    fresh_ = true;
    outworn_ = false;
    ++hierarchies_;
    make_hierarchy(monitor);
  }
}

void HeatSolver::make_hierarchy(Monitor& monitor) {
  if (member_) {
    preconditioner_.reset();  // room for the next
    hierarchy_matrix_ = team_matrix_;
    preconditioner_ = made_by(solve::preconditioner_of(computing_.solver), monitor);
    return;
  }
  const sparse::BlockCsr<double>& a = matrix_->matrix();
  if (multigrid_ != nullptr && multigrid_->refreshes(a)) {
    multigrid_->refresh(a, monitor);
    return;
  }
  solve::AmgOptions options;
  options.refreshable = true;
  solve::AmgGeometry geometry = geometry_.valid() ? geometry_.get() : space_.amg_geometry(computing_.cpu);
  multigrid_ = std::make_shared<solve::Amg>(a.device(), a, std::move(geometry), options, monitor);
  preconditioner_ = multigrid_;
}

std::shared_ptr<const solve::Operator> HeatSolver::made_by(const solve::PreconditionerKind& kind,
                                                           Monitor& monitor) {
  if (!member_)
    return kind.make({&matrix_->matrix(),
                      solve::MatrixKind::positive_definite,
                      [&] { return space_.amg_geometry(computing_.cpu); },
                      {},
                      nullptr},
                     monitor);
  const auto geometry = [&] { return parts_->geometry(member_->number(), computing_.cpu); };
  if (computing_.ranks != nullptr && kind.over_team)
    return computing_.ranks->multigrid(*parts_, *team_matrix_, geometry, monitor);
  const sparse::TeamCsr<double>& rows = team_matrix_->matrix();
  return kind.make({&rows.own(), solve::MatrixKind::positive_definite, geometry, {}, team_matrix_, &rows},
                   monitor);
}

dynamics::StepSolve HeatSolver::solve(const exec::Stream& stream, exec::View<const double> b,
                                      exec::View<double> x, Monitor& monitor) {
  const Stage stage = monitor.stage("solve");
  dynamics::StepSolve report;
  if (factorises_) {
    solve::CholeskyInverse(stream.device(), b.size, *factor_, space_.places()).apply(stream, b, x);
    return report;
  }
  exec::fill(stream, x, 0.0);
  const solve::Operator& matrix = member_ ? static_cast<const solve::Operator&>(*team_matrix_) : *matrix_;
  const solve::Outcome outcome = cg_.solve(stream, matrix, *preconditioner_, b, x, monitor);
  report.iterations = outcome.iterations;
  report.residual = outcome.residual;
  report.converged = outcome.converged();
  if (fresh_) fresh_iterations_ = outcome.iterations;
  outworn_ = outcome.iterations > most_growth * fresh_iterations_ + most_more;
  if (report.converged) return report;
  report.trouble = solve::describe(outcome.status);
  if (hierarchies_ > 0 && !fresh_) {  // an old hierarchy may be the reason
    outworn_ = true;
    precondition(monitor);
    return solve(stream, b, x, monitor);
  }
  if (member_ || computing_.solver.method == solve::Method::cg || !solve::Cholesky::available())
    return report;
  log::warning("*HEAT TRANSFER: {} after {} iterations (residual {:.1e}); factorising instead",
               report.trouble, report.iterations, report.residual);
  factorises_ = true;
  multigrid_.reset();
  preconditioner_.reset();
  factorise(monitor);
  return solve(stream, b, x, monitor);
}

}  // namespace setka::analysis
