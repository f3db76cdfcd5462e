// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace setka::fuzz {

/// A path that holds the bytes, for readers that map their files; it is written anew at each call.
inline std::string file_in_memory(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = ::memfd_create("fuzz", 0);
  if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(size)) != 0 ||
      ::pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace setka::fuzz
