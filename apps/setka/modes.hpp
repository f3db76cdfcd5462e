// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "matrix_input.hpp"

namespace setka::app {

struct ModesOptions {
  std::string stiffness;
  std::string mass;
  std::int64_t count = -1;      // -1: not given
  double below = 0;             // cycles per time; 0: not given
  std::vector<double> between;  // two frequencies, or empty
  std::string method = "auto";
  double tolerance = 0;  // 0: what suits the method
  GeometryOptions geometry;
  std::string output;  // empty: shapes are not written
};

cli::App* add_modes_command(cli::App& cli, ModesOptions& options);

/// setka modes K.mtx -m M.mtx: natural frequencies of what is given by its stiffness and mass.
int find_modes(const ModesOptions& options, const CommonOptions& common, const DeviceOptions& device,
               Monitor& monitor);

}  // namespace setka::app
