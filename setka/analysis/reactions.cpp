// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/reactions.hpp"

#include <cstddef>

#include "setka/analysis/element_batches.hpp"
#include "setka/analysis/element_run.hpp"

namespace setka::analysis {

double element_forces(const Setup& setup, const ElementState& state, std::int32_t element,
                      const std::vector<double>& u, std::vector<double>& f) {
  thread_local std::vector<double> own;
  thread_local std::vector<double> x;
  thread_local std::vector<double> k;
  element_values(setup.solids, element, u, own);
  f.assign(own.size(), 0.0);
  if (setup.is_spring(element)) {
    element_coordinates(setup.solids, element, x);
    return state.spring(element).force(x, own, f);
  }
  k.assign(own.size() * own.size(), 0.0);
  state.element_matrix(element, k);
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t j = 0; j < own.size(); ++j) f[i] += k[i * own.size() + j] * own[j];
  }
  return 0;
}

std::vector<double> external_forces(const Setup& setup, const ElementState& state,
                                    const std::vector<double>& u, const std::vector<double>& strain_forces,
                                    int threads, const exec::Transport* together) {
  const ElementRun run = ElementRun::of(setup, together);
  std::vector<double> f(u.size(), 0.0);
  if (together == nullptr || together->number() == 0) {
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = -strain_forces[i];
  }
  sum_over_elements(
      threads, run.count(),
      [&](std::int32_t of_run, std::vector<double>& own) {
        element_forces(setup, state, run.first + of_run, u, own);
      },
      [&](std::int32_t of_run, const std::vector<double>& own, const NodeShare& share) {
        const auto nodes = setup.solids.nodes(run.first + of_run);
        for (std::size_t i = 0; i < own.size(); ++i) {
          if (share.has(nodes[i / 3])) f[3 * static_cast<std::size_t>(nodes[i / 3]) + i % 3] += own[i];
        }
      });
  run.collect(f);
  return f;
}

std::vector<double> forces_on_mesh(const Setup& setup, std::vector<double> f) {
  const auto mesh_nodes = static_cast<std::size_t>(setup.model->mesh.node_count());
  for (std::size_t i = 0; i < setup.solids.origin.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      f[3 * static_cast<std::size_t>(setup.solids.origin[i]) + k] += f[3 * (mesh_nodes + i) + k];
  }
  f.resize(3 * setup.result_nodes());
  return f;
}

void set_torques(const Setup& setup, const std::vector<double>& external, const std::vector<double>& applied,
                 const fem::Constraints& released, std::vector<double>& forces) {
  // What the constraints exert; its work on a unit angle is the torque. A torque that the user applies is at
  // the node of the angle and does not count among them.
  std::vector<double> exerted(external.size());
  for (std::size_t i = 0; i < exerted.size(); ++i) exerted[i] = external[i] - applied[i];
  for (const model::MeanRotation& rotation : setup.model->mean_rotations)
    exerted[3 * static_cast<std::size_t>(rotation.angle_node)] = 0;
  const std::vector<double> work = released.restrict_forces(exerted);
  for (const model::MeanRotation& rotation : setup.model->mean_rotations) {
    const auto angle = released.row(3 * rotation.angle_node);
    if (angle.size() == 1)
      forces[3 * static_cast<std::size_t>(rotation.angle_node)] =
          work[static_cast<std::size_t>(angle.front().index)];
  }
}

void add_carried_forces(const Setup& setup, const LoadState& loads, std::vector<double>& forces) {
  // What a unit along an unknown of a node is in global components.
  const auto component = [&](std::int32_t dof, std::size_t direction) {
    const std::size_t row = static_cast<std::size_t>(dof - dof % 3) + direction;
    if (setup.solids.rows.empty()) return static_cast<std::size_t>(dof) == row ? 1.0 : 0.0;
    for (const fem::Term& term : setup.solids.rows[row]) {
      if (term.index == dof) return term.coefficient;
    }
    return 0.0;
  };
  const auto dof_of = [](const model::EquationTerm& term) { return 3 * term.node + term.direction - 1; };
  std::vector<double> carried(forces.size(), 0.0);
  const std::vector<model::Equation>& equations = setup.model->equations;
  for (std::size_t e = 0; e < equations.size(); ++e) {
    if (!equations[e].carries || !loads.has_equation(e)) continue;
    const std::vector<model::EquationTerm>& terms = equations[e].terms;
    const auto first = 3 * static_cast<std::size_t>(terms.front().node);
    double force = 0;  // along the direction that follows
    for (std::size_t k = 0; k < 3; ++k) force += component(dof_of(terms.front()), k) * forces[first + k];
    for (std::size_t t = 1; t < terms.size(); ++t) {
      const double share = -terms[t].coefficient / terms.front().coefficient * force;
      for (std::size_t k = 0; k < 3; ++k)
        carried[3 * static_cast<std::size_t>(terms[t].node) + k] += share * component(dof_of(terms[t]), k);
    }
  }
  for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += carried[i];
}

}  // namespace setka::analysis
