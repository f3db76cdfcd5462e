// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <initializer_list>
#include <vector>

namespace setka::app {

/// Result files that lay beside a deck before a run of it.
class EarlierResults {
 public:
  /// stem: the deck's name without .inp; endings: as ".frd".
  EarlierResults(const std::filesystem::path& stem, std::initializer_list<const char*> endings);

  /// Removes them, so that a run that fails leaves none that could be taken for its own. A file whose name
  /// the deck holds may be one of its inputs, and stays.
  void remove(const std::filesystem::path& deck) const;

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
