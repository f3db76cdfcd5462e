// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/cases/grid_model.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/heat_steps.hpp"
#include "setka/io/grid_case.hpp"

namespace setka::cases {

/// What steps in time came to.
struct GridSummary : GridOutcome {
  double time = 0;
  double total = 0;  // the sum of u times the volume of a cell
};

/// Nothing of a stationary case.
std::optional<grid::HeatScheme> heat_scheme(model::GridScheme scheme);

/// The case in the order of the grid's arrays, slowest axis first. Reads the files of its fields.
grid::HeatProblem heat_problem(const model::GridCase& grid);

/// All steps of a case in time, on one device or several as HeatSteps shares them out, with its output beside
/// it. After a signal it stops between two steps and writes a checkpoint; with `go_on` it begins there, with
/// any number of devices.
GridSummary run_grid_steps(const model::GridCase& grid, const std::vector<exec::Device>& devices, bool go_on,
                           Monitor& monitor);

}  // namespace setka::cases
