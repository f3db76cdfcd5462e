// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_input.hpp"

#include <cstddef>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "command_line.hpp"
#include "setka/base/error.hpp"

namespace setka::app {
namespace {

[[noreturn]] void refuse(const std::string& file, std::string message, std::string remedy) {
  throw Error(Fault::input, std::move(message), std::move(remedy), {file, 0});
}

/// How many rows a file of coordinates may have, in words.
std::string rows_wanted(int block, std::int32_t rows) {
  std::string for_unknowns = fmt::format("a row an unknown ({})", rows);
  if (block == 1 || (block == 0 && rows % 3 != 0)) return for_unknowns;
  std::string for_nodes = fmt::format("a row a node of three unknowns ({})", rows / 3);
  return block == 3 ? for_nodes : for_unknowns + " or " + for_nodes;
}

}  // namespace

void add_places_options(cli::App& command, std::string& coordinates, int& block) {
  command
      .add_option("--coordinates", coordinates,
                  "For multigrid: x, y, z of every unknown, or of every node of three unknowns")
      ->type_name("XYZ.mtx");
  command
      .add_option("--block", block,
                  "Unknowns a node: 1, or 3 displacements [default: what the coordinates say, else 1]")
      ->type_name("N");
}

Places read_places(const std::string& coordinates, int block, const std::string& matrix, std::int32_t rows,
                   const io::MatrixMarketOptions& reading, Monitor& monitor) {
  Places places;
  if (block > 0) places.block = block;
  if (!coordinates.empty()) {
    const io::DenseMatrix file = io::read_dense_matrix(coordinates, reading, monitor);
    const bool fits = file.columns >= 1 && file.columns <= 3;
    if (fits && file.rows == rows && block != 3) {
      places.block = 1;
    } else if (fits && 3 * file.rows == rows && block != 1) {
      places.block = 3;
    } else {
      refuse(coordinates,
             fmt::format("the coordinates are of {} x {}, but the matrix has {} rows", file.rows,
                         file.columns, rows),
             "give x, y and z, " + rows_wanted(block, rows));
    }
    places.coordinates.assign(static_cast<std::size_t>(3 * file.rows), 0.0);  // z = 0 where it is left out
    for (std::int64_t i = 0; i < file.rows; ++i) {
      for (std::int64_t d = 0; d < file.columns; ++d)
        places.coordinates[static_cast<std::size_t>(3 * i + d)] =
            file.value[static_cast<std::size_t>(i * file.columns + d)];
    }
  }
  if (rows % places.block != 0) {
    refuse(matrix, fmt::format("{} rows are not a multiple of 3, as --block 3 asks", rows),
           "leave --block out, or give a matrix of three unknowns a node");
  }
  return places;
}

void check_block(int block) {
  if (block == 0 || block == 1 || block == 3) return;
  throw Error(Fault::usage, fmt::format("--block {} is not known", block),
              "give 1, or 3 for three displacements a node");
}

void check_output(const std::string& output, const io::InputFiles& inputs) {
  if (output.ends_with(".gz"))
    throw Error(Fault::usage, fmt::format("{} would not be compressed", output), "name it .mtx");
  claim_outputs(inputs, {{output, {}}});
}

}  // namespace setka::app
