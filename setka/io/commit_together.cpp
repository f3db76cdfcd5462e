// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/commit_together.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <set>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::io {
namespace {

thread_local CommitTogether* current_group = nullptr;

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int reason) {
  throw Error(Fault::resource,
              fmt::format("{} {}: {}", path.string(), what, std::system_category().message(reason)));
}

/// 0 or the reason why it cannot; file systems that have nothing to do for it are content.
int sync_file(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/// The reasons, 0 where there is none. A disk takes several files at once.
std::vector<int> sync_all(const std::vector<WaitingFile>& files) {
  constexpr std::size_t most_at_once = 16;
  std::vector<int> reason(files.size(), 0);
  const std::size_t lanes = std::min(files.size(), most_at_once);
  const auto sync_lane = [&](std::size_t lane) {
    for (std::size_t i = lane; i < files.size(); i += lanes) reason[i] = sync_file(files[i].descriptor);
  };
  std::vector<std::jthread> others;
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    try {
      others.emplace_back(sync_lane, lane);
    } catch (const std::system_error&) {
      sync_lane(lane);  // no thread is to be had
    }
  }
  if (lanes > 0) sync_lane(0);
  others.clear();  // when they have ended
  return reason;
}

/// To the disk, then to their names, in their order; those that have them are taken out.
void commit_all(std::vector<WaitingFile>& files) {
  const std::vector<int> reason = sync_all(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (reason[i] != 0) fail(files[i].path, "cannot be brought to the disk", reason[i]);
  }
  std::set<std::filesystem::path> folders;
  while (!files.empty()) {
    const WaitingFile& file = files.front();
    if (::rename(file.part.c_str(), file.path.c_str()) != 0)
      fail(file.path, "cannot be given its name", errno);
    ::close(file.descriptor);
    folders.insert(file.path.parent_path());
    files.erase(files.begin());
  }
  for (const std::filesystem::path& folder : folders) sync_folder(folder);
}

void remove_all(const std::vector<WaitingFile>& files) {
  for (const WaitingFile& file : files) {
    ::close(file.descriptor);
    ::unlink(file.part.c_str());
  }
}

}  // namespace

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

CommitTogether::CommitTogether() {
  require(current_group == nullptr, "CommitTogether: there is one already");
  current_group = this;
}

CommitTogether::~CommitTogether() {
  remove_all(waiting_);
  current_group = nullptr;
}

CommitTogether* CommitTogether::current() {
  return current_group;
}

void CommitTogether::finish() {
  commit_all(waiting_);
}

CommitSoon::~CommitSoon() {
  if (on_their_way_.valid()) on_their_way_.wait();
  remove_all(waiting_);
}

void CommitSoon::join() {
  if (on_their_way_.valid()) on_their_way_.get();
}

void CommitSoon::take(WaitingFile file) {
  constexpr std::size_t many = 32;  // open files that wait; as many may be on their way
  waiting_.push_back(std::move(file));
  const bool busy =
      on_their_way_.valid() && on_their_way_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  if (busy && waiting_.size() < many) return;
  join();
  const auto commit = [](std::vector<WaitingFile> files) {
    try {
      commit_all(files);
    } catch (...) {
      remove_all(files);
      throw;
    }
  };
  std::vector<WaitingFile> next = std::exchange(waiting_, {});
  try {
    on_their_way_ = std::async(std::launch::async, commit, next);
  } catch (const std::system_error&) {
    commit(std::move(next));  // no thread is to be had
  }
}

void CommitSoon::finish() {
  join();
  commit_all(waiting_);
}

}  // namespace setka::io
