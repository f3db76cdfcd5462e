// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/substructures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/domains/bddc.hpp"
#include "setka/domains/graph.hpp"
#include "setka/domains/part_matrices.hpp"
#include "setka/domains/primal.hpp"
#include "setka/domains/substructure.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/column_by_column.hpp"

namespace setka::domains {
namespace {

/// Of a part, where the user names no number of parts: its factors take a second, its coarse problem little.
constexpr std::int64_t unknowns_of_part = 4000;

/// A good preconditioner that makes no progress for so many iterations will not make any.
constexpr int stagnation_window = 100;

using Parts = std::vector<std::unique_ptr<Substructure>>;

/// The sum of the parts' condensed matrices.
class SchurComplement final : public solve::Operator {
 public:
  SchurComplement(const exec::Device& cpu, const Parts& parts, std::int64_t rows)
      : cpu_(cpu), parts_(parts), rows_(rows) {}

  const exec::Device& device() const override { return cpu_; }
  std::int64_t rows() const override { return rows_; }

  void apply(const exec::Stream& /*stream*/, exec::View<const double> x,
             exec::View<double> y) const override {
    std::vector<std::vector<double>> own(parts_.size());
    solve::side_by_side(cpu_.threads(), static_cast<std::int64_t>(parts_.size()), [&](std::int64_t at) {
      const auto p = static_cast<std::size_t>(at);
      std::vector<double> values;
      for (const std::int32_t number : parts_[p]->boundary()) values.push_back(x.data[number]);
      own[p] = parts_[p]->multiply(values);
    });
    std::fill_n(y.data, rows_, 0.0);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (std::size_t i = 0; i < own[p].size(); ++i) y.data[parts_[p]->boundary()[i]] += own[p][i];
    }
  }

  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    solve::apply_column_by_column(stream, *this, x, y);
  }

 private:
  exec::Device cpu_;
  const Parts& parts_;
  std::int64_t rows_;
};

std::vector<double> values_at(std::span<const double> all, std::span<const std::int32_t> rows) {
  std::vector<double> made;
  made.reserve(rows.size());
  for (const std::int32_t row : rows) made.push_back(all[static_cast<std::size_t>(row)]);
  return made;
}

/// b at the interface less what forces inside of parts put there.
std::vector<double> condensed(const exec::Device& cpu, const Parts& parts, const Interface& interface,
                              const std::vector<double>& b) {
  std::vector<std::vector<double>> own(parts.size());
  solve::side_by_side(cpu.threads(), static_cast<std::int64_t>(parts.size()), [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    own[p] = parts[p]->condensed(values_at(b, parts[p]->inner()));
  });
  std::vector<double> g = values_at(b, interface.row);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t i = 0; i < own[p].size(); ++i)
      g[static_cast<std::size_t>(parts[p]->boundary()[i])] += own[p][i];
  }
  return g;
}

/// The whole field from its values at the interface.
std::vector<double> whole(const exec::Device& cpu, const Parts& parts, const Interface& interface,
                          const std::vector<double>& b, std::span<const double> at_interface) {
  std::vector<double> x(b.size(), 0.0);
  for (std::size_t i = 0; i < interface.row.size(); ++i)
    x[static_cast<std::size_t>(interface.row[i])] = at_interface[i];
  solve::side_by_side(cpu.threads(), static_cast<std::int64_t>(parts.size()), [&](std::int64_t at) {
    const Substructure& part = *parts[static_cast<std::size_t>(at)];
    const std::vector<double> inner =
        part.inner_solution(values_at(b, part.inner()), values_at(at_interface, part.boundary()));
    for (std::size_t i = 0; i < inner.size(); ++i) x[static_cast<std::size_t>(part.inner()[i])] = inner[i];
  });
  return x;
}

void require_memory(std::uint64_t bytes, const exec::Device& cpu) {
  const std::uint64_t free = cpu.info().free_memory;
  if (bytes <= free) return;
  throw Error(Fault::resource,
              fmt::format("the Schur complements of the parts take {} as matrices, and {} are free",
                          format_bytes(bytes), format_bytes(free)),
              "keep them implicitly");
}

double residual(const sparse::BlockCsr<double>& a, const std::vector<double>& b,
                const std::vector<double>& x) {
  std::vector<double> r = b;
  const auto size = static_cast<std::int64_t>(b.size());
  sparse::multiply<double>(a.device(), -1, a, exec::View<const double>{x.data(), size}, 1,
                           exec::View<const double>{b.data(), size}, exec::View<double>{r.data(), size});
  const double scale = norm(b);
  return scale > 0 ? norm(r) / scale : 0;
}

}  // namespace

solve::SolveResult solve_by_substructures(const exec::Device& cpu, const ElementSystem& system,
                                          const std::vector<double>& b, const SubstructureOptions& options,
                                          const solve::SolverChoice& choice, Monitor& monitor) {
  const auto fitting = (system.space.size() + unknowns_of_part - 1) / unknowns_of_part;
  const std::int64_t most = std::max(1, system.space.region().element_count());
  const int count =
      options.parts > 0 ? options.parts : static_cast<int>(std::clamp<std::int64_t>(fitting, 1, most));
  std::optional<Stage> stage(monitor.stage("partition"));
  const Partition elements = partition(element_graph(system.space.region(), cpu.threads()), count);
  stage.reset();
  log::debug("substructures: {} parts by {}", count, elements.method);
  return solve_by_substructures(cpu, system, b, elements, options, choice, monitor);
}

solve::SolveResult solve_by_substructures(const exec::Device& cpu, const ElementSystem& system,
                                          const std::vector<double>& b, const Partition& elements,
                                          const SubstructureOptions& options,
                                          const solve::SolverChoice& choice, Monitor& monitor) {
  require(!cpu.is_cuda() && b.size() == static_cast<std::size_t>(system.space.size()), [&] {
    return fmt::format("solve_by_substructures: {} rows on {} for {} values", system.space.size(),
                       cpu.label(), b.size());
  });
  if (!solve::Cholesky::available()) {
    throw Error(Fault::usage, "substructures need the sparse Cholesky that this build of setka has not",
                "build it with SuiteSparse (libsuitesparse-dev), or choose the solver cg");
  }
  solve::SolveResult result;
  solve::SolveReport& report = result.report;
  report.unknowns = system.space.unknown_count();
  report.matrix_entries = system.matrix.value().size();
  report.method =
      fmt::format("CG with BDDC on {} substructure{}", elements.parts, elements.parts == 1 ? "" : "s");
  result.x.assign(b.size(), 0.0);
  if (b.empty()) return result;

  std::optional<Stage> stage(monitor.stage("set up"));
  std::optional<sparse::BlockCsr<double>> moved;
  if (system.matrix.device().is_cuda()) moved = system.matrix.to(cpu);
  const sparse::BlockCsr<double>& a = moved ? *moved : system.matrix;
  std::optional<Stage> part_of_it(monitor.stage("matrices of parts"));
  std::vector<PartMatrix> matrices =
      part_matrices(system.space, system.element_matrix, elements, cpu.threads());
  add_missing_diagonal(a, matrices);
  part_of_it.reset();
  part_of_it.emplace(monitor.stage("condense"));
  const Interface interface = find_interface(matrices, a.rows(), a.height(), system.space.places());
  if (options.schur == Schur::as_matrix) require_memory(schur_bytes(matrices, interface), cpu);
  Parts parts(matrices.size());
  solve::side_by_side(cpu.threads(), elements.parts, [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    parts[p] = std::make_unique<Substructure>(matrices[p], interface, options.schur);
  });
  part_of_it.reset();
  part_of_it.emplace(monitor.stage("balance"));
  const fem::NearNullspace modes = system.space.near_nullspace(cpu);
  const Bddc preconditioner(
      cpu, parts, interface,
      primal_classes(matrices, interface, modes.values.to_vector(), modes.modes, cpu.threads()));
  log::debug("substructures: {} unknowns at the interface, {} means, {} parts softened", interface.size(),
             preconditioner.coarse_size(), preconditioner.softened());
  part_of_it.reset();
  report.setup_seconds = stage->seconds();
  stage.reset();

  stage.emplace(monitor.stage("solve"));
  std::vector<double> at_interface(interface.row.size(), 0.0);
  const std::vector<double> g = condensed(cpu, parts, interface, b);
  const double scale = norm(g);
  if (scale > 0) {
    // What is left of the whole system is left at the interface, so that its norm is held against |b|.
    solve::SolverOptions limits;
    limits.tolerance = std::min(0.5, choice.tolerance * norm(b) / scale);
    limits.max_iterations = choice.max_iterations;
    limits.stagnation_window = stagnation_window;
    const exec::Array<double> right(cpu, g);
    exec::Array<double> x(cpu, at_interface);
    const solve::Outcome outcome = solve::Cg(limits).solve(cpu, SchurComplement(cpu, parts, interface.size()),
                                                           preconditioner, right, x, monitor);
    at_interface = x.to_vector();
    report.iterations = outcome.iterations;
    report.converged = outcome.converged();
    if (!report.converged) report.trouble = solve::describe(outcome.status);
    if (outcome.status == solve::Status::not_positive_definite) report.singular = 0;
  }
  result.x = whole(cpu, parts, interface, b, at_interface);
  report.residual = residual(a, b, result.x);
  report.solve_seconds = stage->seconds();
  return result;
}

}  // namespace setka::domains
