// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::sparse::kernel {

/// Adds to the entries of a matrix of 1 x 1 blocks; each of them is there once. Columns ascend within a row.
struct AddEntries {
  BlockCsrView<double> a;
  double* values;              // of a
  const std::int32_t* row;     // [entries]
  const std::int32_t* column;  // [entries], of the pattern of a
  const double* added;         // [entries]

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t end = a.offset[row[i] + 1];
    values[first_not_below(a.column, a.offset[row[i]], end, column[i])] += added[i];
  }
};

}  // namespace setka::sparse::kernel
