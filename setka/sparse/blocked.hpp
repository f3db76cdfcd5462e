// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::sparse {

/// Blocks that a matrix has when cut into squares of that size; its rows and columns are multiples of it.
std::int64_t count_blocks(const Csr& matrix, int size, int threads);

/// The matrix in square blocks, filled with zeros where it has no entries; at most 2^31 - 1 blocks.
BlockCsr<double> blocked(const exec::Device& cpu, const Csr& matrix, int size);

/// The upper triangle of a symmetric matrix in host memory, without the zeros that fill its blocks.
SymmetricCsr upper_triangle(const BlockCsr<double>& matrix);

}  // namespace setka::sparse
