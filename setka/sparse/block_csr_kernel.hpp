// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::sparse {

/// How kernels see a BlockCsr.
template <class T>
struct BlockCsrView {
  std::int32_t rows;
  std::int32_t columns;
  const std::int32_t* offset;
  const std::int32_t* column;
  const T* value;
};

namespace kernel {

/// What becomes of the sums of a block row: y = s (A x) + t z.
template <class T>
struct Store {
  T s;
  T t;
  const T* z;
  T* y;

  template <int H>
  SETKA_HD void row(std::int64_t i, const T (&sum)[H]) const {
    for (int r = 0; r < H; ++r) y[i * H + r] = t == T(0) ? s * sum[r] : s * sum[r] + t * z[i * H + r];
  }
};

}  // namespace kernel
}  // namespace setka::sparse
