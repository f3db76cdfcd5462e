// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"

namespace setka::analysis {

/// The sectors that loads of sums of modes act on, from 1, ascending.
std::vector<int> loaded_sectors(const LoadState& loads);

/// The loads of one sector as it sees them, turned back by so many angles (radians) to where the mesh is.
/// Forces, moments, gravity and centrifugal loads are given in the axes of the whole; pressures, and forces
/// along cylindrical axes of *TRANSFORM, are the sector's own.
LoadState loads_of_sector(const Setup& setup, const LoadState& loads, int sector, double angle);

}  // namespace setka::analysis
