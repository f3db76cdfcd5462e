// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/sparse/block_csr.hpp"

/// Products and transposes of block matrices on the device that both are on, in double precision; the same
/// bits at every run and for every number of threads. Shapes of blocks: those that multigrid meets
/// (block_shapes.hpp).
namespace setka::sparse {

/// C = A B
BlockCsr<double> multiply(const BlockCsr<double>& a, const BlockCsr<double>& b);

/// C = R A P of a symmetric A, where R is the transpose of P; on a GPU in parts where memory is short.
BlockCsr<double> galerkin(const BlockCsr<double>& r, const BlockCsr<double>& a, const BlockCsr<double>& p);

/// The same for so many rows of the product at once: A P is never there as a whole, and rows of it that two
/// parts need are computed twice.
BlockCsr<double> galerkin_in_parts(const BlockCsr<double>& r, const BlockCsr<double>& a,
                                   const BlockCsr<double>& p, std::int32_t rows_at_once);

BlockCsr<double> transpose(const BlockCsr<double>& matrix);

}  // namespace setka::sparse
