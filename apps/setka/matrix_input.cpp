// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_input.hpp"

#include <cstddef>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "command_line.hpp"
#include "setka/base/error.hpp"
#include "setka/sparse/block_shapes.hpp"

namespace setka::app {
namespace {

[[noreturn]] void refuse(const std::string& file, std::string message, std::string remedy) {
  throw Error(Fault::input, std::move(message), std::move(remedy), {file, 0});
}

/// How many rows a file of coordinates may have, in words.
std::string rows_wanted(int block, std::int32_t rows) {
  std::string words;
  for (int size = 1; sparse::is_known_block_size(size); ++size) {
    if ((block != 0 && size != block) || rows % size != 0) continue;
    words += fmt::format("{}{} of {} unknown{}", words.empty() ? "" : " or ", rows / size, size,
                         size == 1 ? "" : "s");
  }
  return "a row a node (" + words + ")";
}

/// [rows / block, 3], and the block where it is not known yet.
void read_coordinates(const std::string& path, std::int32_t rows, const io::MatrixMarketOptions& reading,
                      Monitor& monitor, int block, solve::MatrixGeometry& geometry) {
  const io::DenseMatrix file = io::read_dense_matrix(path, reading, monitor);
  const bool whole = file.rows > 0 && rows % file.rows == 0;
  const std::int64_t size = whole ? rows / file.rows : 0;
  if (file.columns < 1 || file.columns > 3 || !whole || (block != 0 && size != block) || size > INT32_MAX ||
      !sparse::is_known_block_size(static_cast<int>(size))) {
    refuse(path,
           fmt::format("the coordinates are of {} x {}, but the matrix has {} rows", file.rows, file.columns,
                       rows),
           "give x, y and z, " + rows_wanted(block, rows));
  }
  geometry.block = static_cast<int>(size);
  geometry.coordinates.assign(static_cast<std::size_t>(3 * file.rows), 0.0);  // z = 0 where it is left out
  for (std::int64_t i = 0; i < file.rows; ++i) {
    for (std::int64_t d = 0; d < file.columns; ++d)
      geometry.coordinates[static_cast<std::size_t>(3 * i + d)] =
          file.value[static_cast<std::size_t>(i * file.columns + d)];
  }
}

void read_near_nullspace(const std::string& path, std::int32_t rows, const io::MatrixMarketOptions& reading,
                         Monitor& monitor, solve::MatrixGeometry& geometry) {
  io::DenseMatrix file = io::read_dense_matrix(path, reading, monitor);
  int most = 0;
  while (sparse::coarse_block_size(geometry.block, most + 1) > 0) ++most;
  if (file.rows != rows || file.columns < 1 || file.columns > most) {
    refuse(path,
           fmt::format("the near-nullspace is of {} x {}, but the matrix has {} rows and blocks of {}",
                       file.rows, file.columns, rows, geometry.block),
           fmt::format("give {} rows and 1 to {} column{}{}", rows, most, most == 1 ? "" : "s",
                       geometry.block == 1 ? ", or the size of blocks by --block" : ""));
  }
  geometry.modes = static_cast<int>(file.columns);
  geometry.mode = std::move(file.value);
}

}  // namespace

void add_geometry_options(cli::App& command, GeometryOptions& options) {
  command
      .add_option("--coordinates", options.coordinates,
                  "For multigrid: x, y, z of every unknown, or of every node")
      ->type_name("XYZ.mtx");
  command
      .add_option("--block", options.block,
                  "Unknowns a node: 1 to 6 [default: what the coordinates say, else 1]")
      ->type_name("N");
  command
      .add_option("--near-nullspace", options.near_nullspace,
                  "For multigrid: a column each vector that the matrix nearly annihilates "
                  "[default: by blocks and coordinates]")
      ->type_name("Z.mtx");
}

solve::MatrixGeometry read_geometry(const GeometryOptions& options, const std::string& matrix,
                                    std::int32_t rows, const io::MatrixMarketOptions& reading,
                                    Monitor& monitor) {
  solve::MatrixGeometry geometry;
  if (options.block > 0) geometry.block = options.block;
  if (!options.coordinates.empty())
    read_coordinates(options.coordinates, rows, reading, monitor, options.block, geometry);
  if (rows % geometry.block != 0) {
    refuse(matrix,
           fmt::format("{0} rows are not a multiple of {1}, as --block {1} asks", rows, geometry.block),
           fmt::format("leave --block out, or give a matrix of {} unknowns a node", geometry.block));
  }
  if (!options.near_nullspace.empty())
    read_near_nullspace(options.near_nullspace, rows, reading, monitor, geometry);
  return geometry;
}

void check_block(int block) {
  if (block == 0 || sparse::is_known_block_size(block)) return;
  throw Error(Fault::usage, fmt::format("--block {} is not known", block),
              fmt::format("{} are", sparse::known_block_sizes()));
}

void check_output(const std::string& output, const io::InputFiles& inputs) {
  if (output.ends_with(".gz"))
    throw Error(Fault::usage, fmt::format("{} would not be compressed", output), "name it .mtx");
  claim_outputs(inputs, {{output, {}}});
}

}  // namespace setka::app
