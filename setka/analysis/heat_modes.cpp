// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_modes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/found_modes.hpp"
#include "setka/analysis/heat_field.hpp"
#include "setka/analysis/heat_solver.hpp"
#include "setka/analysis/modal_system.hpp"
#include "setka/analysis/mode_shapes.hpp"
#include "setka/analysis/modes_in_parts.hpp"
#include "setka/analysis/team_assembly.hpp"
#include "setka/base/error.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/form.hpp"
#include "setka/modes/find.hpp"

namespace setka::analysis {
namespace {

bool is_temperature(const model::PrescribedValue& value) {
  return value.direction == temperature_direction;
}

/// Everything that is prescribed held at zero.
fem::Constraints held(const Setup& setup, const LoadState& loads) {
  const std::vector<double> nothing(static_cast<std::size_t>(setup.model->mesh.node_count()), 0.0);
  return temperature_constraints(setup, loads, nothing, [](const auto&) { return 0.0; });
}

class Temperatures final : public ModalField {
 public:
  Temperatures(const Setup& setup, const LoadState& loads, const model::Step& step, const ModalBasis& basis,
               const Computing& computing, Monitor& monitor)
      : ModalField({}),
        setup_(setup),
        computing_(computing),
        basis_(basis),
        wanted_(wanted_results(step)),
        field_(setup, computing, held(setup, loads), true),
        conduction_(field_.conduction(basis.temperature)) {
    const Stage stage = monitor.stage("loads of modes");
    require_same_supports(step);
    refuse_losses(loads);
    take_sources(loads);
    take_prescribed(loads, monitor);
  }

  bool has_velocities() const override { return false; }
  bool has_accelerations() const override { return false; }

  void fill(const std::vector<double>& u, const std::vector<double>& /*v*/, const std::vector<double>& /*a*/,
            model::Frame& frame) const override {
    fill_heat_frame(setup_, field_, conduction_, exec::Array<double>(computing_.device, u), wanted_,
                    computing_.cpu.threads(), frame);
  }

 private:
  void require_same_supports(const model::Step& step) const {
    const auto now = field_.space().constraints().unknown_dofs();
    if (std::ranges::equal(now, basis_.unknown_dofs)) return;
    std::vector<std::int32_t> changed;
    std::ranges::set_symmetric_difference(now, basis_.unknown_dofs, std::back_inserter(changed));
    const bool was_free = std::ranges::binary_search(basis_.unknown_dofs, changed.front());
    throw Error(
        Fault::input,
        fmt::format("the temperature of node {} is {} here, but was {} in the *HEAT TRANSFER, FREQUENCY step",
                    setup_.model->mesh.node_label(setup_.solids.origin_of(changed.front())),
                    was_free ? "prescribed" : "free", was_free ? "free" : "held"),
        "hold it by *BOUNDARY in the step of the modes as well", setup_.model->source(step.line));
  }

  void refuse_losses(const LoadState& loads) const {
    const auto refuse = [&](model::Line line, const char* card) {
      throw Error(Fault::input, fmt::format("{} has no meaning in a sum of modes of temperatures", card),
                  "leave it out of the step", setup_.model->source(line));
    };
    if (!loads.films().empty()) refuse(loads.films().front().load.line, "*FILM");
    if (!loads.radiation().empty()) refuse(loads.radiation().front().load.line, "*RADIATE");
  }

  std::vector<double> on_modes(std::span<const double> source) const {
    std::vector<double> work;
    for (const std::vector<double>& shape : basis_.shapes) {
      double sum = 0;
      for (std::size_t i = 0; i < source.size(); ++i) sum += source[i] * shape[i];
      work.push_back(sum);
    }
    return work;
  }

  void take_sources(const LoadState& loads) {
    for (const HeatSource& source : heat_sources(loads)) {
      if (source.before) continue;
      ModalForce force;
      force.amplitude = source.amplitude;
      force.force = heat_of(source, setup_, loads, computing_.cpu.threads());
      force.on_modes = on_modes(force.force);
      loads_.forces.push_back(std::move(force));
    }
  }

  void take_prescribed(const LoadState& loads, Monitor& monitor) {
    std::set<std::pair<std::int32_t, bool>> patterns;
    for (const model::PrescribedValue& value : loads.prescribed()) {
      if (is_temperature(value) && value.value != 0) patterns.emplace(value.amplitude, value.imaginary);
    }
    if (patterns.empty()) return;
    const exec::Device& device = computing_.device;
    const auto capacity = field_.capacity(basis_.temperature);
    HeatSolver solver(field_.space(), computing_);
    solver.set(field_.assemble(*conduction_, monitor), monitor);
    for (const auto& [amplitude, imaginary] : patterns) {
      BaseShape base;
      base.amplitude = amplitude;
      base.imaginary = imaginary;
      base.shape = slowly_prescribed(loads, amplitude, imaginary, solver, monitor);
      // As in CalculiX what is kept between the prescribed and the free does not count.
      std::vector<double> inner = base.shape;
      const fem::Constraints& constraints = field_.space().constraints();
      for (std::size_t i = 0; i < inner.size(); ++i) {
        if (constraints.row(static_cast<std::int32_t>(i)).empty()) inner[i] = 0;
      }
      exec::Array<double> kept(device, field_.node_count());
      fem::FormOperator(capacity, field_.all_nodes()).apply(device, exec::Array<double>(device, inner), kept);
      base.on_modes = on_modes(kept.to_vector());
      loads_.bases.push_back(std::move(base));
    }
  }

  /// The steady temperatures of what is prescribed with one amplitude, [solid nodes].
  std::vector<double> slowly_prescribed(const LoadState& loads, std::int32_t amplitude, bool imaginary,
                                        HeatSolver& solver, Monitor& monitor) const {
    const exec::Device& device = computing_.device;
    const std::vector<double> nothing(static_cast<std::size_t>(setup_.model->mesh.node_count()), 0.0);
    std::vector<double> given = nothing;
    for (const model::PrescribedValue& value : loads.prescribed()) {
      if (is_temperature(value) && value.amplitude == amplitude && value.imaginary == imaginary)
        given[static_cast<std::size_t>(value.node)] = value.value;
    }
    const fem::Constraints constraints = temperature_constraints(
        setup_, loads, nothing,
        [&](const model::PrescribedValue& value) { return given[static_cast<std::size_t>(value.node)]; });
    exec::Array<double> temperature(
        device,
        constraints.expand(std::vector<double>(static_cast<std::size_t>(constraints.unknown_count()))));
    exec::Array<double> conducted(device, temperature.size());
    fem::FormOperator(conduction_, field_.all_nodes()).apply(device, temperature, conducted);
    const fem::DofMap& dofs = field_.dofs();
    exec::Array<double> right(device, dofs.size());
    exec::Array<double> correction(device, dofs.size());
    dofs.restrict_forces(device, column(std::as_const(conducted).view()), column(right.view()));
    const dynamics::StepSolve solved = solver.solve(device, right, correction, monitor);
    if (!solved.converged)
      throw Error(
          Fault::input,
          fmt::format("the temperatures that prescribed ones give slowly are not found: {}", solved.trouble),
          "choose another --solver");
    dofs.expand(device, column(std::as_const(correction).view()), column(conducted.view()));
    exec::axpy(device, -1.0, conducted, temperature);
    return temperature.to_vector();
  }

  const Setup& setup_;
  const Computing& computing_;
  const ModalBasis& basis_;
  Wanted wanted_;
  HeatField field_;
  std::shared_ptr<const fem::Form> conduction_;
};

/// Those of K and C that the members of a team have in parts. space: of the whole.
modes::Modes find_shared(const Setup& setup, const fem::Space& space, std::span<const double> temperature,
                         const modes::EigenSystem& system, const modes::Request& request,
                         const Computing& computing, Monitor& monitor) {
  const exec::Team& team = *computing.team;
  const auto parts = parts_for(space, team, computing.cpu, monitor);
  std::optional<Stage> stage(monitor.stage("assemble"));
  std::vector<std::optional<HeatField>> fields(static_cast<std::size_t>(team.size()));
  const auto assembled = [&](auto form_at) {
    return domains::DistributedMatrix(team, parts, [&](const exec::Member& member) {
      std::optional<HeatField>& own = fields[static_cast<std::size_t>(member.number())];
      if (!own) own.emplace(setup, member, computing.cpu, *parts, true);
      std::vector<double> at_nodes;
      for (const std::int32_t node : parts->nodes(member.number()))
        at_nodes.push_back(temperature[static_cast<std::size_t>(node)]);
      Monitor silent;
      return own->assemble(*std::invoke(form_at, *own, at_nodes), silent);
    });
  };
  const domains::DistributedMatrix k = assembled(&HeatField::conduction);
  const domains::DistributedMatrix c = assembled(&HeatField::capacity);
  fields.clear();
  stage.reset();
  return find_in_parts(*parts, space, k, c, system, request, computing, monitor);
}

/// The modes of what conducts and keeps heat at a temperature, [solid nodes].
modes::Modes find_modes(const Setup& setup, HeatField& field, const fem::Form& conduction,
                        std::span<const double> temperature, const modes::Request& request,
                        const Computing& computing, Monitor& monitor) {
  const fem::Space& space = field.space();
  modes::EigenSystem system;
  system.place = space.places();
  system.geometry = [&] { return space.amg_geometry(computing.cpu); };
  system.parts = [&] { return parts_of_blocks(setup, space.constraints(), space); };
  system.free = not_held(setup, space, {}).has_value();
  if (computing.team && obstacle_to_parts(setup, computing.team->size()).empty())
    return find_shared(setup, space, temperature, system, request, computing, monitor);
  std::optional<Stage> stage(monitor.stage("assemble"));
  const sparse::BlockCsr<double> k = field.assemble(conduction, monitor);
  const sparse::BlockCsr<double> c = field.assemble(*field.capacity(temperature), monitor);
  stage.reset();
  system.stiffness.assembled = &k;
  system.mass.assembled = &c;
  return find_whole(system, request, computing, monitor);
}

}  // namespace

model::ModeTable solve_heat_modes(const Setup& setup, const LoadState& loads, const model::Step& step,
                                  int number, double total_time, std::span<const double> temperature,
                                  const Computing& computing, const ModeSink& sink, Monitor& monitor,
                                  ModalBasis* basis) {
  const auto& procedure = std::get<model::FrequencyStep>(step.procedure);
  HeatField field(setup, computing, held(setup, loads), true);
  const fem::Constraints& constraints = field.space().constraints();
  require_unknowns(setup, procedure, constraints.unknown_count());
  const std::vector<double> at_nodes = on_solid_nodes(setup.solids, temperature);
  const auto conduction = field.conduction(at_nodes);
  const modes::Modes found = find_modes(setup, field, *conduction, at_nodes,
                                        requested_modes(procedure, computing), computing, monitor);
  refuse_fewer_modes(setup, procedure, found);

  const Stage stage = monitor.stage("shapes of modes");
  model::ModeTable table = table_of_modes(found, number);
  table.of_temperature = true;
  std::vector<std::vector<double>> shapes =
      expanded_shapes(constraints, found.shape, table.modes.size(), computing.cpu.threads());
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    model::Mode& mode = table.modes[j];
    fix_sign(shapes[j], mode.participation);
    mode.in_range = in_range(procedure, mode);
  }
  sink.table(table);
  const Wanted wanted = wanted_results(step);
  if (basis != nullptr) {
    basis->of_temperature = true;
    basis->temperature = at_nodes;
    basis->unknown_dofs.assign(constraints.unknown_dofs().begin(), constraints.unknown_dofs().end());
  }
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    const model::Mode& mode = table.modes[j];
    if (!mode.in_range) continue;
    model::Frame frame;
    frame.step = number;
    frame.time = total_time;
    frame.mode = mode;
    fill_heat_frame(setup, field, conduction, exec::Array<double>(computing.device, shapes[j]), wanted,
                    computing.cpu.threads(), frame);
    sink.shape(frame);
    if (basis == nullptr) continue;
    basis->modes.push_back(mode);
    basis->shapes.push_back(std::move(shapes[j]));
  }
  return table;
}

std::unique_ptr<const ModalField> temperatures_of_modes(const Setup& setup, const LoadState& loads,
                                                        const model::Step& step, const ModalBasis& basis,
                                                        const Computing& computing, Monitor& monitor) {
  return std::make_unique<Temperatures>(setup, loads, step, basis, computing, monitor);
}

}  // namespace setka::analysis
