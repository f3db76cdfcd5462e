// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/forces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/core.h>

#include "setka/analysis/attraction.hpp"
#include "setka/analysis/section_rotations.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/element.hpp"

namespace setka::analysis {
namespace {

void scatter(std::span<const std::int32_t> nodes, std::span<const double> f, std::vector<double>& total) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) total[3 * static_cast<std::size_t>(nodes[i]) + k] += f[3 * i + k];
  }
}

/// A user's force on a node acts along the node's own axes, on its share of the body.
void add_point_load(const Setup& setup, const model::PointLoad& load, double value,
                    std::vector<double>& applied) {
  const auto node = static_cast<std::size_t>(load.node);
  if (const ExpandedNode* expanded = setup.solids.expanded_node(load.node)) {
    const std::array<double, 3> axis = setup.solids.axis_of(load.node, (load.direction - 1) % 3);
    if (load.direction > 3) {
      add_moment(setup.solids, *expanded, axis, value, applied);
      return;
    }
    add_middle_force(*expanded, axis, value, applied);
  }
  value *= setup.solids.force_share[node];
  const std::int32_t v = 3 * load.node + load.direction - 1;
  if (setup.solids.rows.empty()) {
    applied[static_cast<std::size_t>(v)] += value;
    return;
  }
  // Through the node itself: its rows hold its axes. The node of a plane element carries no stiffness of its
  // own when the element is linear, but it moves with the layers, so the work is the same.
  for (std::size_t i = 0; i < 3; ++i) {
    for (const fem::Term& term : setup.solids.rows[3 * node + i]) {
      if (term.index == v) applied[3 * node + i] += term.coefficient * value;
    }
  }
}

/// Force per volume at the integration points, [points, 3].
void add_volume_load(const Setup& setup, const model::DistributedLoad& load, std::int32_t element,
                     double value, double density, std::vector<double>& applied) {
  const fem::Element type = setup.solids.type[static_cast<std::size_t>(element)];
  const auto points = static_cast<std::size_t>(fem::point_count(type));
  std::vector<double> x;
  element_coordinates(setup.solids, element, x);
  std::vector<double> force(3 * points);
  if (load.kind == model::DistributedKind::gravity) {
    for (std::size_t p = 0; p < points; ++p) {
      for (std::size_t k = 0; k < 3; ++k) force[3 * p + k] = density * value * load.direction[k];
    }
  } else {
    std::vector<double> at(3 * points);
    fem::point_coordinates(type, x, at);
    for (std::size_t p = 0; p < points; ++p) {
      std::array<double, 3> arm{};
      double along = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        arm[k] = at[3 * p + k] - load.point[k];
        along += arm[k] * load.direction[k];
      }
      for (std::size_t k = 0; k < 3; ++k)
        force[3 * p + k] = density * value * (arm[k] - along * load.direction[k]);
    }
  }
  std::vector<double> f(x.size());
  fem::body_force(type, x, force, f);
  scatter(setup.solids.nodes(element), f, applied);
}

/// Of a MASS element; springs have none.
void add_mass_load(const Setup& setup, const model::DistributedLoad& load, double value,
                   std::vector<double>& applied) {
  const double mass = setup.spring_section(load.element).mass;
  if (mass == 0 || load.kind == model::DistributedKind::pressure) return;
  std::vector<double> x;
  element_coordinates(setup.solids, load.element, x);
  std::array<double, 3> f{};
  double along = 0;
  for (std::size_t k = 0; k < 3; ++k) along += (x[k] - load.point[k]) * load.direction[k];
  for (std::size_t k = 0; k < 3; ++k) {
    f[k] = load.kind == model::DistributedKind::gravity
               ? mass * value * load.direction[k]
               : mass * value * (x[k] - load.point[k] - along * load.direction[k]);
  }
  scatter(setup.solids.nodes(load.element), f, applied);
}

void add_distributed_load(const Setup& setup, const model::DistributedLoad& load, double value,
                          const ElementState& state, std::vector<double>& applied) {
  if (setup.is_spring(load.element)) {
    add_mass_load(setup, load, value, applied);
    return;
  }
  if (load.kind != model::DistributedKind::pressure) {
    add_volume_load(setup, load, load.element, value, state.density(load.element), applied);
    const auto [first, last] = setup.solids.further_parts(load.element);
    for (std::int32_t part = first; part < last; ++part)
      add_volume_load(setup, load, part, value, state.density(part), applied);
    return;
  }
  const auto nodes = setup.solids.loaded_nodes(load.element);
  std::vector<double> x;
  loaded_coordinates(setup.solids, load.element, x);
  std::vector<double> f(x.size());
  const int face = load.face + setup.solids.first_face[static_cast<std::size_t>(load.element)];
  fem::face_pressure(setup.solids.loaded_type(load.element), face, x, value, f);
  scatter(nodes, f, applied);
}

/// Forces that hold the stress an element has without strain; false when it has none.
bool strain_forces(const Setup& setup, const ElementState& state, std::int32_t element,
                   std::vector<double>& f) {
  thread_local std::vector<double> d;
  thread_local std::vector<double> stress;
  if (!state.has_strainless_stress(element)) return false;
  state.stiffness(element, d);
  if (!state.strainless_stress(element, d, stress)) return false;
  std::vector<double> x;
  element_coordinates(setup.solids, element, x);
  f.assign(x.size(), 0.0);
  fem::internal_force(setup.solids.type[static_cast<std::size_t>(element)], x, stress, f, d);
  for (double& value : f) value = -value;
  return true;
}

}  // namespace

std::vector<double> applied_forces(const Setup& setup, const LoadState& loads, const ElementState& state,
                                   const LoadFactor& factor, std::span<const double> moved) {
  std::vector<double> applied(setup.solids.coordinates.size(), 0.0);
  for (const model::PointLoad& load : loads.point_loads()) {
    const double by = factor(load.amplitude, load.imaginary);
    if (by != 0) add_point_load(setup, load, load.value * by, applied);
  }
  for (const model::DistributedLoad& load : loads.distributed_loads()) {
    const double by = factor(load.amplitude, load.imaginary);
    if (by != 0 && load.kind != model::DistributedKind::attraction)
      add_distributed_load(setup, load, load.value * by, state, applied);
  }
  if (has_attraction(loads)) add_attraction(setup, loads, state, factor, moved, applied);
  return applied;
}

Forces forces_at(const Setup& setup, const LoadState& loads, const ElementState& state, double step_time,
                 double total_time) {
  Forces forces;
  forces.applied = applied_forces(setup, loads, state, [&](std::int32_t amplitude, bool) {
    return loads.factor(amplitude, step_time, total_time);
  });
  forces.strains.assign(setup.solids.coordinates.size(), 0.0);
  std::vector<double> f;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (strain_forces(setup, state, e, f)) scatter(setup.solids.nodes(e), f, forces.strains);
  }
  return forces;
}

bool has_thermal_strains(const Setup& setup, const LoadState& loads) {
  return !loads.temperatures().empty() &&
         std::ranges::any_of(setup.model->materials,
                             [](const model::Material& material) { return !material.expansion.empty(); });
}

}  // namespace setka::analysis
