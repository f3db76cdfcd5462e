// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/fem/constraints.hpp"

namespace setka::analysis {

/// Displacements of all nodes, a vector a mode. shapes: [unknowns, modes]
std::vector<std::vector<double>> expanded_shapes(const fem::Constraints& constraints,
                                                 std::span<const double> shapes, std::size_t modes,
                                                 int threads);

/// The forces of every shape's stresses on the nodes of the mesh, as CalculiX takes them: on the undeformed
/// body, and without the stresses of a preload. shapes: empty ones are left out.
std::vector<std::vector<double>> forces_of_shapes(const Setup& setup, const ElementState& state,
                                                  const std::vector<std::vector<double>>& shapes,
                                                  int threads);

}  // namespace setka::analysis
