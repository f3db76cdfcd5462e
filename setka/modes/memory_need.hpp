// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "setka/exec/device.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/iterative.hpp"
#include "setka/modes/modes.hpp"

namespace setka::modes {

/// Bytes that LOBPCG or subspace iteration take on a device, beside what lies there already.
struct MemoryNeed {
  std::uint64_t matrices = 0;  // copies of K and M, and K + alpha M
  /// The hierarchy of multigrid while it is made, and its vectors; diagonal blocks and vectors of a
  /// polynomial; both factors of an approximate inverse.
  std::uint64_t preconditioner = 0;
  std::uint64_t blocks = 0;  // of vectors

  std::uint64_t total() const { return matrices + preconditioner + blocks; }
};

/// An estimate from the sizes of the matrices: between once and twice what is taken in the end. Where nothing
/// is assembled, without what the products take for themselves.
MemoryNeed memory_need(const EigenSystem& system, const Request& request, const Iteration& iteration,
                       const exec::Device& device);

/// What is needed and what is free, as one phrase; empty where it fits.
std::string lack_of_memory(const MemoryNeed& need, std::int64_t unknowns, const exec::Device& device);

}  // namespace setka::modes
