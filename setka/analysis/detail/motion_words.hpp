// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/base/dense.hpp"

namespace setka::analysis::detail {

/// Rigid motions, [6, count]: translations along x, y, z, then rotations about them; in words that tell them
/// apart: "translation along x", "rotation about x and z".
std::vector<std::string> in_words(Dense motions);

}  // namespace setka::analysis::detail
