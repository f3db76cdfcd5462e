// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/sparse/block_csr.hpp"

/// Matrices cut into pieces and put together, in block rows and columns, on the device that they are on.
namespace setka::sparse {

/// Some rows, in the order in which they are named.
BlockCsr<double> rows_of(const BlockCsr<double>& a, std::span<const std::int32_t> rows);

/// Rows first .. last - 1.
BlockCsr<double> rows_between(const BlockCsr<double>& a, std::int32_t first, std::int32_t last);

/// Columns first .. last - 1, numbered from 0.
BlockCsr<double> columns_between(const BlockCsr<double>& a, std::int32_t first, std::int32_t last);

/// The same of the first `rows` rows alone.
BlockCsr<double> columns_between(const BlockCsr<double>& a, std::int32_t rows, std::int32_t first,
                                 std::int32_t last);

/// [A B], where B has nothing but the last rows.
BlockCsr<double> side_by_side(const BlockCsr<double>& a, const BlockCsr<double>& b);

/// One above the other, on one device.
BlockCsr<double> stacked(const std::vector<const BlockCsr<double>*>& parts);

/// A + B, of the same rows and columns.
BlockCsr<double> sum(const BlockCsr<double>& a, const BlockCsr<double>& b);

/// The same with other numbers of the columns, which ascend as the old ones do: number[old].
BlockCsr<double> renumbered_columns(BlockCsr<double> a, std::span<const std::int32_t> number,
                                    std::int32_t columns);

/// Rows of the identity: block row i has its one block in column[i], and `columns` there are.
BlockCsr<double> rows_of_identity(const exec::Device& device, int block,
                                  const std::vector<std::int32_t>& column, std::int32_t columns);

}  // namespace setka::sparse
