// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "cli.hpp"
#include "setka/base/monitor.hpp"
#include "setka/io/input_files.hpp"
#include "setka/io/matrix_market.hpp"
#include "setka/solve/matrix_system.hpp"

/// What the commands that take matrices have in common.
namespace setka::app {

/// What multigrid is told of the unknowns.
struct GeometryOptions {
  std::string coordinates;     // empty: unknown
  int block = 0;               // 0: what the coordinates say, else 1
  std::string near_nullspace;  // empty: by blocks and coordinates
};

/// --coordinates, --block and --near-nullspace.
void add_geometry_options(cli::App& command, GeometryOptions& options);

/// matrix: the file of the matrix of so many rows, for messages.
solve::MatrixGeometry read_geometry(const GeometryOptions& options, const std::string& matrix,
                                    std::int32_t rows, const io::MatrixMarketOptions& reading,
                                    Monitor& monitor);

/// Error(Fault::usage) for a size of blocks that is not known.
void check_block(int block);

/// Error(Fault::usage) for an output that would be compressed by its name, or that is one of the inputs.
void check_output(const std::string& output, const io::InputFiles& inputs);

}  // namespace setka::app
