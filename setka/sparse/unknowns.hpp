// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

/// The unknowns among the scalar rows of a matrix of blocks. place[q] is the row of unknown q; the other rows
/// fill blocks up, hold zeros and couple to nothing. An empty list stands for all rows.
namespace setka::sparse {

/// The upper triangle, in host memory, over the unknowns alone: for factorisations.
SymmetricCsr over_unknowns(const BlockCsr<double>& matrix, std::span<const std::int32_t> place);

/// The same in two steps, of which the first needs no values: the pattern, without room for them, and what
/// they are. Of the first the pattern alone is read, in host memory, and it names the unknowns; those of a
/// node have the columns of all of its blocks. Matrix and pattern have to outlive the rows.
SymmetricCsr structure_over_unknowns(const BlockCsrView<double>& pattern, int size,
                                     std::span<const std::int32_t> place, int threads);
SymmetricRows rows_over_unknowns(const BlockCsr<double>& matrix, std::span<const std::int32_t> place,
                                 const SymmetricCsr& pattern);

/// From values of all rows to those of the unknowns.
std::vector<double> collect(std::span<const std::int32_t> place, std::vector<double> values);

/// And back, with zeros at the other ones of so many rows.
std::vector<double> spread(std::span<const std::int32_t> place, std::int64_t rows, std::vector<double> q);

}  // namespace setka::sparse
