// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

/// Parts of P'AP: some coarse rows, and the fine rows that they meet.
namespace setka::sparse::kernel {

/// Whether a row of P has a column of the part.
struct MeetsColumns {
  Structure p;
  std::int32_t first;  // of the part
  std::int32_t last;   // behind it
  std::int32_t* meets;

  SETKA_HD void operator()(std::int64_t i) const {
    if (i == p.rows) {
      meets[i] = 0;
      return;
    }
    const std::int32_t end = p.offset[i + 1];
    const std::int32_t at = first_not_below(p.column, p.offset[i], end, first);
    meets[i] = at < end && p.column[at] < last ? 1 : 0;
  }
};

/// The rows that are met, and how many blocks each has.
struct ListRows {
  const std::int32_t* place;  // [rows + 1] how many are met before
  const std::int32_t* offset;
  std::int32_t* row;
  std::int32_t* blocks;  // [met rows + 1]

  SETKA_HD void operator()(std::int64_t i) const {
    if (place[i + 1] == place[i]) return;
    row[place[i]] = static_cast<std::int32_t>(i);
    blocks[place[i]] = offset[i + 1] - offset[i];
  }
};

/// Copies the rows, a share of 32 each at a time.
struct TakeRows {
  static constexpr int shares = 32;
  BlockCsrView<double> from;
  const std::int32_t* row;
  const std::int32_t* offset;
  int size;  // of a block
  std::int32_t* column;
  double* value;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t to = offset[i / shares];
    const std::int64_t first = from.offset[row[i / shares]];
    const std::int64_t count = offset[i / shares + 1] - to;
    for (std::int64_t k = i % shares; k < count; k += shares) column[to + k] = from.column[first + k];
    for (std::int64_t k = i % shares; k < count * size; k += shares)
      value[to * size + k] = from.value[first * size + k];
  }
};

/// to[i] = from[i] + by
struct ShiftOffsets {
  const std::int32_t* from;
  std::int32_t by;
  std::int32_t* to;
  SETKA_HD void operator()(std::int64_t i) const { to[i] = from[i] + by; }
};

}  // namespace setka::sparse::kernel
