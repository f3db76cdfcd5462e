// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Whatever the bytes are, reading ends with a deck or with an Error of the input.
//
//   cmake -B build/fuzz -DSETKA_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++ ...
//   build/fuzz/bin/inp_fuzz -max_len=4096 new_corpus tests/fuzz/corpus/inp
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "setka/io/inp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  // A text must not read files of the machine that runs this.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::size_t i = 0; i + 3 < size; ++i) {
    if ((data[i] | 32) == 'i' && (data[i + 1] | 32) == 'n' && (data[i + 2] | 32) == 'p' &&
        (data[i + 3] | 32) == 'u')
      return 0;
  }
  try {
    setka::Monitor monitor;
    setka::io::read_inp_text(text, "fuzz.inp", monitor);
  } catch (const setka::Error& error) {
    if (error.fault() != setka::Fault::input) std::abort();
  }
  return 0;
}
