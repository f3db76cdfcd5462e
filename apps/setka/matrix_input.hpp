// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli.hpp"
#include "setka/base/monitor.hpp"
#include "setka/io/input_files.hpp"
#include "setka/io/matrix_market.hpp"

/// What the commands that take matrices have in common.
namespace setka::app {

/// --coordinates and --block, of which multigrid makes the rigid motions.
void add_places_options(cli::App& command, std::string& coordinates, int& block);

/// [block rows, 3], and the size of blocks that they mean.
struct Places {
  std::vector<double> coordinates;
  int block = 1;
};

/// coordinates: a file, or empty; block: 0 for what the coordinates say, else 1; matrix: the file of the
/// matrix of so many rows, for messages.
Places read_places(const std::string& coordinates, int block, const std::string& matrix, std::int32_t rows,
                   const io::MatrixMarketOptions& reading, Monitor& monitor);

/// Error(Fault::usage) where --block is neither 1 nor 3.
void check_block(int block);

/// Error(Fault::usage) for an output that would be compressed by its name, or that is one of the inputs.
void check_output(const std::string& output, const io::InputFiles& inputs);

}  // namespace setka::app
