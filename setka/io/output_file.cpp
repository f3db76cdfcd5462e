// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/io/commit_together.hpp"

namespace setka::io {
namespace {

/// Locks a file that was just made; whether another process took it for one that was left over.
bool taken_away(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK;  // else there are no locks here
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && about.st_nlink == 0;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  // Another process may have left its own to go on with, and in containers numbers of processes come again.
  constexpr int most_names = 1000;
  for (int k = 0; k < most_names; ++k) {
    part_ = path_;
    part_ += k == 0 ? fmt::format(".{}.part", ::getpid()) : fmt::format(".{}-{}.part", ::getpid(), k);
    descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ >= 0 && taken_away(descriptor_)) {
      ::close(std::exchange(descriptor_, -1));
      continue;
    }
    if (descriptor_ >= 0 || errno != EEXIST) break;
  }
  if (descriptor_ < 0) {
    part_.clear();  // not ours to remove
    fail("cannot be created");
  }
  text_.reserve(full + 4096);
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::put(std::string_view bytes) {
  require(descriptor_ >= 0, [&] { return fmt::format("{}: written to after commit()", path_.string()); });
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot be written");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    written_ += written;
  }
}

void OutputFile::flush() {
  put(text_);
  text_.clear();
}

void OutputFile::begin_sync() {
  constexpr std::int64_t large_file = std::int64_t{1} << 24;
  flush();
  if (written_ - synced_ < large_file) return;
  if (on_their_way_.valid() && on_their_way_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  const auto sync = [descriptor = descriptor_, from = synced_, size = written_ - synced_] {
    ::sync_file_range(descriptor, from, size, SYNC_FILE_RANGE_WRITE);  // what it cannot do is left to fsync()
  };
  try {
    on_their_way_ = std::async(std::launch::async, sync);
    synced_ = written_;
  } catch (const std::system_error&) {  // no thread is to be had
  }
}

int OutputFile::release_descriptor() {
  if (on_their_way_.valid()) on_their_way_.wait();
  return std::exchange(descriptor_, -1);
}

void OutputFile::commit() {
  flush();
  if (CommitTogether* const together = CommitTogether::current()) {
    together->take({release_descriptor(), std::exchange(part_, {}), path_});
    return;
  }
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot be brought to the disk");
  if (::rename(part_.c_str(), path_.c_str()) != 0) fail("cannot be given its name");
  part_.clear();
  ::close(release_descriptor());  // only now: the lock goes with it, and all is on the disk
  sync_folder(path_.parent_path());
}

void OutputFile::commit(CommitSoon& series) {
  flush();
  series.take({release_descriptor(), std::exchange(part_, {}), path_});
}

OutputFile::Position OutputFile::keep() {
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot be brought to the disk");
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  if (size < 0) fail("cannot be measured");
  kept_ = true;
  return {part_, size};
}

void OutputFile::go_on(const Position& position) {
  discard();
  const std::filesystem::path part = path_.parent_path() / position.part.filename();
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  const off_t size = descriptor < 0 ? -1 : ::lseek(descriptor, 0, SEEK_END);
  if (size < position.size) {
    if (descriptor >= 0) ::close(descriptor);
    throw Error(Fault::input,
                fmt::format("{}: {} bytes of {} are needed to go on, there are {}", path_.string(),
                            position.size, part.string(), std::max<off_t>(size, 0)),
                "run the deck from the beginning");
  }
  ::flock(descriptor, LOCK_EX | LOCK_NB);
  descriptor_ = descriptor;
  part_ = part;
  kept_ = true;
  written_ = synced_ = position.size;
  if (::ftruncate(descriptor_, position.size) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0)
    fail("cannot be cut to the length it had");
}

void OutputFile::fail(const char* what) {
  const int reason = errno;
  discard();
  throw Error(Fault::resource,
              fmt::format("{} {}: {}", path_.string(), what, std::system_category().message(reason)));
}

void OutputFile::discard() {
  if (descriptor_ >= 0) ::close(release_descriptor());
  if (!part_.empty() && !kept_) ::unlink(part_.c_str());
  part_.clear();
  text_.clear();
}

}  // namespace setka::io
