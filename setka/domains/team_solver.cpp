// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_solver.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"

namespace setka::domains {
namespace {

void check(const solve::SolverChoice& choice) {
  if (choice.method != solve::Method::automatic && choice.method != solve::Method::cg)
    throw Error(Fault::usage, "several devices solve by conjugate gradients alone",
                "use --solver cg, or name one device");
}

/// The answer zero.
solve::SolveResult nothing_yet(std::int32_t unknowns, const std::vector<double>& b,
                               const solve::SolverChoice& choice, const solve::PreconditionerKind& kind,
                               int devices) {
  solve::SolveResult result;
  result.x.assign(b.size(), 0.0);
  result.report.unknowns = unknowns;
  result.report.method = fmt::format("{}{} on {} devices", solve::name_of(choice, kind),
                                     kind.over_team ? "" : " of each part", devices);
  return result;
}

/// What a member iterates with.
struct OfMember {
  std::shared_ptr<const solve::Operator> product;
  std::unique_ptr<solve::Operator> preconditioner;
};

/// Solves into the result, by all members. prepare: what a member iterates with, by all of them together.
void iterate(const exec::Team& team, const RowParts& parts, const std::vector<double>& b,
             const std::function<OfMember(const exec::Member&, Monitor&)>& prepare,
             const solve::SolverChoice& choice, int stagnation_window, Monitor& monitor,
             solve::SolveResult& result) {
  solve::SolveReport& report = result.report;
  std::optional<Stage> stage(monitor.stage("set up"));
  solve::Outcome outcome;
  team.run([&](const exec::Member& member) {
    const bool first = member.number() == 0;
    Monitor silent;
    Monitor& own_monitor = first ? monitor : silent;
    const OfMember own = prepare(member, own_monitor);
    const exec::Array<double> right(member.device(), parts.values_of(member.number(), b));
    exec::Array<double> x(member.device(), right.size());
    exec::fill(member.device(), x, 0.0);
    member.meet();
    std::optional<Stage> solving;
    if (first) {
      report.setup_seconds = stage->seconds();
      stage.reset();
      solving.emplace(monitor.stage("solve"));
    }
    const solve::Outcome found =
        solve::make_solver(choice, stagnation_window)
            ->solve(member.device(), *own.product, *own.preconditioner, right, x, own_monitor);
    parts.put(member.number(), x.to_vector(), result.x);
    if (!first) return;
    outcome = found;
    report.solve_seconds = solving->seconds();
  });
  report.iterations = outcome.iterations;
  report.residual = outcome.residual;
  report.converged = outcome.converged();
  if (!report.converged) report.trouble = solve::describe(outcome.status);
  if (outcome.status == solve::Status::not_positive_definite) report.singular = 0;
}

}  // namespace

solve::SolveResult solve(const exec::Team& team, const solve::LinearSystem& system,
                         const std::vector<double>& b, const solve::SolverChoice& choice, Monitor& monitor) {
  check(choice);
  require(system.matrix != nullptr && system.product == nullptr && system.preconditioner == nullptr,
          "domains::solve: a matrix is needed, and no other product");
  if (b.empty())
    return nothing_yet(system.unknown_count, b, choice, solve::preconditioner_of(choice), team.size());
  std::optional<Stage> stage(monitor.stage("share out"));
  std::optional<sparse::BlockCsr<double>> moved;
  if (system.matrix->device().is_cuda()) moved = system.matrix->to(exec::Device::cpu());
  const sparse::BlockCsr<double>& a = moved ? *moved : *system.matrix;
  solve::AmgGeometry geometry;
  if (system.geometry) geometry = system.geometry();
  const Partition rows =
      partition(matrix_graph(a, geometry.coordinates, exec::Device::cpu().threads()), team);
  log::debug("rows are shared out by {}", rows.method);
  const auto parts = std::make_shared<const MatrixParts>(a, rows);
  const DistributedMatrix matrix(team, parts);
  const double seconds = stage->seconds();
  stage.reset();
  solve::SolveResult result =
      solve({matrix, [&](int p) { return geometry_of_part(*parts, p, geometry); }, system.unknown_count}, b,
            choice, monitor);
  result.report.setup_seconds += seconds;
  return result;
}

solve::SolveResult solve(const TeamSystem& system, const std::vector<double>& b,
                         const solve::SolverChoice& choice, Monitor& monitor) {
  check(choice);
  const exec::Team& team = system.matrix.team();
  const solve::PreconditionerKind& kind = solve::preconditioner_of(choice);
  solve::SolveResult result = nothing_yet(system.unknown_count, b, choice, kind, team.size());
  result.report.matrix_entries = system.matrix.entries();
  if (b.empty()) return result;
  const auto prepare = [&](const exec::Member& member, Monitor& own_monitor) -> OfMember {
    const std::shared_ptr<const TeamMatrix> matrix = system.matrix.of(member);
    const sparse::TeamCsr<double>& shared = matrix->matrix();
    return {matrix, kind.make({&shared.own(),
                               solve::MatrixKind::positive_definite,
                               [&] { return system.geometry(member.number()); },
                               {},
                               matrix,
                               &shared},
                              own_monitor)};
  };
  iterate(team, system.matrix.parts(), b, prepare, choice,
          kind.stagnation_window(system.matrix.scalar_rows()), monitor, result);
  return result;
}

solve::SolveResult solve(const UnassembledSystem& system, const std::vector<double>& b,
                         const solve::SolverChoice& choice, Monitor& monitor) {
  check(choice);
  const DistributedOperator& a = system.stiffness;
  const solve::PreconditionerKind& kind = preconditioner_of_products(choice);
  solve::SolveResult result = nothing_yet(system.unknown_count, b, choice, kind, a.team().size());
  if (b.empty()) return result;
  const auto prepare = [&](const exec::Member& member, Monitor& own_monitor) -> OfMember {
    const DistributedOperator::Rows& own = a.of(member);
    return {own.product, make_preconditioner(kind, own, own_monitor)};
  };
  iterate(a.team(), a.parts(), b, prepare, choice, kind.stagnation_window(a.scalar_rows()), monitor, result);
  return result;
}

}  // namespace setka::domains
