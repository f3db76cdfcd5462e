// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/frequency.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/modal_system.hpp"
#include "setka/analysis/participation.hpp"
#include "setka/analysis/preload.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/reduced_start.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/element.hpp"
#include "setka/modes/find.hpp"

namespace setka::analysis {
namespace {

constexpr std::int32_t batch_of_forces = 1024;  // elements whose forces are in memory at a time

/// A mode has no sign of its own; ours has its largest displacement positive.
void fix_sign(std::vector<double>& shape, std::array<double, 6>& participation) {
  const auto largest = std::ranges::max_element(shape, {}, [](double value) { return std::abs(value); });
  if (largest == shape.end() || *largest >= 0) return;
  for (double& value : shape) value = value == 0 ? 0.0 : -value;
  for (double& factor : participation) factor = -factor;
}

/// Adds the forces on the undeformed element of what a preload changes in the stresses of du. x: [n, 3]
void add_preload_forces(const Setup& setup, const ElementState& state, std::int32_t e,
                        std::span<const double> x, std::span<const double> du, std::span<double> f) {
  const fem::Element type = setup.solids.type[static_cast<std::size_t>(e)];
  std::vector<double> before;
  std::vector<double> d;
  element_values(setup.solids, e, state.preload(), before);
  state.stiffness(e, d);
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  std::vector<double> strain(6 * points, 0.0);
  std::vector<double> stress(6 * points, 0.0);
  add_preload_strains(type, x, before, du, strain);
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) stress[6 * p + i] += d[36 * p + 6 * i + j] * strain[6 * p + j];
    }
  }
  std::vector<double> own(f.size());
  fem::internal_force(type, x, stress, own);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] += own[i];
}

/// Of one element under every shape, [shapes, 3n].
void element_forces(const Setup& setup, const ElementState& state,
                    const std::vector<std::vector<double>>& shapes, std::int32_t e, std::vector<double>& f) {
  thread_local std::vector<double> k;
  thread_local std::vector<double> x;
  thread_local std::vector<double> u;
  const std::size_t n = 3 * setup.solids.nodes(e).size();
  element_coordinates(setup.solids, e, x);
  k.assign(n * n, 0.0);
  state.element_matrix(e, k);
  f.assign(n * shapes.size(), 0.0);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    if (shapes[s].empty()) continue;
    element_values(setup.solids, e, shapes[s], u);
    const std::span<double> own = std::span(f).subspan(n * s, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) own[i] += k[i * n + j] * u[j];
    }
    if (!state.preload().empty() && !setup.is_spring(e)) add_preload_forces(setup, state, e, x, u, own);
  }
}

/// The forces of every shape's stresses on the nodes of the mesh, as CalculiX takes them: on the undeformed
/// body, and without the stresses of a preload. shapes: empty ones are left out.
std::vector<std::vector<double>> forces_of_shapes(const Setup& setup, const ElementState& state,
                                                  const std::vector<std::vector<double>>& shapes,
                                                  int threads) {
  std::vector<std::vector<double>> forces;
  forces.reserve(shapes.size());
  for (const auto& shape : shapes) forces.emplace_back(shape.size());
  std::vector<std::vector<double>> own(batch_of_forces);  // [elements of a batch] of [shapes, 3n]
  const std::int32_t elements = setup.solids.element_count();
  for (std::int32_t first = 0; first < elements; first += batch_of_forces) {
    const std::int32_t count = std::min(batch_of_forces, elements - first);
    exec::host::for_each(threads, count, 8, [&](std::int64_t i) {
      element_forces(setup, state, shapes, first + static_cast<std::int32_t>(i),
                     own[static_cast<std::size_t>(i)]);
    });
    // Each thread adds to shapes of its own, element after element.
    exec::host::for_each(threads, static_cast<std::int64_t>(shapes.size()), 1, [&](std::int64_t shape) {
      const auto s = static_cast<std::size_t>(shape);
      if (shapes[s].empty()) return;
      for (std::int32_t i = 0; i < count; ++i) {
        const auto nodes = setup.solids.nodes(first + i);
        const double* const f = own[static_cast<std::size_t>(i)].data() + 3 * nodes.size() * s;
        for (std::size_t d = 0; d < 3 * nodes.size(); ++d)
          forces[s][3 * static_cast<std::size_t>(nodes[d / 3]) + d % 3] += f[d];
      }
    });
  }
  for (auto& force : forces) {
    if (!force.empty()) force = forces_on_mesh(setup, std::move(force));
  }
  return forces;
}

/// Displacements of all nodes, a vector a mode. shapes: [unknowns, modes]
std::vector<std::vector<double>> expanded(const fem::Constraints& constraints, std::span<const double> shapes,
                                          std::size_t modes, int threads) {
  std::vector<std::vector<double>> u(modes);
  const std::int32_t dofs = constraints.dof_count();
  exec::host::for_each(threads, static_cast<std::int64_t>(modes), 1, [&](std::int64_t j) {
    u[static_cast<std::size_t>(j)].assign(static_cast<std::size_t>(dofs), 0.0);
  });
  exec::host::for_each(threads, dofs, exec::host::serial_below, [&](std::int64_t d) {
    for (const fem::Term& term : constraints.row(static_cast<std::int32_t>(d))) {
      const double* const of_modes = shapes.data() + static_cast<std::size_t>(term.index) * modes;
      for (std::size_t j = 0; j < modes; ++j)
        u[j][static_cast<std::size_t>(d)] += term.coefficient * of_modes[j];
    }
  });
  return u;
}

/// Whether CalculiX would show it; below a lower frequency it leaves out also what has none.
bool in_range(const model::FrequencyStep& procedure, const model::Mode& mode) {
  const double frequency = mode.frequency();
  return (procedure.least_frequency <= 0 || frequency >= procedure.least_frequency) &&
         frequency <= procedure.most_frequency;
}

modes::Request requested(const model::FrequencyStep& procedure, const Computing& computing) {
  modes::Request request;
  request.tolerance = computing.mode_tolerance.value_or(0);  // what suits the method
  request.max_iterations = computing.mode_iterations.value_or(request.max_iterations);
  request.count = procedure.modes;
  if (procedure.modes == 0) request.upper = std::pow(2 * std::numbers::pi * procedure.most_frequency, 2);
  return request;
}

/// An Error where no modes, or not as many as were asked for, exist.
void refuse_fewer(const Setup& setup, const model::FrequencyStep& procedure, const modes::Modes& found) {
  if (found.lambda.empty() && !found.converged) {
    throw Error(Fault::input, fmt::format("no modes are found: {}", found.trouble),
                "look for unknowns that nothing holds, and for materials without density");
  }
  if (found.converged && found.count() < procedure.modes) {
    throw Error(Fault::input,
                fmt::format("*FREQUENCY asks for {} modes, but the mass of the model allows {} only",
                            procedure.modes, found.count()),
                "ask for fewer modes", setup.model->source(procedure.line));
  }
}

}  // namespace

void require_density(const Setup& setup, std::string_view asked_by) {
  const model::Material* last = nullptr;
  bool heavy = false;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
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
  if (procedure.modes > unknowns) {
    throw Error(Fault::input,
                fmt::format("*FREQUENCY asks for {} modes, but the model has {} unknown{}", procedure.modes,
                            unknowns, unknowns == 1 ? "" : "s"),
                "ask for fewer modes", setup.model->source(procedure.line));
  }
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

  const modes::Request request = requested(procedure, computing);
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
  refuse_fewer(setup, procedure, found);

  const Stage stage = monitor.stage("shapes of modes");
  const int threads = computing.cpu.threads();
  preparing.emplace(monitor.stage("participation"));
  const Participation participation =
      participation_factors(setup, of_users, modal.space(), modal.mass(), found.shape, count, threads);
  model::ModeTable table;
  table.step = number;
  table.method = found.method;
  table.iterations = found.iterations;
  table.check = found.check_text;
  table.converged = found.converged;
  table.trouble = found.trouble;
  table.total_mass = participation.total_mass;
  if (reduced) table.reduction = worth_of(*reduced, found);
  table.modes.resize(count);
  preparing.reset();
  preparing.emplace(monitor.stage("at all nodes"));
  std::vector<std::vector<double>> shapes = expanded(constraints, found.shape, count, threads);
  exec::host::for_each(threads, static_cast<std::int64_t>(count), 1, [&](std::int64_t index) {
    const auto j = static_cast<std::size_t>(index);
    model::Mode& mode = table.modes[j];
    mode.number = static_cast<int>(j) + 1;
    mode.eigenvalue = found.lambda[j];
    mode.residual = found.residual[j];
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
      recover(setup, state, shapes[j], wanted, threads, frame, on_device.get());
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
