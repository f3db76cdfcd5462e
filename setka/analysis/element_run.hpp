// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/analysis/setup.hpp"
#include "setka/exec/transport.hpp"

namespace setka::analysis {

/// A run of elements, in the order that they are numbered: all of them, or those that one of several
/// processes computes, where together they have all.
struct ElementRun {
  std::int32_t first = 0;
  std::int32_t last = 0;  // one more than the last
  const exec::Transport* together = nullptr;

  /// together: processes that share the elements out; none: all are of this one.
  static ElementRun of(const Setup& setup, const exec::Transport* together = nullptr) {
    const std::int64_t all = setup.solids.element_count();
    if (together == nullptr) return {0, static_cast<std::int32_t>(all), nullptr};
    const std::int64_t p = together->number();
    return {static_cast<std::int32_t>(all * p / together->size()),
            static_cast<std::int32_t>(all * (p + 1) / together->size()), together};
  }

  std::int32_t count() const { return last - first; }

  /// Points before the first one of an element, of those that the run has.
  std::int64_t first_point(const Setup& setup, std::int32_t element) const {
    return setup.first_point(element) - setup.first_point(first);
  }

  /// Of sums over the run those over all elements.
  void collect(std::span<double> values) const {
    if (together != nullptr) together->sum(values);
  }
};

}  // namespace setka::analysis
