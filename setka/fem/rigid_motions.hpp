// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/fem/constraints.hpp"
#include "setka/fem/solids.hpp"

namespace setka::fem {

/// The rigid motions of the body as a whole that its constraints leave free, in words: "translation along x",
/// "rotation about y", "rotation about x and z". Parts that hang together by nothing are not told apart.
std::vector<std::string> free_rigid_motions(const Solids& solids, const Constraints& constraints);

}  // namespace setka::fem
