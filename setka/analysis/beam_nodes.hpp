// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

namespace setka::analysis {

/// Nodes of the solid of a beam or truss, by end (0 and 1, 2 between) and place in the section: four corners,
/// then what is amid the four sides.
inline constexpr std::array<std::array<std::size_t, 2>, 20> beam_nodes{
    {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 3}, {1, 3}, {1, 2}, {0, 2}, {2, 0}, {1, 4},
     {2, 1}, {0, 4}, {2, 3}, {1, 6}, {2, 2}, {0, 6}, {0, 7}, {1, 7}, {1, 5}, {0, 5}}};

}  // namespace setka::analysis
