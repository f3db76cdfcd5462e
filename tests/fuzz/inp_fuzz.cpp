// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Decks; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "refuse_or_read.hpp"
#include "setka/deck/inp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  // A text must not read files of the machine that runs this.
  for (std::size_t i = 0; i + 3 < size; ++i) {
    if ((data[i] | 32) == 'i' && (data[i + 1] | 32) == 'n' && (data[i + 2] | 32) == 'p' &&
        (data[i + 3] | 32) == 'u')
      return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return setka::fuzz::refuse_or_read(
      [&](setka::Monitor& monitor) { setka::deck::read_inp_text(text, "fuzz.inp", monitor); });
}
