// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "setka/io/grid_case.hpp"
#include "setka/plot/heat_map.hpp"

namespace setka::cases {

/// Values of cells as an image of VTK (.vti), whose cell data has the one array "u"; its time is in
/// FieldData.
void write_vti(const std::filesystem::path& path, const model::GridCase& grid, double time,
               std::span<const double> values);

/// What a picture of the case shows: all of a plane grid, a slice of another.
struct GridSlice {
  std::vector<double> values;  // [map.rows, map.columns]
  plot::HeatMap map;           // without its values; it names the axes, the time and the place of the slice
};

/// values: [nz, ny, nx].
GridSlice slice_of(const model::GridCase& grid, double time, std::span<const double> values);

/// That as a PNG file.
std::string picture_of(const model::GridCase& grid, double time, std::span<const double> values);

/// Writes what [output] of a case asks for: CASE.vti and its like at the end, CASE-00000100.vti of step 100
/// with `every`, and then CASE.pvd, which lists all frames with their times.
class GridWriter {
 public:
  /// Makes the folder where it is missing. done: steps of an earlier run that is continued; its frames are
  /// listed where their files exist.
  explicit GridWriter(const model::GridCase& grid, std::int64_t done = 0);

  /// Whether the case asks for the values after so many steps.
  bool is_due(std::int64_t step) const;

  void write(std::int64_t step, double time, std::span<const double> values);
  void write(std::int64_t step, double time, std::span<const float> values);

  /// CASE-probes.csv: rows of time and values, one after the other.
  void write_probes(std::span<const double> rows);

  /// The list of frames; those of a run before that it does not list are removed.
  void finish();
  const std::vector<std::filesystem::path>& files() const { return files_; }

  /// All that a run of the case may write.
  static std::vector<io::OutputName> outputs(const model::GridCase& grid);

  /// CASE with that ending, in the folder of the results.
  static std::filesystem::path path(const model::GridCase& grid, const std::string& ending);

 private:
  std::string numbered(std::int64_t step, const char* ending) const;
  void remove_stale(const char* ending) const;
  template <class T>
  void write_frame(std::int64_t step, double time, std::span<const T> values);

  const model::GridCase& grid_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::pair<std::int64_t, double>> frames_;  // step and time
};

}  // namespace setka::cases
