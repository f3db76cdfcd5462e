// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "setka/io/checkpoint.hpp"
#include "setka/io/grid_case.hpp"

namespace setka::cases {

/// Parts of a run's checkpoint.
inline constexpr const char* grid_done_part = "done";      // one std::int64_t: so many steps or sweeps
inline constexpr const char* grid_change_part = "change";  // one double: of the last sweep; 0 of steps
inline constexpr const char* grid_values_part = "values";  // of all points, in the precision of the case
inline constexpr const char* grid_probes_part = "probes";  // doubles, rows of time and values so far

/// A checkpoint without these parts that says of which problem it is; reads all files of the case for their
/// digest.
io::Checkpoint checkpoint_of(const model::GridCase& grid);

/// Errors as those of io::read_checkpoint(); of another problem it says what differs, or which file. Has all
/// parts.
io::Checkpoint read_checkpoint_of(const model::GridCase& grid, const std::filesystem::path& path);

}  // namespace setka::cases
