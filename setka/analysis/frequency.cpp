// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/frequency.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/found_modes.hpp"
#include "setka/analysis/modal_system.hpp"
#include "setka/analysis/mode_shapes.hpp"
#include "setka/analysis/participation.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/reduced_start.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/modes/find.hpp"

namespace setka::analysis {
void require_density(const Setup& setup, std::string_view asked_by) {
  const model::Material* last = nullptr;
  bool heavy = false;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (setup.is_spring(e)) heavy = heavy || setup.spring_section(e).mass > 0;
    if (setup.is_spring(e) || setup.section_of[static_cast<std::size_t>(e)] < 0) continue;
    const model::Material& material = setup.material(e);
    last = &material;
    heavy = heavy || std::ranges::any_of(material.density,
                                         [](const model::TableRow& row) { return row.values[0] > 0; });
    if (!material.density.empty()) continue;
    throw Error(Fault::input,
                fmt::format("material {} has no density, which {} needs", material.name, asked_by),
                "add *DENSITY", setup.model->source(material.line));
  }
  if (last != nullptr && !heavy)
    throw Error(Fault::input,
                fmt::format("nothing has mass, which {} needs: all densities are zero", asked_by),
                "give *DENSITY its value", setup.model->source(last->line));
}

void check_frequency(const Setup& setup, const model::Step& step, std::int32_t unknowns) {
  const auto& procedure = std::get<model::FrequencyStep>(step.procedure);
  require_unknowns(setup, procedure, unknowns);
  require_density(setup, "*FREQUENCY");
}

model::ModeTable solve_frequency(const Setup& setup, const LoadState& loads, const model::Step& step,
                                 int number, double total_time, const Preload* preload,
                                 const Computing& computing, const ModeSink& sink, Monitor& monitor,
                                 ModalBasis* basis) {
  const auto& procedure = std::get<model::FrequencyStep>(step.procedure);
  ElementState state(
      setup, preload != nullptr ? std::span<const double>(preload->temperature) : std::span<const double>());
  state.leave_out_free_strains();
  if (preload != nullptr) state.set_preload(preload->displacements);

  std::optional<Stage> preparing(monitor.stage("constraints"));
  const fem::Constraints of_users = user_constraints(setup, loads, 1, total_time).homogeneous();
  std::optional<fem::Constraints> of_solids;
  if (!setup.solids.rows.empty()) of_solids = of_users.compose(setup.solids.rows);
  const fem::Constraints& constraints = of_solids ? *of_solids : of_users;
  check_frequency(setup, step, constraints.unknown_count());
  preparing.reset();

  const modes::Request request = requested_modes(procedure, computing);
  const ModalSystem modal(setup, state, of_users, constraints, preload, request, computing, monitor);
  modes::EigenSystem system = modal.system();
  std::optional<domains::ReducedModes> reduced;
  if (computing.reduction) {
    reduced = reduced_start(system, request, computing, monitor);
    system.start = reduced->modes.shape;
    system.start_count = reduced->modes.count();
  }
  const modes::Modes found = modal.find(system, request, monitor);
  const std::size_t count = found.lambda.size();
  refuse_fewer_modes(setup, procedure, found);

  const Stage stage = monitor.stage("shapes of modes");
  const int threads = computing.cpu.threads();
  preparing.emplace(monitor.stage("participation"));
  const Participation participation =
      participation_factors(setup, of_users, modal.space(), modal.mass(), found.shape, count, threads);
  model::ModeTable table = table_of_modes(found, number);
  table.total_mass = participation.total_mass;
  if (reduced) table.reduction = worth_of(*reduced, found);
  preparing.reset();
  preparing.emplace(monitor.stage("at all nodes"));
  std::vector<std::vector<double>> shapes = expanded_shapes(constraints, found.shape, count, threads);
  exec::host::for_each(threads, static_cast<std::int64_t>(count), 1, [&](std::int64_t index) {
    const auto j = static_cast<std::size_t>(index);
    model::Mode& mode = table.modes[j];
    mode.participation = participation.factors[j];
    fix_sign(shapes[j], mode.participation);
    mode.in_range = in_range(procedure, mode);
    if (!mode.in_range) shapes[j].clear();
  });
  preparing.reset();
  sink.table(table);

  const Wanted wanted = wanted_results(step);
  std::vector<std::vector<double>> forces;
  if (wanted.at_nodes.contains("RF")) forces = forces_of_shapes(setup, state, shapes, threads);
  std::unique_ptr<fem::Recovery> on_device;
  if (modal.mass().device().is_cuda() || (computing.team && computing.device.is_cuda()))
    on_device = recovery_on(computing.device, setup, state, wanted);
  for (std::size_t j = 0; j < count; ++j) {
    if (!table.modes[j].in_range) continue;
    model::Frame frame;
    frame.step = number;
    frame.time = total_time;
    frame.mode = table.modes[j];
    if (basis == nullptr && !needs_elements(wanted)) {
      recover_displacements(setup, std::move(shapes[j]), frame);
    } else {
      recover(setup, state, shapes[j], wanted, threads, frame, on_device.get(),
              computing.ranks == nullptr || computing.device.is_cuda() ? nullptr
                                                                       : computing.ranks->transport().get());
    }
    if (!forces.empty()) frame.node_fields.push_back({"RF", 3, std::move(forces[j])});
    sink.shape(frame);
  }
  if (basis != nullptr) {
    for (std::size_t j = 0; j < count; ++j) {
      if (!table.modes[j].in_range) continue;
      basis->modes.push_back(table.modes[j]);
      basis->shapes.push_back(std::move(shapes[j]));
    }
    basis->unknown_dofs.assign(of_users.unknown_dofs().begin(), of_users.unknown_dofs().end());
    if (preload != nullptr) basis->preload = *preload;
  }
  return table;
}

}  // namespace setka::analysis
