// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/fem/region.hpp"

namespace setka::fem {

/// [nodes] the place of each node along a Z-shaped curve through space, on which nodes of an element are
/// mostly near each other. Empty where they are about as near in the mesh's own order, as of meshes made in
/// layers.
///
/// Products with a matrix read the values of a node's neighbours: where a mesh has its corners first and the
/// nodes amid edges behind, as mesh generators number them, these come from all over the vectors.
std::vector<std::int32_t> order_along_curve(const Region& region);

}  // namespace setka::fem
