// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrices, compressed and not; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "refuse_or_read.hpp"
#include "setka/io/matrix_market.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  return setka::fuzz::refuse_or_read([&](setka::Monitor& monitor) {
    const setka::io::MatrixMarketOptions options{1, std::uint64_t{1} << 30};
    const setka::io::MatrixMarket read =
        setka::io::read_matrix_market_text(bytes, "fuzz.mtx", options, monitor);
    // Few bytes may name a huge matrix: that is no fault of theirs, but too large for here.
    if (std::int64_t{read.entries.rows} * read.entries.columns < 1000000)
      setka::io::dense(read, "fuzz.mtx", options.memory);
  });
}
