// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/commit_together.hpp"

#include <cerrno>
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
  for (const Waiting& file : waiting_) {
    ::close(file.descriptor);
    ::unlink(file.part.c_str());
  }
  current_group = nullptr;
}

CommitTogether* CommitTogether::current() {
  return current_group;
}

void CommitTogether::finish() {
  std::vector<int> reason(waiting_.size(), 0);
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < waiting_.size(); ++i) {
      const auto sync = [&, i] { reason[i] = sync_file(waiting_[i].descriptor); };
      try {
        others.emplace_back(sync);
      } catch (const std::system_error&) {
        sync();  // no thread is to be had
      }
    }
    if (!waiting_.empty()) reason[0] = sync_file(waiting_[0].descriptor);
  }
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (reason[i] != 0) fail(waiting_[i].path, "cannot be brought to the disk", reason[i]);
  }
  std::set<std::filesystem::path> folders;
  while (!waiting_.empty()) {
    const Waiting& file = waiting_.front();
    if (::rename(file.part.c_str(), file.path.c_str()) != 0)
      fail(file.path, "cannot be given its name", errno);
    ::close(file.descriptor);
    folders.insert(file.path.parent_path());
    waiting_.erase(waiting_.begin());
  }
  for (const std::filesystem::path& folder : folders) sync_folder(folder);
}

}  // namespace setka::io
