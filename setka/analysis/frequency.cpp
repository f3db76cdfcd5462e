// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/frequency.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/eigen.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/participation.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/preload.hpp"

namespace setka::analysis {
namespace {

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
  const mesh::ElementType type = setup.solids.type[static_cast<std::size_t>(e)];
  std::vector<double> before;
  std::vector<double> d;
  element_values(setup.solids, e, state.preload(), before);
  state.stiffness(e, d);
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  std::vector<double> strain(6 * points, 0.0);
  std::vector<double> stress(6 * points, 0.0);
  fem::add_preload_strains(type, x, before, du, strain);
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) stress[6 * p + i] += d[36 * p + 6 * i + j] * strain[6 * p + j];
    }
  }
  std::vector<double> own(f.size());
  fem::internal_force(type, x, stress, own);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] += own[i];
}

/// The forces of every shape's stresses on the nodes of the mesh, as CalculiX takes them: on the undeformed
/// body, and without the stresses of a preload. shapes: empty ones are left out.
std::vector<std::vector<double>> forces_of_shapes(const Setup& setup, const ElementState& state,
                                                  const std::vector<std::vector<double>>& shapes) {
  std::vector<std::vector<double>> forces;
  forces.reserve(shapes.size());
  for (const auto& shape : shapes) forces.emplace_back(shape.size());
  std::vector<double> k;
  std::vector<double> x;
  std::vector<double> u;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    const auto nodes = setup.solids.nodes(e);
    const std::size_t n = 3 * nodes.size();
    element_coordinates(setup.solids, e, x);
    k.assign(n * n, 0.0);
    state.element_matrix(e, k);
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      if (shapes[s].empty()) continue;
      element_values(setup.solids, e, shapes[s], u);
      std::vector<double> f(n, 0.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) f[i] += k[i * n + j] * u[j];
      }
      if (!state.preload().empty() && !setup.is_spring(e)) add_preload_forces(setup, state, e, x, u, f);
      for (std::size_t i = 0; i < n; ++i)
        forces[s][3 * static_cast<std::size_t>(nodes[i / 3]) + i % 3] += f[i];
    }
  }
  for (auto& force : forces) {
    if (!force.empty()) force = forces_on_mesh(setup, std::move(force));
  }
  return forces;
}

/// Whether CalculiX would show it; below a lower frequency it leaves out also what has none.
bool in_range(const model::FrequencyStep& procedure, const model::Mode& mode) {
  const double frequency = mode.frequency();
  return (procedure.least_frequency <= 0 || frequency >= procedure.least_frequency) &&
         frequency <= procedure.most_frequency;
}

}  // namespace

void check_frequency(const Setup& setup, const model::Step& step, std::int32_t unknowns) {
  const auto& procedure = std::get<model::FrequencyStep>(step.procedure);
  if (procedure.modes > unknowns) {
    throw Error(Fault::input,
                fmt::format("*FREQUENCY asks for {} modes, but the model has {} unknown{}", procedure.modes,
                            unknowns, unknowns == 1 ? "" : "s"),
                "ask for fewer modes", setup.model->source(procedure.line));
  }
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (setup.is_spring(e) || setup.section_of[static_cast<std::size_t>(e)] < 0) continue;
    const model::Material& material = setup.material(e);
    if (!material.density.empty()) continue;
    throw Error(Fault::input,
                fmt::format("material {} has no density, which *FREQUENCY needs", material.name),
                "add *DENSITY", setup.model->source(material.line));
  }
}

model::ModeTable solve_frequency(const Setup& setup, const LoadState& loads, const model::Step& step,
                                 int number, double total_time, const Preload* preload,
                                 const Computing& computing, const ModeSink& sink, Monitor& monitor) {
  const auto& procedure = std::get<model::FrequencyStep>(step.procedure);
  ElementState state(
      setup, preload != nullptr ? std::span<const double>(preload->temperature) : std::span<const double>());
  state.leave_out_free_strains();
  if (preload != nullptr) state.set_preload(preload->displacements);

  const fem::Constraints of_users = user_constraints(setup, loads, 1, total_time).homogeneous();
  std::optional<fem::Constraints> of_solids;
  if (!setup.solids.rows.empty()) of_solids = of_users.compose(setup.solids.rows);
  const fem::Constraints& constraints = of_solids ? *of_solids : of_users;
  check_frequency(setup, step, constraints.unknown_count());

  const fem::ElementMatrix stiffness = modal_stiffness(setup, state, step, preload);
  const fem::BlockNumbering numbering = fem::number_blocks(constraints);
  const auto assembled = [&](const fem::ElementMatrix& matrix) {
    return fem::over_unknowns(
        fem::assemble(setup.solids, constraints, numbering, matrix, computing.cpu, monitor).matrix,
        numbering);
  };
  const sparse::SymmetricCsr k = assembled(stiffness);
  const sparse::SymmetricCsr m = assembled(modal_mass(setup, state));

  const FoundModes found = lowest_modes(k, m, procedure.modes, monitor);
  const std::size_t count = found.lambda.size();
  if (count < static_cast<std::size_t>(procedure.modes)) {
    throw Error(Fault::input,
                fmt::format("*FREQUENCY asks for {} modes, but the mass of the model allows {} only",
                            procedure.modes, count),
                "ask for fewer modes", setup.model->source(procedure.line));
  }
  const Stage stage = monitor.stage("shapes of modes");
  Participation participation = participation_factors(setup, of_users, m, found.shapes, count);
  model::ModeTable table;
  table.step = number;
  table.method = found.method;
  table.check = found.check;
  table.converged = found.converged;
  table.total_mass = participation.total_mass;
  std::vector<std::vector<double>> shapes(count);
  std::vector<double> q(static_cast<std::size_t>(constraints.unknown_count()));
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = found.shapes[i * count + j];
    shapes[j] = constraints.expand(q);
    model::Mode& mode = table.modes.emplace_back();
    mode.number = static_cast<int>(j) + 1;
    mode.eigenvalue = found.lambda[j];
    mode.residual = found.residual[j];
    mode.participation = participation.factors[j];
    fix_sign(shapes[j], mode.participation);
    mode.in_range = in_range(procedure, mode);
    if (!mode.in_range) shapes[j].clear();
  }
  sink.table(table);

  const Wanted wanted = wanted_results(step);
  std::vector<std::vector<double>> forces;
  if (wanted.at_nodes.contains("RF")) forces = forces_of_shapes(setup, state, shapes);
  for (std::size_t j = 0; j < count; ++j) {
    if (!table.modes[j].in_range) continue;
    model::Frame frame;
    frame.step = number;
    frame.time = total_time;
    frame.mode = table.modes[j];
    recover(setup, state, shapes[j], wanted, computing.cpu.threads(), frame);
    if (!forces.empty()) frame.node_fields.push_back({"RF", 3, std::move(forces[j])});
    sink.shape(frame);
  }
  return table;
}

}  // namespace setka::analysis
