// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/exec/parallel.hpp"

namespace setka::analysis {

/// compute(element, own) by all threads, then add(element, own) one element after the other: sums over
/// elements come out the same for every number of threads. own: a vector that keeps its memory.
template <class Compute, class Add>
void sum_over_elements(int threads, std::int32_t elements, const Compute& compute, const Add& add) {
  constexpr std::int32_t batch = 2048;  // their values stay in the caches
  std::vector<std::vector<double>> own(static_cast<std::size_t>(std::min(batch, elements)));
  for (std::int32_t first = 0; first < elements; first += batch) {
    const std::int32_t count = std::min(batch, elements - first);
    exec::host::for_each(threads, count, 32, [&](std::int64_t i) {
      compute(first + static_cast<std::int32_t>(i), own[static_cast<std::size_t>(i)]);
    });
    for (std::int32_t i = 0; i < count; ++i) add(first + i, own[static_cast<std::size_t>(i)]);
  }
}

}  // namespace setka::analysis
