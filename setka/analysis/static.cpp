// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/static.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/free_motions.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/corner_interpolation.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::analysis {
namespace {

/// An Error that names what is free to move, where that is certain.
void refuse_free(const Setup& setup, const fem::Constraints& constraints) {
  std::vector<FreeMotion> motions = free_motions(setup, constraints);
  std::erase_if(motions, [](const FreeMotion& motion) { return !motion.certain; });
  if (motions.empty()) return;
  throw Error(Fault::input,
              motions.front().text +
                  (motions.size() > 1 ? fmt::format(", and {} more like it", motions.size() - 1) : ""),
              "add *BOUNDARY that holds it");
}

[[noreturn]] void refuse_singular(const Setup& setup, const fem::Constraints& constraints,
                                  std::int32_t unknown) {
  refuse_free(setup, constraints);
  std::string where;
  for (std::int32_t d = 0; d < 3 * setup.model->mesh.node_count() && where.empty(); ++d) {
    for (const fem::Term& term : constraints.row(d)) {
      if (term.index == unknown)
        where = fmt::format(" near node {}, direction {}", setup.model->mesh.node_label(d / 3), d % 3 + 1);
    }
  }
  throw Error(Fault::input,
              fmt::format("the stiffness matrix is singular{}: a part of the model is not held", where),
              "look for parts that hang together by nothing, or by a hinge");
}

std::vector<double> temperatures_at(const Setup& setup, const LoadState& loads, double step_time,
                                    double total_time) {
  if (loads.temperatures().empty()) return setup.initial_temperature;
  std::vector<double> now = setup.initial_temperature;
  now.resize(static_cast<std::size_t>(setup.model->mesh.node_count()), 0.0);
  for (const model::NodeTemperature& given : loads.temperatures()) {
    now[static_cast<std::size_t>(given.node)] =
        given.value * loads.factor(given.amplitude, step_time, total_time);
  }
  return now;
}

}  // namespace

std::vector<double> solve_system(const Setup& setup, const fem::Constraints& constraints,
                                 const fem::Constraints& users, Stiffness& stiffness,
                                 const std::vector<double>& b, const Computing& computing,
                                 solve::SolveReport& report, Monitor& monitor) {
  report.unknowns = constraints.unknown_count();
  const fem::BlockNumbering& numbering = stiffness.numbering;
  solve::LinearSystem system;
  system.matrix = stiffness.matrix ? &*stiffness.matrix : nullptr;
  system.product = stiffness.product.get();
  system.diagonal = stiffness.diagonal.get();
  system.geometry = [&] {
    fem::RigidModes rigid = fem::rigid_modes(setup.solids, constraints, numbering);
    return solve::AmgGeometry{6, std::move(rigid.modes), std::move(rigid.coordinates),
                              fem::corner_interpolation(setup.solids, constraints, numbering)};
  };
  system.unknowns = [&] {
    if (!stiffness.matrix->device().is_cuda()) return fem::over_unknowns(*stiffness.matrix, numbering);
    return fem::over_unknowns(stiffness.matrix->to(computing.cpu), numbering);
  };
  system.collect = [&](const std::vector<double>& blocked) { return numbering.collect(blocked); };
  system.spread = [&](const std::vector<double>& q) { return numbering.spread(q); };
  std::vector<double> x = solve::solve(computing.device, system, b, computing.solver, report, monitor);
  // Where loads balance by chance, conjugate gradients find an answer for a body that nothing holds.
  if (!report.factorised) refuse_free(setup, users);
  if (report.singular >= 0) refuse_singular(setup, users, report.singular);
  if (!std::isfinite(report.residual)) {
    throw Error(Fault::input, "the solution is not a number",
                "check loads and materials for values out of range");
  }
  return x;
}

StaticResult solve_static(const Setup& setup, const LoadState& loads, const model::Step& step,
                          double step_time, double total_time, const Computing& computing, Monitor& monitor) {
  StaticResult result;
  const std::vector<double> temperature = temperatures_at(setup, loads, step_time, total_time);
  const ElementState state(setup, temperature);

  std::optional<fem::Constraints> of_users;
  std::optional<fem::Constraints> of_solids;
  {
    const Stage stage = monitor.stage("constraints");
    of_users = user_constraints(setup, loads, step_time, total_time, Angles::as_given);
    if (!setup.solids.rows.empty()) of_solids = of_users->compose(setup.solids.rows);
  }
  const fem::Constraints& constraints = of_solids ? *of_solids : *of_users;

  Forces forces;
  {
    const Stage stage = monitor.stage("loads");
    forces = forces_at(setup, loads, state, step_time, total_time);
  }
  Stiffness stiffness = make_stiffness(setup, state, constraints, computing, monitor);

  std::vector<double> total(forces.applied.size());
  for (std::size_t i = 0; i < total.size(); ++i) total[i] = forces.applied[i] + forces.strains[i];
  std::vector<double> b = stiffness.numbering.spread(constraints.restrict_forces(total));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= stiffness.from_shifts[i];
  const std::vector<double> q = stiffness.numbering.collect(
      solve_system(setup, constraints, *of_users, stiffness, b, computing, result.report, monitor));

  const Stage stage = monitor.stage("stresses");
  const std::vector<double> u = constraints.expand(q);
  result.user_displacements = of_users->expand(q);
  result.user_displacements.resize(3 * static_cast<std::size_t>(setup.model->mesh.node_count()));
  result.frame.time = total_time;
  const Wanted wanted = wanted_results(step);
  recover(setup, state, u, wanted, computing.cpu.threads(), result.frame);
  if (wanted.at_nodes.contains("RF")) {
    const std::vector<double> external =
        external_forces(setup, state, u, forces.strains, computing.cpu.threads());
    std::vector<double> reactions = forces_on_mesh(setup, external);
    if (!setup.model->mean_rotations.empty()) {
      fem::Constraints released = user_constraints(setup, loads, step_time, total_time, Angles::free);
      if (of_solids) released = released.compose(setup.solids.rows);
      set_torques(setup, external, forces.applied, released, reactions);
    }
    result.frame.node_fields.push_back({"RF", 3, std::move(reactions)});
  }
  if (!temperature.empty()) result.frame.node_fields.push_back({"NT", 1, temperature});
  result.solid_displacements = u;
  result.temperature = temperature;
  return result;
}

}  // namespace setka::analysis
