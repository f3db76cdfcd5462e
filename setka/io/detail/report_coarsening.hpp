// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/mesh/mesh.hpp"

namespace setka::io::detail {

/// Makes nodes that are near one another one, the one nearest to the middle of their box, until no more than
/// so many triangles are left; those that shrink to lines go, and of several alike one stays. lists: of
/// triangles, [n, 3] nodes each. Returns [nodes] the node that each became.
std::vector<std::int32_t> coarsen_triangles(const mesh::Mesh& mesh,
                                            std::span<std::vector<std::int32_t>* const> lists,
                                            std::int64_t most_triangles);

}  // namespace setka::io::detail
