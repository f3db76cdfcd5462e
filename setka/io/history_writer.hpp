// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace setka::io {

/// A table of comma-separated numbers that can be read while it grows: each row is in the file, under its own
/// name, when write() returns. Failures are Error(Fault::resource); a row that did not fit is taken back.
class HistoryWriter {
 public:
  /// Columns first, where the file is not to go on.
  HistoryWriter(std::filesystem::path path, const std::vector<std::string>& columns);
  /// Goes on behind so many bytes of it. Error(Fault::input) where it is gone or shorter.
  HistoryWriter(std::filesystem::path path, std::int64_t size);
  ~HistoryWriter();
  HistoryWriter(const HistoryWriter&) = delete;
  HistoryWriter& operator=(const HistoryWriter&) = delete;

  void write(std::span<const double> row);
  const std::filesystem::path& path() const { return path_; }

  /// Brings the rows to the disk; for a checkpoint.
  std::int64_t size();

 private:
  void append(const std::string& line);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace setka::io
