// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <vector>

namespace setka::analysis {

/// The mean rotation of points about an axis through their centre, linear in their displacements: its
/// coefficients, [points, 3]. Each point turns by its displacement against the mean one, across the axis,
/// over its distance from the axis; points on the axis have no turn and do not count. x: [points, 3]; axis:
/// any length. Empty when the axis has no length or all points lie on it.
std::vector<double> mean_rotation(std::span<const double> x, std::array<double, 3> axis);

}  // namespace setka::analysis
