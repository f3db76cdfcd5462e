// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::solve::kernel {

/// Repeatable noise in [-1, 1] from the position (splitmix64).
SETKA_HD inline double noise(std::int64_t i) {
  auto z = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-52 - 1;
}

/// That of the positions from `first` on.
template <class T>
struct Noise {
  T* to;
  std::int64_t first;

  SETKA_HD void operator()(std::int64_t i) const { to[i] = static_cast<T>(noise(first + i)); }
};

}  // namespace setka::solve::kernel
