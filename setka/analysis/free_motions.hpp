// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/solve/null_space.hpp"

namespace setka::analysis {

/// A body that is not held: "the model is not held: free to move by translation along x", "the part with
/// element 17 (8 elements) is not held: ...".
struct FreeMotion {
  std::string text;
  bool certain = true;                       // false: the body has too many parts to say
  std::vector<solve::SparseVector> vectors;  // over the unknowns
};

/// What constraints of what the user moves leave free to move as rigid bodies. Empty: all is held.
std::vector<FreeMotion> free_motions(const Setup& setup, const fem::Constraints& of_users);

/// Whether forces on the solids' nodes, [3 nodes], do work in a motion of the unknowns: more than a millionth
/// of what they would do if they all acted along it. constraints: of the solids.
bool drives(const fem::Constraints& constraints, const std::vector<double>& forces,
            const solve::SparseVector& motion);

}  // namespace setka::analysis
