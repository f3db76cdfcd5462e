// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Files of element matrices, packed as a projection takes them; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "file_in_memory.hpp"
#include "refuse_or_read.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/io/element_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  static const setka::exec::Device cpu = setka::exec::Device::cpu(1);
  return setka::fuzz::refuse_or_read([&](setka::Monitor&) {
    const setka::io::ElementFile file(setka::fuzz::file_in_memory(data, size));
    setka::io::ElementFilePieces pieces(file, cpu, 1 << 16);
    while (const auto piece = pieces.next()) {
      for (std::int64_t i = 0; i < piece->blocks * piece->rows * setka::fem::block_lanes; ++i) {
        if (piece->index[i] < -1 || piece->index[i] >= file.unknowns()) std::abort();
      }
    }
  });
}
