// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::grid::kernel {

/// Where share `number` of `count` begins.
SETKA_HD inline std::int64_t share_begin(std::int64_t all, std::int64_t number, std::int64_t count) {
  return all * number / count;
}

/// Rows, [rows, width], whose columns are shared out, as one array a share, [rows, its columns], one after
/// the other; or back.
template <class T>
struct SharesOfRows {
  std::int64_t rows;
  std::int64_t width;
  std::int64_t count;  // of shares
  bool back;
  T* whole;
  T* shares;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t row = i / width;
    const std::int64_t column = i % width;
    const std::int64_t share = ((column + 1) * count - 1) / width;
    const std::int64_t first = share_begin(width, share, count);
    const std::int64_t columns = share_begin(width, share + 1, count) - first;
    T& in_share = shares[rows * first + row * columns + (column - first)];
    if (back) {
      whole[i] = in_share;
    } else {
      in_share = whole[i];
    }
  }
};

}  // namespace setka::grid::kernel
