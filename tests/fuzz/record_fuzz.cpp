// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Accelerograms, as tables and as files of PEER; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "refuse_or_read.hpp"
#include "setka/io/record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto format : {setka::io::RecordFormat::table, setka::io::RecordFormat::peer})
    setka::fuzz::refuse_or_read([&](setka::Monitor&) { setka::io::read_record_text(text, "fuzz", format); });
  return 0;
}
