// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "command_line.hpp"

namespace setka::app {

struct GridOptions {
  std::string file;
  bool go_on = false;
  bool check = false;
};

cli::App* add_grid_command(cli::App& cli, GridOptions& options);

/// setka grid CASE.toml: a problem on a grid as its case file tells it.
int run_grid(const GridOptions& options, const CommonOptions& common, const DeviceOptions& device,
             Monitor& monitor);

}  // namespace setka::app
