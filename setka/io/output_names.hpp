// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace setka::io {

/// What a command may write: one file; a series whose names have a number between `path` and `ending`, as
/// JOB.0001.vtu; or, where `path` ends in a slash, all files of that folder with the ending.
struct OutputName {
  std::filesystem::path path;
  std::string ending;  // of a series; empty: one file

  bool is_series() const { return !ending.empty(); }

  /// Whether it is the name of such a file, without its folder.
  bool holds(std::string_view name) const;
};

/// The files of a series that exist, in the order of their names.
std::vector<std::filesystem::path> files_of_series(const OutputName& series);

/// Removes what killed processes left of such files, NAME.PID.part (see OutputFile): those that no process
/// holds. Files that a checkpoint refers to are held by none: not for runs that go on from one.
void remove_dead_parts(const std::vector<OutputName>& outputs);

}  // namespace setka::io
