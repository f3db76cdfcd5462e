// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/fem/block_numbering.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/solids.hpp"
#include "setka/solve/amg.hpp"

namespace setka::fem {

/// From the corners of second-order elements to all nodes, for multigrid: a node amid an edge moves as the
/// mean of the ends of the edge. Empty where there are no such nodes.
///
/// The unknowns of a block are kept when a corner moves with any of them, so that all corners, whatever their
/// constraints, move by kept unknowns alone. The others come nearest to the mean motions of the nodes that
/// move with them, each by itself; as directions that are held have no unknowns, they have no say either.
solve::Interpolation corner_interpolation(const Solids& solids, const Constraints& constraints,
                                          const BlockNumbering& numbering);

}  // namespace setka::fem
