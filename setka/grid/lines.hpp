// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <initializer_list>

#include "setka/exec/annotations.hpp"

namespace setka::grid {

/// All lines of a grid along one axis. Row i of line o * inner + j lies at
/// o * outer_stride + i * row_stride + j * inner_stride. A grid with a border is described by larger strides
/// and a view that begins at its first inner value.
struct Lines {
  std::int64_t outer = 1;
  std::int64_t rows = 0;  // of each line
  std::int64_t inner = 1;
  std::int64_t outer_stride = 0;
  std::int64_t row_stride = 1;
  std::int64_t inner_stride = 0;

  /// The lines along an axis of a grid without gaps, [n0, n1, ..], last index fastest; axis 0 is the slowest.
  static Lines along(int axis, std::initializer_list<std::int64_t> extents);

  SETKA_HD std::int64_t count() const { return outer * inner; }
  SETKA_HD std::int64_t begin(std::int64_t line) const {
    return line / inner * outer_stride + line % inner * inner_stride;
  }
  SETKA_HD std::int64_t place(std::int64_t line, std::int64_t row) const {
    return begin(line) + row * row_stride;
  }

  /// Entries from the first value to the last, both counted: the least size of an array of them.
  std::int64_t span() const;
};

}  // namespace setka::grid
