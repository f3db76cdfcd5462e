// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <string>
#include <string_view>

namespace setka::io {

class CommitSoon;

/// A file that appears under its name only when it is whole: what is written goes to NAME.PID.part in the
/// same folder, and commit() brings it to the disk and renames it. Without commit() the destructor removes
/// it, and a file that had the name before stays. Every failure is an Error(Fault::resource) with the file
/// and the system's reason. A lock on it tells other processes that it is not left over (see
/// remove_dead_parts()).
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// What it is called until commit().
  const std::filesystem::path& part() const { return part_; }

  /// Text waiting to be written, to append to; call flush_if_full() now and then (each row).
  std::string& text() { return text_; }
  void flush_if_full() {
    if (text_.size() >= full) flush();
  }
  void write(std::string_view bytes) {
    if (bytes.size() >= large) {
      flush();
      put(bytes);
      return;
    }
    text_.append(bytes);
    flush_if_full();
  }

  void flush();
  /// Begins to bring what was written so far to the disk, by a thread of its own, so that commit() need not
  /// wait for all of it. Only large files gain from it; small ones are left as they are.
  void begin_sync();
  void commit();
  void commit(CommitSoon& series);

  /// For a checkpoint: what was written so far, brought to the disk. From then on the destructor leaves it
  /// there as NAME.PID.part, for another process to go on with.
  struct Position {
    std::filesystem::path part;
    std::int64_t size = 0;
  };
  Position keep();

  /// Goes on behind what another one kept in the same folder, wherever that is now; what this one has is
  /// dropped. Error(Fault::input) where that file is gone or shorter.
  void go_on(const Position& position);

 private:
  static constexpr std::size_t full = std::size_t{1} << 20;
  static constexpr std::size_t large = std::size_t{1} << 16;  // worth a call of the system of its own

  void put(std::string_view bytes);
  [[noreturn]] void fail(const char* what);
  void discard();
  int release_descriptor();

  std::filesystem::path path_;
  std::filesystem::path part_;
  int descriptor_ = -1;
  bool kept_ = false;
  std::string text_;
  std::int64_t written_ = 0;        // bytes
  std::int64_t synced_ = 0;         // of them, those that are on the disk or on their way to it
  std::future<void> on_their_way_;  // uses the descriptor
};

}  // namespace setka::io
