// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/cases/grid_model.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/grid/stationary.hpp"
#include "setka/io/grid_case.hpp"

namespace setka::cases {

struct GridStationarySummary : GridOutcome {
  bool converged = false;
  std::string way;           // "all of the grid on the device", "pyramids of height 20, ..."
  double sweep_seconds = 0;  // one sweep, on average; `seconds` has transfers to the device and back as well
};

/// The case in the order of arrays. Throws Error(Fault::input) with file and line where a case has what the
/// stationary schemes cannot: sides other than Dirichlet, other than uniform diffusivity, reactions.
grid::StationaryHeat stationary_heat(const model::GridCase& grid);

/// The relaxation of the case, or the scheme's own.
double relaxation_of(const model::GridCase& grid);

/// Memory of the device that the case may take: what it says, but no more than is free.
std::uint64_t memory_of(const model::GridCase& grid, const exec::Device& device);

/// Of each of several.
std::uint64_t memory_of(const model::GridCase& grid, const std::vector<exec::Device>& devices);

/// The pyramids that the case asks for by their height or planes; none: it leaves them to the plan.
std::optional<grid::PyramidLayout> asked_pyramid(const model::GridCase& grid,
                                                 const grid::StationaryHeat& heat, std::uint64_t memory);

/// u: what the sides prescribe on them, the initial values inside. Sweeps until the tolerance of the case is
/// met or its sweeps are made, with the grid on the devices or, where it does not fit, in pyramids. Where it
/// has not converged the checkpoint is all that is written. After a signal it stops within some
/// hundred sweeps and writes a checkpoint; with `go_on` it begins there, with any number of devices.
GridStationarySummary run_grid_stationary(const model::GridCase& grid,
                                          const std::vector<exec::Device>& devices, bool go_on,
                                          Monitor& monitor);

}  // namespace setka::cases
