// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/arithmetic.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec::test_kernel {

/// How often each index was visited.
struct CountVisits {
  View<std::int32_t> visits;
  SETKA_HD void operator()(std::int64_t i) const { visits[i] += 1; }
};

/// Largest value with the smallest index that has it: a reduction to a value of several parts.
struct LargestWithIndex {
  struct Value {
    double value;
    std::int64_t index;
  };
  View<const double> x;
  SETKA_HD static Value identity() { return {-1e300, -1}; }
  SETKA_HD static Value combine(Value a, Value b) {
    if (a.value > b.value) return a;
    if (b.value > a.value) return b;
    return (b.index < 0 || (a.index >= 0 && a.index < b.index)) ? a : b;
  }
  SETKA_HD Value operator()(std::int64_t i) const { return {x[i], i}; }
};

template <class T>
struct Reciprocals {
  View<T> x;
  SETKA_HD void operator()(std::int64_t i) const { x[i] = reciprocal(x[i]); }
};

/// Writes where nothing is: a kernel that fails.
struct WriteNowhere {
  double* nowhere;
  SETKA_HD void operator()(std::int64_t i) const { nowhere[i] = 1; }
};

}  // namespace setka::exec::test_kernel
