// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Case files of grids; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "refuse_or_read.hpp"
#include "setka/io/grid_case.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  return setka::fuzz::refuse_or_read([&](setka::Monitor&) {
    const setka::model::GridCase read = setka::io::read_grid_case_text(bytes, "fuzz.toml");
    // Few bytes may tell of many cells.
    if (read.point_count() < 1000 && read.source.file.empty()) setka::io::values_of(read.source, read);
  });
}
