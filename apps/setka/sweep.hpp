// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "command_line.hpp"
#include "setka/cases/line_systems.hpp"

namespace setka::app {

struct SweepCommandOptions {
  std::string right;
  std::string lower, diagonal, upper;
  int axis = -1;
  bool periodic = false;
  bool check_dominance = false;
  std::string precision = "double";
  double tolerance = cases::LineSystems{}.tolerance;
  bool write_anyway = false;
  std::string output;  // empty: the right-hand side's name with -solution
};

cli::App* add_sweep_command(cli::App& cli, SweepCommandOptions& options);

/// setka sweep RIGHT.npy: the tridiagonal systems of all lines of an array.
int run_sweep(const SweepCommandOptions& options, const CommonOptions& common, const DeviceOptions& device,
              Monitor& monitor);

}  // namespace setka::app
