// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/exec/parallel.hpp"

namespace setka::analysis {

/// The nodes whose sums are one thread's: a few neighbours at a time, so that all threads have some of the
/// nodes of any elements.
class NodeShare {
 public:
  NodeShare(int thread, int threads)
      : thread_(static_cast<std::uint32_t>(thread)), threads_(static_cast<std::uint32_t>(threads)) {}
  bool has(std::int32_t node) const {
    // A number that looks random, scaled to the number of threads: cheaper than a remainder.
    const std::uint32_t mixed = (static_cast<std::uint32_t>(node) / neighbours * 2654435769U) >> 16;
    return mixed * threads_ >> 16 == thread_;
  }

 private:
  static constexpr std::uint32_t neighbours = 32;
  std::uint32_t thread_;
  std::uint32_t threads_;
};

/// body(share) for the share of every thread.
template <class Body>
void for_each_share(int threads, const Body& body) {
  exec::host::for_each(threads, threads, 1,
                       [&](std::int64_t t) { body(NodeShare(static_cast<int>(t), threads)); });
}

/// compute(element, own) by all threads, then add(element, own, share), which adds to the nodes of a share
/// alone, by the thread that has it, one element after the other: sums over elements come out the same for
/// every number of threads. own: a vector that keeps its memory.
template <class Compute, class Add>
void sum_over_elements(int threads, std::int32_t elements, const Compute& compute, const Add& add) {
  const std::int32_t batch = 2048 * std::min(threads, 16);  // their values stay in the caches
  std::vector<std::vector<double>> own(static_cast<std::size_t>(std::min(batch, elements)));
  for (std::int32_t first = 0; first < elements; first += batch) {
    const std::int32_t count = std::min(batch, elements - first);
    exec::host::for_each(threads, count, 32, [&](std::int64_t i) {
      compute(first + static_cast<std::int32_t>(i), own[static_cast<std::size_t>(i)]);
    });
    for_each_share(count > 32 ? threads : 1, [&](const NodeShare& share) {
      for (std::int32_t i = 0; i < count; ++i) add(first + i, own[static_cast<std::size_t>(i)], share);
    });
  }
}

}  // namespace setka::analysis
