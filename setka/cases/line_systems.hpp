// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/cases/grid_model.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/sweep.hpp"

/// Tridiagonal systems, one a line of an array in a file of NumPy, and their solution in another.
namespace setka::cases {

struct LineSystems {
  std::filesystem::path right;  // .npy of one to three axes
  /// Each a number, or a .npy: of the shape of `right`, or of as many values as a line has rows.
  std::string lower, diagonal, upper;
  int axis = -1;  // of the lines; from the end where it is negative
  bool single_precision = false;
  grid::SweepOptions sweep;
  double tolerance = 1e-3;    // of the residual; what is beyond is no solution
  bool write_anyway = false;  // even that
  std::filesystem::path output;
};

struct SolvedLines {
  std::vector<std::int64_t> shape;
  std::int64_t lines = 0;
  std::int64_t rows = 0;
  grid::Coefficients coefficients = grid::Coefficients::constant;
  double seconds = 0;   // of the solution on the device, without the way there and back
  double residual = 0;  // largest |A x - d| over the largest |d|, or itself where d is zero; may be infinite
  GridPrediction prediction;  // of the seconds
  bool converged = false;     // within the tolerance
  bool written = false;
};

/// Zero pivots, and rows without dominance where that is asked for, are an Error that names line and row.
/// Rows are not exchanged, so that systems that are singular, or nearly so, come out with any values: these
/// have not `converged` and are not written unless that is asked for.
SolvedLines solve_lines(const LineSystems& systems, const exec::Device& device, Monitor& monitor);

}  // namespace setka::cases
