// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace setka::io {

/// An accelerogram: values at equal steps of time.
struct Record {
  std::string title;                 // what the file says of itself; may be empty
  double start = 0;                  // s, time of the first value
  double step = 0;                   // s, positive
  std::vector<double> acceleration;  // m/s², at least two

  double duration() const { return step * static_cast<double>(acceleration.size() - 1); }
};

inline constexpr double standard_gravity = 9.80665;  // m/s²

struct RecordOptions {
  double step = 0;    // s, of a file with one column that does not say it; 0: it must
  std::string units;  // of the accelerations, where the file does not say it; "g", "m/s2", "cm/s2", ...
};

/// Reads an accelerogram; docs/earthquakes.md describes the formats. Files that end in .at2 are those of
/// PEER, all others tables of one or two columns, whose header names the unit. Wrong input is an
/// Error(Fault::input) with file, line and remedy: another unit, no number, a gap, steps that differ, times
/// that do not rise, fewer values than announced.
Record read_record(const std::filesystem::path& path, const RecordOptions& options = {});

enum class RecordFormat { table, peer };

/// The same from memory; messages call the text `name`.
Record read_record_text(std::string_view text, const std::string& name, RecordFormat format,
                        const RecordOptions& options = {});

}  // namespace setka::io
