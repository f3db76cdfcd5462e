// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "setka/model/increment.hpp"

namespace setka::io {

/// JOB.sta and JOB.cvg as CalculiX 2.20 writes them, for programs that watch a run: a row an increment in the
/// first, as soon as it is solved; the second has a row for each iteration towards a balance of forces, of
/// which linear steps have none. Failures of the file system are Error(Fault::resource).
class StaWriter {
 public:
  /// Begins both files beside the deck, whatever was there. stem: the deck's name without .inp.
  explicit StaWriter(const std::filesystem::path& stem);

  void write(const model::Increment& increment);
  std::vector<std::filesystem::path> files() const { return {path_, cvg_path_}; }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }  // each row was flushed
  };
  using File = std::unique_ptr<std::FILE, Closer>;

  static File begin(const std::filesystem::path& path, const char* head);
  static void append(const std::filesystem::path& path, std::FILE* file, const std::string& text);

  std::filesystem::path path_;
  std::filesystem::path cvg_path_;
  File file_;
};

}  // namespace setka::io
