// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/solids.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/mesh/parts.hpp"
#include "setka/solve/null_space.hpp"

namespace setka::analysis {

/// Parts of the mesh that equations tie together, and that are not held.
struct FreeBody {
  std::vector<std::int32_t> parts;   // of mesh::Parts
  std::vector<std::string> motions;  // of the body as a whole, in words: "translation along x", "rotation
                                     // about y", "rotation about x and z"
  int loose = 0;                     // motions besides, of its parts against one another
  std::vector<solve::SparseVector> vectors;  // all of them, over the unknowns of the constraints
  bool checked = true;                       // false: it has too many parts; nothing is said of its motions
};

/// Bodies with more unknown motions than this are not looked into: the cost grows with its cube.
inline constexpr std::int32_t most_motions = 1200;

/// The bodies that constraints leave free to move as rigid ones, with the motions that are free. of_users:
/// constraints of what the user moves (Solids::user_dofs). springs: sums of displacements of the solids'
/// nodes that a spring among the elements holds. Empty: all are held.
std::vector<FreeBody> free_bodies(const mesh::Parts& parts, const Solids& solids,
                                  const fem::Constraints& of_users,
                                  std::span<const std::vector<fem::Term>> springs);

}  // namespace setka::analysis
