// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/domains/partition.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// What the elements of one part add to a matrix.
struct PartMatrix {
  std::vector<std::int32_t> rows;   // block rows of the whole that its elements reach, ascending
  sparse::BlockCsr<double> matrix;  // [rows, rows] on the host
};

/// T'KT of the elements of each part, which is the whole in sum (Neumann matrices). A part without elements
/// has no rows. element_matrix is called by several threads at once.
std::vector<PartMatrix> part_matrices(const fem::Space& space, const fem::ElementMatrix& element_matrix,
                                      const Partition& elements, int threads);

/// What the diagonal of the whole has beyond the sum of its parts, as springs that hold what is free, is
/// given to the first part that reaches the row. whole: on the host.
void add_missing_diagonal(const sparse::BlockCsr<double>& whole, std::span<PartMatrix> parts);

}  // namespace setka::domains
