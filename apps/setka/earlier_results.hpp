// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "setka/io/input_files.hpp"

namespace setka::app {

/// Result files that lay beside a deck before a run of it.
class EarlierResults {
 public:
  /// stem: the deck's name without .inp; endings: as ".frd".
  EarlierResults(const std::filesystem::path& stem, const std::vector<std::string>& endings);

  /// Removes them, so that a run that fails leaves none that could be taken for its own. Inputs
  /// of the run stay.
  void remove(const io::InputFiles& inputs) const;

  /// Those that are still as they were.
  std::vector<std::filesystem::path> unchanged() const;

 private:
  struct Entry {
    std::filesystem::path path;
    std::filesystem::file_time_type written;
  };
  std::vector<Entry> entries_;
};

}  // namespace setka::app
