// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of Gmsh, text and binary; scripts/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "refuse_or_read.hpp"
#include "setka/io/msh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  return setka::fuzz::refuse_or_read(
      [&](setka::Monitor& monitor) { setka::io::read_msh_text(bytes, "fuzz.msh", {}, monitor); });
}
