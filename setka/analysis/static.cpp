// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/static.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <future>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/element_products.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/free_motions.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/solve_system.hpp"
#include "setka/analysis/superelements.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/meanwhile.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/recovery.hpp"

namespace setka::analysis {

std::vector<double> temperatures_at(const Setup& setup, const LoadState& loads, double step_time,
                                    double total_time) {
  std::vector<double> now =
      loads.found_temperatures().empty() ? setup.initial_temperature : loads.found_temperatures();
  if (loads.temperatures().empty()) return now;
  now.resize(static_cast<std::size_t>(setup.model->mesh.node_count()), 0.0);
  for (const model::NodeTemperature& given : loads.temperatures()) {
    now[static_cast<std::size_t>(given.node)] =
        given.value * loads.factor(given.amplitude, step_time, total_time);
  }
  return now;
}

StaticResult solve_static(const Setup& setup, const LoadState& loads, const model::Step& step,
                          double step_time, double total_time, bool is_preload, const Computing& computing,
                          Monitor& monitor) {
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
  std::vector<double> total;
  {
    const Stage stage = monitor.stage("loads");
    forces = forces_at(setup, loads, state, step_time, total_time);
    total = forces.applied;
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += forces.strains[i];
  }
  // Meanwhile: the device has its own work to do with the stiffness.
  std::future<std::vector<FreeMotion>> motions =
      meanwhile(computing.cpu.threads() > 1 ? setup.model->mesh.node_count() : 0,
                [&] { return free_motions(setup, *of_users); });
  if (computing.substructures && by_elements(computing.operator_kind))
    refuse_operator("substructures are made of the assembled matrices of parts");
  std::optional<Stiffness> stiffness(make_stiffness(setup, state, constraints, computing, monitor));
  stiffness->motions = std::move(motions);
  if (computing.substructures)
    stiffness->element_matrix = [&](std::int32_t e, std::span<double> k) { state.element_matrix(e, k); };

  solve::SolveResult solved =
      solve_system(setup, constraints, *of_users, *stiffness, total, computing, monitor);
  result.report = std::move(solved.report);
  std::vector<double> u;
  bool by_device = false;
  std::shared_ptr<const fem::Form> form;
  {
    const Stage stage = monitor.stage("displacements");
    u = stiffness->space.expand(solved.x, computing.cpu);
    result.user_displacements = of_solids ? of_users->expand(stiffness->space.collect(solved.x)) : u;
    by_device = stiffness->by_device;
    form = std::move(stiffness->form);
    stiffness.reset();  // room for stresses
    solved = {};
    result.user_displacements.resize(3 * static_cast<std::size_t>(setup.model->mesh.node_count()));
  }
  const Stage stage = monitor.stage("stresses");
  result.frame.time = total_time;
  Wanted wanted = wanted_results(step);
  if (is_preload) wanted.at_points.insert("S");
  std::unique_ptr<fem::Recovery> on_device;
  if (by_device) on_device = recovery_on(computing.device, setup, state, wanted, std::move(form));
  const exec::Transport* const processes =
      computing.ranks == nullptr || computing.device.is_cuda() ? nullptr : computing.ranks->transport().get();
  recover(setup, state, u, wanted, computing.cpu.threads(), result.frame, on_device.get(), processes);
  on_device.reset();
  if (wanted.at_nodes.contains("RF")) {
    std::vector<double> external =
        external_forces(setup, state, u, forces.strains, computing.cpu.threads(), processes);
    add_superelement_forces(*setup.model, u, external);
    std::vector<double> reactions = forces_on_mesh(setup, external);
    if (!setup.model->mean_rotations.empty()) {
      fem::Constraints released = user_constraints(setup, loads, step_time, total_time, Angles::free);
      if (of_solids) released = released.compose(setup.solids.rows);
      set_torques(setup, external, forces.applied, released, reactions);
    }
    add_carried_forces(setup, loads, reactions);
    result.frame.node_fields.push_back({"RF", 3, std::move(reactions)});
  }
  if (!temperature.empty()) {
    std::vector<double> at_nodes = on_solid_nodes(setup.solids, temperature);
    at_nodes.resize(setup.result_nodes());
    result.frame.node_fields.push_back({"NT", 1, std::move(at_nodes)});
  }
  result.solid_displacements = std::move(u);
  result.temperature = temperature;
  return result;
}

}  // namespace setka::analysis
