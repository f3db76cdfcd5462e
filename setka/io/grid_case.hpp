// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "setka/io/input_files.hpp"
#include "setka/model/grid_case.hpp"

/// Case files of grids (docs/grid-case.md), and the arrays that they name.
namespace setka::io {

class NpyFile;

/// Whether this build can read case files.
bool can_read_grid_cases();

/// Throws Error(Fault::input) with file, line and what is allowed. Files that the case names are not read.
model::GridCase read_grid_case(const std::filesystem::path& path);

/// The same from text; `file` is its name in messages, and its folder is where other files are looked for.
model::GridCase read_grid_case_text(std::string_view text, const std::filesystem::path& file);

/// The case and the arrays that it names.
InputFiles inputs_of(const model::GridCase& grid);

/// The values of a field, x fastest, some rows at a time.
class GridFieldReader {
 public:
  /// Throws Error(Fault::input) where the file of the field is not of the grid's shape. Both must stay.
  GridFieldReader(const model::GridField& field, const model::GridCase& grid);
  ~GridFieldReader();

  /// Whole rows from first_row on. Throws where the file has a value that means nothing.
  void read(std::int64_t first_row, std::span<double> values) const;

 private:
  const model::GridField& field_;
  const model::GridCase& grid_;
  std::unique_ptr<const NpyFile> file_;
};

/// The value of each point.
std::vector<double> values_of(const model::GridField& field, const model::GridCase& grid);

}  // namespace setka::io
