// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "command_line.hpp"
#include "matrix_input.hpp"

namespace setka::app {

struct SolveOptions {
  std::string matrix;
  std::string rhs;  // empty: ones
  GeometryOptions geometry;
  std::string output;  // empty: the answer is not written
  SolverOptions solver;
};

cli::App* add_solve_command(cli::App& cli, SolveOptions& options);

/// setka solve A.mtx: a system that is given by its matrix.
int solve_matrix(const SolveOptions& options, const CommonOptions& common, const DeviceOptions& device,
                 Monitor& monitor);

}  // namespace setka::app
