// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_solver.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"

namespace setka::domains {
namespace {

/// The entries of some block rows, each with so many values.
std::vector<double> of_rows(std::span<const double> all, std::span<const std::int32_t> rows,
                            std::size_t width) {
  std::vector<double> made;
  made.reserve(rows.size() * width);
  for (const std::int32_t row : rows) {
    const auto own = all.subspan(width * static_cast<std::size_t>(row), width);
    made.insert(made.end(), own.begin(), own.end());
  }
  return made;
}

/// What multigrid is to know of a matrix, for the rows of one part.
class GeometryOfParts {
 public:
  explicit GeometryOfParts(const std::function<solve::AmgGeometry()>& geometry) {
    if (!geometry) return;
    whole_ = geometry();
    mode_ = whole_->mode.on_host();
  }

  const std::vector<double>& places() const {
    static const std::vector<double> none;
    return whole_ ? whole_->coordinates : none;
  }

  solve::AmgGeometry of(const RowsOfPart& part, int block) const {
    require(whole_.has_value(), "domains::solve: multigrid without a geometry");
    solve::AmgGeometry own;
    own.modes = whole_->modes;
    own.mode =
        of_rows(mode_, part.rows, static_cast<std::size_t>(block) * static_cast<std::size_t>(own.modes));
    if (!whole_->coordinates.empty()) own.coordinates = of_rows(whole_->coordinates, part.rows, 3);
    return own;
  }

 private:
  std::optional<solve::AmgGeometry> whole_;
  std::vector<double> mode_;
};

void check(const solve::LinearSystem& system, const solve::SolverChoice& choice) {
  if (choice.method != solve::Method::automatic && choice.method != solve::Method::cg)
    throw Error(Fault::usage, "several devices solve by conjugate gradients alone",
                "use --solver cg, or name one device");
  require(system.matrix != nullptr && system.product == nullptr && system.preconditioner == nullptr,
          "domains::solve: a matrix is needed, and no other product");
}

}  // namespace

solve::SolveResult solve(const exec::Team& team, const solve::LinearSystem& system,
                         const std::vector<double>& b, const solve::SolverChoice& choice, Monitor& monitor) {
  check(system, choice);
  const solve::PreconditionerKind& kind = solve::preconditioner_of(choice.preconditioner);
  solve::SolveResult result;
  solve::SolveReport& report = result.report;
  report.unknowns = system.unknown_count;
  report.matrix_entries = system.matrix->value().size();
  report.method = fmt::format("{}{} on {} devices", solve::name_of(choice, kind),
                              kind.from_diagonal && kind.scratch == 0 ? "" : " of each part", team.size());
  result.x.assign(b.size(), 0.0);
  if (b.empty()) return result;

  std::optional<Stage> stage(monitor.stage("set up"));
  std::optional<sparse::BlockCsr<double>> moved;
  if (system.matrix->device().is_cuda()) moved = system.matrix->to(exec::Device::cpu());
  const sparse::BlockCsr<double>& a = moved ? *moved : *system.matrix;
  const GeometryOfParts geometry(system.geometry);
  const Partition rows =
      partition(matrix_graph(a, geometry.places(), exec::Device::cpu().threads()), team.size());
  log::debug("rows are shared out by {}", rows.method);
  const MatrixParts parts(a, rows);
  double setup_seconds = 0;
  solve::Outcome outcome;
  team.run([&](const exec::Member& member) {
    const bool first = member.number() == 0;
    Monitor silent;
    Monitor& own_monitor = first ? monitor : silent;
    const TeamMatrix matrix(member, parts);
    const auto own = std::make_shared<const solve::BlockCsrOperator>(matrix.own());
    const RowsOfPart& part = parts.part(member.number());
    const std::unique_ptr<solve::Operator> preconditioner =
        kind.make({&matrix.own(),
                   solve::MatrixKind::positive_definite,
                   [&] { return geometry.of(part, a.height()); },
                   {},
                   own},
                  own_monitor);
    const exec::Array<double> right(member.device(), parts.values_of(member.number(), b));
    exec::Array<double> x(member.device(), right.size());
    exec::fill(member.device(), x, 0.0);
    member.meet();
    std::optional<Stage> solving;
    if (first) {
      setup_seconds = stage->seconds();
      stage.reset();
      solving.emplace(monitor.stage("solve"));
    }
    const solve::Outcome found = solve::make_solver(choice, kind.stagnation_window(a.scalar_rows()))
                                     ->solve(member.device(), matrix, *preconditioner, right, x, own_monitor);
    parts.put(member.number(), x.to_vector(), result.x);
    if (!first) return;
    outcome = found;
    report.solve_seconds = solving->seconds();
  });
  report.setup_seconds = setup_seconds;
  report.iterations = outcome.iterations;
  report.residual = outcome.residual;
  report.converged = outcome.converged();
  if (!report.converged) report.trouble = solve::describe(outcome.status);
  if (outcome.status == solve::Status::not_positive_definite) report.singular = 0;
  return result;
}

}  // namespace setka::domains
