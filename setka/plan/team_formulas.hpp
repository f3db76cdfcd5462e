// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "setka/plan/profile.hpp"

/// What conjugate gradients over several devices would take, from what their parts of a matrix move.
namespace setka::plan {

/// What one device has of a matrix whose rows are shared out.
struct TeamPart {
  double rows = 0;          // scalar ones
  double own_bytes = 0;     // of the columns of its own rows
  double beside_bytes = 0;  // of those of ghosts
  double ghosts = 0;        // values that come from others in a product
};

/// Devices of one kind.
struct TeamMachine {
  double memory = 1;   // bytes a second, of a copy
  double launch = 0;   // seconds of a kernel, with others before and after it
  Transfer link = {};  // between two of them
};

/// Seconds of an iteration with the diagonal as preconditioner, by what they go for.
struct TeamIteration {
  double matrix = 0;    // of the slowest device
  double vectors = 0;   //
  double launches = 0;  // of kernels
  double exchange = 0;  // what is seen of it: the rest passes behind the product with own columns
  double sums = 0;      // telling each other two sums

  double seconds() const { return matrix + vectors + launches + exchange + sums; }
};

/// Of the part that takes longest: the others wait for it.
TeamIteration cg_iteration(std::span<const TeamPart> parts, const TeamMachine& machine);

/// Of one part, alone or as one of several.
TeamIteration cg_iteration(const TeamPart& part, const TeamMachine& machine, bool several);

/// A part of a matrix of doubles in square blocks (sparse::BlockCsr) before it is there, from its counts.
struct BlockCounts {
  double rows = 0;      // block rows
  double own = 0;       // blocks in columns of these
  double boundary = 0;  // rows with blocks in columns of ghosts
  double beside = 0;    // these blocks
  double ghosts = 0;    // block rows of others that are read
};
TeamPart team_part(const BlockCounts& counts, int block);

}  // namespace setka::plan
