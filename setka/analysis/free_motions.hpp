// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/fem/constraints.hpp"

namespace setka::analysis {

/// A body that is not held: "the model is not held: free to move by translation along x", "the part with
/// element 17 (8 elements) is not held: ...".
struct FreeMotion {
  std::string text;
  bool certain = true;  // false: the body has too many parts to say
};

/// What constraints of what the user moves leave free to move as rigid bodies. Empty: all is held.
std::vector<FreeMotion> free_motions(const Setup& setup, const fem::Constraints& of_users);

}  // namespace setka::analysis
