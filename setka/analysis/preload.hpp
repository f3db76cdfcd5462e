// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "setka/fem/elements.hpp"

namespace setka::analysis {

/// Adds to the stiffness of a solid what a preload changes in it, as CalculiX does in perturbation steps: the
/// tangent of the total Lagrangian formulation at the displacements u and the stresses there, less that at
/// rest. Internal modes of C3D8I and the hourglass resistance of C3D8R do not feel the preload.
///
/// x, u: [n, 3]; stress: [p, 6]; d: [p, 36]; k: [3n, 3n].
void add_preload(fem::Element type, std::span<const double> x, std::span<const double> u,
                 std::span<const double> stress, std::span<const double> d, std::span<double> k);

/// Adds what stresses do when their material turns: the integral of grad v_c . stress grad u_c, summed over
/// the components. x: [n, 3]; stress: [p, 6]; k: [3n, 3n].
void add_stress_stiffness(fem::Element type, std::span<const double> x, std::span<const double> stress,
                          std::span<double> k);

/// Adds to the strains of small displacements du what the preload's displacements u change in them, Green's
/// strains linearised about the preload less those about rest. e: [p, 6], engineering shear.
void add_preload_strains(fem::Element type, std::span<const double> x, std::span<const double> u,
                         std::span<const double> du, std::span<double> e);

}  // namespace setka::analysis
