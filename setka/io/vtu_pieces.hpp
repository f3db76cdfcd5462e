// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Names of the files in which several processes write one frame: in the folder STEM.pieces a .vtu each, as
/// 0001.3of8.vtu, which STEM.0001.pvtu lists.
namespace setka::io {

/// How many there are is in the name, so that pieces of a run by another number of processes, which share the
/// mesh out in another way, are not written over as long as a .pvtu lists them.
struct PieceName {
  int frame = 1;
  int piece = 1;  // from 1
  int pieces = 1;

  std::string text() const;
  /// None where it is no such name.
  static std::optional<PieceName> of(std::string_view text);
};

/// STEM.pieces. Who has made it takes it away again where nothing has come into it.
class PiecesFolder {
 public:
  explicit PiecesFolder(const std::filesystem::path& stem);
  ~PiecesFolder();
  PiecesFolder(const PiecesFolder&) = delete;
  PiecesFolder& operator=(const PiecesFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Error(Fault::resource) where it cannot be.
  void make();

 private:
  bool made_ = false;
  std::filesystem::path path_;
};

}  // namespace setka::io
