// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/fem/constraints.hpp"
#include "setka/fem/solids.hpp"

namespace setka::fem {

/// Where the unknowns stand in vectors and matrices made of blocks of three, one block a node. Every node
/// that has an unknown has a whole block; the places of its constrained directions hold zeros and couple to
/// nothing, so that solvers see blocks of one size.
struct BlockNumbering {
  std::int32_t blocks = 0;
  std::vector<std::int32_t> place;  // [unknowns] 3 block + direction; ascending, unless nodes were ordered

  std::int64_t size() const { return 3 * std::int64_t{blocks}; }

  /// From values of the unknowns to a vector of blocks, and back.
  std::vector<double> spread(std::span<const double> q) const;
  std::vector<double> collect(std::span<const double> blocked) const;
};

/// order: [nodes] places of nodes among each other, as of order_along_curve(); empty: as they are numbered.
/// Nodes beyond come last.
BlockNumbering number_blocks(const Constraints& constraints, std::span<const std::int32_t> order = {});

/// Half of the longest side of the box about the model, 1 for a point: the unit of lengths in rotations.
double size_of(const Solids& solids);

/// What multigrid has to know, [places, 6] row-major and [blocks, 3]: the six rigid motions as vectors of
/// blocks, and where the blocks are. Rotations are about the middle of the model, in units of 1 / size_of().
/// Where constraints forbid a motion it is the nearest one they allow.
struct RigidModes {
  std::vector<double> modes;
  std::vector<double> coordinates;
};
RigidModes rigid_modes(const Solids& solids, const Constraints& constraints, const BlockNumbering& numbering);

}  // namespace setka::fem
