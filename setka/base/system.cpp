// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/system.hpp"

#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace setka {
namespace {

/// A file that holds one number, as control groups have them; nothing where it is absent or says "max".
std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// Bytes of the control group's pages that hold parts of files not used lately.
std::uint64_t pages_of_files() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::string key;
  for (std::uint64_t bytes = 0; file >> key >> bytes;) {
    if (key == "inactive_file") return bytes;
  }
  return 0;
}

}  // namespace

HostMemory host_memory() {
  HostMemory memory;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t kibibytes = 0;
    words >> key >> kibibytes;
    if (key == "MemTotal:") memory.total = kibibytes * 1024;
    if (key == "MemAvailable:") memory.available = kibibytes * 1024;
  }
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
