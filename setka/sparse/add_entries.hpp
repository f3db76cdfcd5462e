// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::sparse {

/// a[row[i], column[i]] += value[i], for a matrix of 1 x 1 blocks and views in the memory of its device. Each
/// entry is named once at most and is in the pattern of the matrix. On a GPU it returns before the work is
/// done.
void add_entries(const exec::Stream& stream, exec::View<const std::int32_t> row,
                 exec::View<const std::int32_t> column, exec::View<const double> value, BlockCsr<double>& a);

}  // namespace setka::sparse
