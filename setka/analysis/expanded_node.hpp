// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace setka::analysis {

/// A node of shells, membranes or beams, and what it became (expansion.hpp). v are numbers of what the user
/// moves.
struct ExpandedNode {
  std::int32_t node = -1;
  std::array<double, 3> normal{};     // of the shell; of others zero
  std::int32_t knot = -1;             // first of the three v of the rotations of a knot; -1: it is none
  std::int32_t knot_widths = 0;       // v that widen a knot: those after its rotations
  std::vector<std::int32_t> turning;  // copies whose mean rotation is the node's
  bool hinged = false;  // of membranes alone, which turn each by itself: turning has what is below and above
                        // of each element, as many times as there are elements
  std::vector<std::int32_t> hinged_middles;  // copies amid them that count in the displacement of the node
  std::int32_t middle = -1;     // the copy amid the thickness at a shell's corner, where it has one
  std::int32_t middle_v = -1;   // first of its three v; of a knot none, and none of several membranes
  std::int32_t leaning_v = -1;  // first of the nine v of the corners of a beam's section
  std::array<std::int32_t, 4> sides_v{-1, -1, -1, -1};  // first of the three v of the copy amid each side
};

}  // namespace setka::analysis
