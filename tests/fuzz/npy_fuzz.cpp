// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Arrays of NumPy; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "file_in_memory.hpp"
#include "refuse_or_read.hpp"
#include "setka/io/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  return setka::fuzz::refuse_or_read([&](setka::Monitor&) {
    const setka::io::NpyFile read(setka::fuzz::file_in_memory(data, size));
    std::vector<double> values(static_cast<std::size_t>(read.size()));
    read.read(0, values);
  });
}
