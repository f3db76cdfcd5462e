// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/npy_state.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/io/detail/descriptor.hpp"
#include "setka/io/detail/npy_header.hpp"
#include "setka/io/npy.hpp"

namespace setka::io {
namespace {

using detail::Descriptor;

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int code) {
  throw Error(Fault::resource,
              fmt::format("{} {}: {}", what, path.string(), std::generic_category().message(code)));
}

std::size_t count_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  return count;
}

}  // namespace

template <class T>
NpyState<T>::NpyState(std::filesystem::path path, int descriptor, std::size_t header_bytes, std::size_t count)
    : path_(std::move(path)), bytes_(header_bytes + count * sizeof(T)) {
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) fail(path_, "cannot map", errno);
  mapped_ = memory;
  values_ = {reinterpret_cast<T*>(static_cast<char*>(memory) + header_bytes), count};
}

template <class T>
NpyState<T>::NpyState(NpyState&& other) noexcept
    : path_(std::move(other.path_)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      bytes_(other.bytes_),
      values_(std::exchange(other.values_, {})) {}

template <class T>
NpyState<T>::~NpyState() {
  if (mapped_ != nullptr) ::munmap(mapped_, bytes_);
}

template <class T>
NpyState<T> NpyState<T>::create(const std::filesystem::path& path, const std::vector<std::int64_t>& shape) {
  const std::string header = detail::npy_header(sizeof(T), shape);
  const std::size_t count = count_of(shape);
  constexpr int for_all = 0666;
  const Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, for_all)};
  if (file.number < 0) fail(path, "cannot write", errno);
  const auto give_up = [&](int code) {
    ::unlink(path.c_str());
    const std::uint64_t bytes = header.size() + count * sizeof(T);
    throw Error(Fault::resource,
                fmt::format("no room of {} for {}: {}", format_bytes(bytes), path.string(),
                            std::generic_category().message(code)),
                "free some disk space, or set output.folder to another disk");
  };
  const auto bytes = static_cast<off_t>(header.size() + count * sizeof(T));
  // Taken now: a mapped file that the disk has no room for ends the program when it is written to.
  if (const int code = ::posix_fallocate(file.number, 0, bytes); code != 0) give_up(code);
  if (::pwrite(file.number, header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
    give_up(errno);
  return NpyState(path, file.number, header.size(), count);
}

template <class T>
NpyState<T> NpyState<T>::copy_of(const std::filesystem::path& other, const std::filesystem::path& path,
                                 const std::vector<std::int64_t>& shape) {
  const NpyFile file(other);
  const std::span<const T> values = file.template values_as<T>();
  if (file.shape() != shape || values.empty())
    throw Error(Fault::input,
                fmt::format("the array is not of shape ({}) and {} bytes a number", fmt::join(shape, ", "),
                            sizeof(T)),
                "begin anew without --continue", {other.string(), 0});
  NpyState made = create(path, shape);
  std::ranges::copy(values, made.values_.begin());
  return made;
}

template <class T>
void NpyState<T>::rename(const std::filesystem::path& path) {
  if (::msync(mapped_, bytes_, MS_SYNC) != 0) fail(path_, "cannot bring to the disk", errno);
  if (::rename(path_.c_str(), path.c_str()) != 0)
    throw Error(Fault::resource,
                fmt::format("{} cannot become {}: {}", path_.string(), path.string(),
                            std::generic_category().message(errno)),
                "free that name, or set output.folder to another place");
  path_ = path;
}

template class NpyState<float>;
template class NpyState<double>;

}  // namespace setka::io
