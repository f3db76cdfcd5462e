// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/ranks.hpp"

#include <optional>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/domains/team_modes.hpp"
#include "setka/exec/device.hpp"

namespace setka::domains {
namespace {

std::shared_ptr<const MatrixParts> shared_out(const exec::Team& team, const sparse::BlockCsr<double>& a,
                                              const solve::AmgGeometry& geometry) {
  const Partition rows =
      partition(matrix_graph(a, geometry.coordinates, exec::Device::cpu().threads()), team);
  log::debug("rows are shared out by {}", rows.method);
  return std::make_shared<const MatrixParts>(a, rows);
}

}  // namespace

solve::SolveResult solve(const Ranks& ranks, const exec::Team& team, const solve::LinearSystem& system,
                         const std::vector<double>& b, const solve::SolverChoice& choice, Monitor& monitor) {
  require(system.matrix != nullptr && system.product == nullptr && system.preconditioner == nullptr,
          "domains::solve: a matrix is needed, and no other product");
  if (b.empty()) return {};
  std::optional<Stage> stage(monitor.stage("share out"));
  solve::AmgGeometry geometry;
  if (system.geometry) geometry = system.geometry();
  const auto parts = shared_out(team, *system.matrix, geometry);
  const DistributedMatrix matrix(team, parts);
  const double seconds = stage->seconds();
  stage.reset();
  solve::SolveResult result = ranks.solve(
      {matrix, [&] { return geometry_of_part(*parts, ranks.number(), geometry); }, system.unknown_count}, b,
      choice, monitor);
  result.report.setup_seconds += seconds;
  return result;
}

bool engine_finds(const Ranks& ranks, const exec::Device& device, std::int64_t unknowns,
                  const modes::Request& request, const modes::Choice& choice) {
  if (ranks.is_told_of_modes()) return true;
  const modes::Method chosen = modes::chosen_method(choice, unknowns, request, device);
  return chosen != modes::Method::lobpcg && chosen != modes::Method::subspace;
}

modes::Modes found_by_processes(const std::function<modes::Modes()>& iterate,
                                const std::function<modes::Modes()>& factorise, bool engine_finds,
                                const modes::Choice& choice) {
  if (engine_finds) return factorise();
  modes::Modes found = iterate();
  if (found.converged || choice.method != modes::Method::automatic) return found;
  log::warning("{}; trying a factorisation", found.trouble);
  return factorise();
}

namespace {

/// By the engine, of matrices that every process has whole.
modes::Modes found_by_engine(const Ranks& ranks, const exec::Team& team, const modes::EigenSystem& system,
                             const modes::Request& request, modes::Method method, Monitor& monitor) {
  if (!system.assembled())
    throw Error(Fault::usage, "several processes find modes of assembled matrices", "leave --operator out");
  std::optional<Stage> stage(monitor.stage("share out"));
  const solve::AmgGeometry geometry = system.geometry();
  const auto parts = shared_out(team, *system.stiffness.assembled, geometry);
  const DistributedMatrix stiffness(team, parts);
  const DistributedMatrix mass(team, std::make_shared<const MatrixParts>(*system.mass.assembled, *parts));
  stage.reset();
  return ranks.find_modes(
      {stiffness, mass, [&] { return geometry_of_part(*parts, ranks.number(), geometry); }}, request, method,
      monitor);
}

}  // namespace

modes::Modes find_modes(const Ranks& ranks, const exec::Team& team, const exec::Device& cpu,
                        const modes::EigenSystem& system, const modes::Request& request,
                        const modes::Choice& choice, Monitor& monitor) {
  return found_by_processes(
      [&] { return find_modes(team, cpu, system, request, choice, monitor); },
      [&] {
        modes::Modes found = found_by_engine(ranks, team, system, request, choice.method, monitor);
        modes::keep_unknowns(system.place, cpu, found);
        return found;
      },
      engine_finds(ranks, team.devices().front(), system.unknown_count(), request, choice), choice);
}

}  // namespace setka::domains
