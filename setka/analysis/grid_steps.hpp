// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/heat_steps.hpp"
#include "setka/io/grid_case.hpp"

namespace setka::analysis {

/// What a run on a grid came to.
struct GridSummary {
  std::int64_t first_step = 0;  // where it began: of an earlier run that was continued
  std::int64_t steps = 0;
  double time = 0;
  double least = 0;
  double largest = 0;
  double total = 0;         // the sum of u times the volume of a cell
  double step_seconds = 0;  // one step, on average, output left out
  std::vector<std::filesystem::path> files;
};

/// The case in the order of the grid's arrays, slowest axis first. Reads the files of its fields.
grid::HeatProblem heat_problem(const io::GridCase& grid);

/// All steps of a case in time, with its output beside it. Throws Error(Fault::interrupted) after a signal,
/// when a checkpoint is written; with `go_on` it begins there.
GridSummary run_grid_steps(const io::GridCase& grid, const exec::Device& device, bool go_on,
                           Monitor& monitor);

}  // namespace setka::analysis
