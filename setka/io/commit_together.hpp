// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <future>
#include <utility>
#include <vector>

namespace setka::io {

/// A file that is whole and not yet on the disk under its name.
struct WaitingFile {
  int descriptor = -1;  // to be closed by who holds it
  std::filesystem::path part;
  std::filesystem::path path;
};

/// Files of one thread that come to the disk together. A disk takes about as long for several files as for
/// one, five to ten milliseconds, and as long again for their folder: file by file that is most of the time
/// of a small run.
///
/// While it lives, files that are committed wait for finish(), which brings all of them to the disk at once,
/// renames them in their order, then sees to the folders. Without it they are removed. Scopes do not nest.
class CommitTogether {
 public:
  CommitTogether();
  ~CommitTogether();
  CommitTogether(const CommitTogether&) = delete;
  CommitTogether& operator=(const CommitTogether&) = delete;

  /// A failure is an Error(Fault::resource) with the file and the system's reason; files that have their name
  /// by then keep it.
  void finish();

  /// Of this thread; null where there is none.
  static CommitTogether* current();

  /// Of OutputFile alone.
  void take(WaitingFile file) { waiting_.push_back(std::move(file)); }

 private:
  std::vector<WaitingFile> waiting_;
};

/// Files of a long series, for those who watch it: a thread of its own brings them to the disk, so that the
/// series goes on meanwhile; those that come while it is busy are next, together. Without finish() those that
/// wait are removed.
class CommitSoon {
 public:
  CommitSoon() = default;
  ~CommitSoon();
  CommitSoon(const CommitSoon&) = delete;
  CommitSoon& operator=(const CommitSoon&) = delete;

  /// All are there then. Failures as of CommitTogether, also of files that were taken before.
  void finish();

  /// Of OutputFile alone.
  void take(WaitingFile file);

 private:
  /// Waits for those on their way.
  void join();

  std::vector<WaitingFile> waiting_;
  std::future<void> on_their_way_;
};

/// Brings the names in a folder to the disk: a new one survives a power failure only then. Some file systems
/// cannot.
void sync_folder(const std::filesystem::path& folder);

}  // namespace setka::io
