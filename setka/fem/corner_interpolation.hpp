// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/device.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/interpolation.hpp"

namespace setka::fem {

/// From the corners of second-order elements to all nodes, for multigrid: a node amid an edge moves as the
/// mean of the ends of the edge. Empty where there are no such nodes. Made for the modes of
/// Space::near_nullspace().
///
/// The unknowns of a block are kept when a corner moves with any of them, so that all corners, whatever their
/// constraints, move by kept unknowns alone. The others come nearest to the mean motions of the nodes that
/// move with them, each by itself; as directions that are held have no unknowns, they have no say either.
///
/// Where most such nodes are of tetrahedra, and the field is one of displacements, corners turn as well:
/// linear tetrahedra are far too stiff in bending, and a thin wall has one layer of them. A block of the
/// coarse level then has three rotations, in units of 1 / Space::length(), behind its three displacements,
/// and an edge bends between ends that turn, with the node amid it an eighth of the turn times the length off
/// the mean (the edges of Allman 1984). The springs of the interpolation hold ends together: a gap is what
/// their motions as rigid bodies make between them at the node amid the edge. An edge stays straight where
/// the turn of an end is not known: where it is held as in a hinge, or tied to several blocks by equations.
/// With three held corners of an element it is zero.
solve::Interpolation corner_interpolation(const Space& space, const exec::Device& cpu);

}  // namespace setka::fem
