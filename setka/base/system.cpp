// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/system.hpp"

#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace setka {
namespace {

/// Read without streams' operators for numbers: where a program brings a C++ library of its own, as some
/// builds of Python do, those may find nothing.
std::optional<std::uint64_t> number_at_start(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

/// What follows a word at the start of a line of a file, as a number.
std::optional<std::uint64_t> number_after(const char* path, std::string_view word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(word)) return number_at_start(std::string_view(line).substr(word.size()));
  }
  return std::nullopt;
}

/// A file that holds one number, as control groups have them; nothing where it is absent or says "max".
std::optional<std::uint64_t> number_in(const char* path) {
  return number_after(path, "");
}

/// Bytes of the control group's pages that hold parts of files not used lately.
std::uint64_t pages_of_files() {
  return number_after("/sys/fs/cgroup/memory.stat", "inactive_file ").value_or(0);
}

}  // namespace

HostMemory host_memory() {
  HostMemory memory;
  memory.total = 1024 * number_after("/proc/meminfo", "MemTotal:").value_or(0);
  memory.available = 1024 * number_after("/proc/meminfo", "MemAvailable:").value_or(0);
  // A container's own limit is not in /proc/meminfo.
  const auto limit = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (limit && used) {
    memory.total = std::min(memory.total, *limit);
    // Pages of files that were read count as used there, but are given up when memory is asked for.
    const std::uint64_t taken = *used - std::min(*used, pages_of_files());
    memory.available = std::min(memory.available, *limit > taken ? *limit - taken : 0);
  }
  return memory;
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::uint64_t resident_bytes() {
  return 1024 * number_after("/proc/self/status", "VmRSS:").value_or(0);
}

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("model name")) {
      const auto colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  utsname machine{};
  if (uname(&machine) == 0) return std::string(machine.machine) + " processor";
  return "unknown processor";
}

std::string machine_name() {
  utsname machine{};
  const bool known = uname(&machine) == 0 && machine.nodename[0] != '\0';
  return known ? machine.nodename : "unknown machine";
}

}  // namespace setka
