// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/array.hpp"
#include "setka/sparse/block_csr_kernel.hpp"

/// What the host and the CUDA side of sparse products share.
namespace setka::sparse {

/// Where the blocks of a matrix are.
struct Structure {
  std::int32_t rows;
  const std::int32_t* offset;
  const std::int32_t* column;
};

template <class T>
Structure structure_of(const BlockCsrView<T>& a) {
  return {a.rows, a.offset, a.column};
}

/// Of a product: columns ascending in a row.
struct ProductPattern {
  exec::Array<std::int32_t> offset;
  exec::Array<std::int32_t> column;
  exec::Array<std::int32_t> row_of;  // of each block; on a GPU only
};

/// The first of ascending column[begin .. end) that is at least `wanted`, or end.
SETKA_HD inline std::int32_t first_not_below(const std::int32_t* column, std::int32_t begin, std::int32_t end,
                                             std::int32_t wanted) {
  while (begin < end) {
    const std::int32_t middle = begin + (end - begin) / 2;
    if (column[middle] < wanted) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace setka::sparse
