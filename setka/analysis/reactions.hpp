// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/exec/transport.hpp"
#include "setka/fem/constraints.hpp"

namespace setka::analysis {

/// Forces that hold an element at the displacements u of the solids' nodes; f: [3n]. Returns the energy of a
/// spring, 0 of others.
double element_forces(const Setup& setup, const ElementState& state, std::int32_t element,
                      const std::vector<double>& u, std::vector<double>& f);

/// All external forces, applied ones included, by the internal ones they balance: K u less what strains push;
/// [3 solid nodes]. together: processes that all call it, and compute a run of the elements each.
std::vector<double> external_forces(const Setup& setup, const ElementState& state,
                                    const std::vector<double>& u, const std::vector<double>& strain_forces,
                                    int threads, const exec::Transport* together = nullptr);

/// The same on the nodes of the mesh, [3 mesh nodes]: forces on a copy act on the node it stands for. f: [3
/// solid nodes]
std::vector<double> forces_on_mesh(const Setup& setup, std::vector<double> f);

/// The torques that turn the nodes of *MPC MEANROT, into the first direction of each node that stands for the
/// angle. external: [3 solid nodes]; released: constraints of the solids' nodes in which the angles are free;
/// forces: [3 mesh nodes].
void set_torques(const Setup& setup, const std::vector<double>& external, const std::vector<double>& applied,
                 const fem::Constraints& released, std::vector<double>& forces);

/// Adds to the reference nodes of rigid bodies and to those of their rotations the forces and moments of the
/// nodes that follow, as CalculiX does: applied ones included. forces: [3 mesh nodes]
void add_carried_forces(const Setup& setup, const LoadState& loads, std::vector<double>& forces);

}  // namespace setka::analysis
