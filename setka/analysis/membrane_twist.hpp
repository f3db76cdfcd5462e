// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setka/mesh/mesh.hpp"

namespace setka::analysis {

/// How the sections of a membrane's element may move against its nodes although no point of integration
/// notices: [nodes] by how much what is above gets ahead of what is below, along the surface. M3D3, with one
/// point over its triangle, twists about its normal; M3D8R, with 2 x 2, as the hourglass of its eight nodes.
/// Empty: all others notice everything. Where elements share their sections, as shells do, others hold them.
std::vector<std::array<double, 3>> membrane_twist(const mesh::Mesh& mesh, std::int32_t element);

}  // namespace setka::analysis
