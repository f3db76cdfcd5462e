// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace setka {

struct HostMemory {
  std::uint64_t total = 0;
  std::uint64_t available = 0;  // what can be taken without swapping, the control group's limit included
};

HostMemory host_memory();

/// Largest resident set of this process so far, in bytes.
std::uint64_t peak_resident_bytes();

/// Bytes of this process that are in memory now.
std::uint64_t resident_bytes();

/// The processor as it names itself, "unknown processor" where it does not.
std::string processor_name();

/// The name of this machine in its network, "unknown machine" where it has none.
std::string machine_name();

}  // namespace setka
