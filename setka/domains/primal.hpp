// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/domains/part_matrices.hpp"
#include "setka/domains/substructure.hpp"

namespace setka::domains {

/// Means of the field over a piece of the interface, in which all parts shall agree: one row a mean, rows
/// orthonormal. For elasticity these are the six rigid motions of a face, five of a straight edge, and the
/// three displacements of a corner.
struct PrimalClass {
  std::vector<std::int32_t> unknown;  // numbers in the interface, ascending
  std::int32_t count = 0;             // of means
  std::vector<double> value;          // [count, unknowns]
  std::int32_t first = 0;             // number of its first mean among all
};

/// The interface in faces, edges and corners: unknowns of the same parts that hang together in each of them.
/// Of the near-nullspace, [scalar rows, modes], what depends on other modes there is left out.
std::vector<PrimalClass> primal_classes(std::span<const PartMatrix> parts, const Interface& interface,
                                        std::span<const double> mode, int modes, int threads);

}  // namespace setka::domains
