// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Binary matrices; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "file_in_memory.hpp"
#include "refuse_or_read.hpp"
#include "setka/io/binary_matrix.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  return setka::fuzz::refuse_or_read([&](setka::Monitor&) {
    const setka::io::BinaryMatrix read(setka::fuzz::file_in_memory(data, size));
    // What is called finite is finite, and all of it is there.
    double sum = 0;
    for (const double value : read.values()) sum += 0 * value;
    if (sum != 0) std::abort();
  });
}
