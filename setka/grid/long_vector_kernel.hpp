// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::grid::kernel {

/// One value a thread: the vectors of a step begin at any place, so that words of 16 bytes would fit for some
/// lengths only.
template <class T>
struct VectorAdd {
  const T* x;
  const T* y;
  T* z;
  SETKA_HD void operator()(std::int64_t i) const { z[i] = x[i] + y[i]; }
};

template <class T>
struct VectorSaxpy {
  T a;
  const T* x;
  T b;
  T* y;
  SETKA_HD void operator()(std::int64_t i) const { y[i] = a * x[i] + b * y[i]; }
};

/// Places 0 .. 4 (width - 1) - 1 around a square, width nodes a side.
template <class T>
struct ZeroBorder {
  T* v;
  std::int64_t width;
  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t side = width - 1;
    const std::int64_t k = i % side;
    const std::int64_t at = i < side       ? k                     // the first row
                            : i < 2 * side ? k * width + side      // the last column
                            : i < 3 * side ? side * width + k + 1  // the last row
                                           : (k + 1) * width;      // the first column
    v[at] = T(0);
  }
};

}  // namespace setka::grid::kernel
