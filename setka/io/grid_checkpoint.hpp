// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "setka/io/grid_case.hpp"

namespace setka::io {

/// All that a run needs to go on with the same bits.
template <class T>
struct GridCheckpoint {
  std::int64_t step = 0;       // so many are done, or sweeps
  std::vector<T> values;       // of all points
  std::vector<double> probes;  // rows of time and values so far
};

/// The file appears when it is whole; one that was there stays until then.
template <class T>
void write_checkpoint(const std::filesystem::path& path, const GridCase& grid,
                      const GridCheckpoint<T>& state);

/// Throws Error(Fault::input) where the file is missing, damaged or of another problem; it says what differs.
template <class T>
GridCheckpoint<T> read_checkpoint(const std::filesystem::path& path, const GridCase& grid);

}  // namespace setka::io
