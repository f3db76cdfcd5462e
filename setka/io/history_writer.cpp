// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/history_writer.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "setka/base/error.hpp"

namespace setka::io {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  throw Error(Fault::resource,
              fmt::format("{} {}: {}", path.string(), what, std::system_category().message(errno)));
}

}  // namespace

HistoryWriter::HistoryWriter(std::filesystem::path path, const std::vector<std::string>& columns)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail(path_, "cannot be created");
  std::string line;
  for (const std::string& column : columns) line += (line.empty() ? "" : ",") + column;
  append(line + "\n");
}

HistoryWriter::HistoryWriter(std::filesystem::path path, std::int64_t size)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)), size_(size) {
  if (descriptor_ < 0 || ::lseek(descriptor_, 0, SEEK_END) < size)
    throw Error(
        Fault::input,
        fmt::format("{}: {} bytes of it are needed to go on, and are not there", path_.string(), size),
        "run the deck from the beginning");
  if (::ftruncate(descriptor_, size) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0)
    fail(path_, "cannot be cut to the length it had");
}

HistoryWriter::~HistoryWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void HistoryWriter::write(std::span<const double> row) {
  std::string line;
  for (const double value : row) {
    if (!line.empty()) line += ',';
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
  append(line + "\n");
}

std::int64_t HistoryWriter::size() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    fail(path_, "cannot be brought to the disk");
  return size_;
}

void HistoryWriter::append(const std::string& line) {
  const char* at = line.data();
  std::size_t left = line.size();
  while (left > 0) {
    const ssize_t written = ::write(descriptor_, at, left);
    if (written < 0) {
      if (errno == EINTR) continue;
      const int reason = errno;
      if (::ftruncate(descriptor_, size_) == 0) ::lseek(descriptor_, size_, SEEK_SET);
      errno = reason;
      fail(path_, "cannot be written");
    }
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  size_ += static_cast<std::int64_t>(line.size());
}

}  // namespace setka::io
