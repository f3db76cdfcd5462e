// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/array.hpp"
#include "setka/solve/aggregation.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// The prolongation of smoothed aggregation that reproduces given vectors, before its smoothing.
struct Tentative {
  sparse::BlockCsr<double> matrix;   // blocks of [block of A, modes], one a row; columns orthonormal
  exec::Array<double> coarse_modes;  // [aggregates * modes, modes]
};

/// modes: [rows of A, m] on A's device, the vectors that A nearly annihilates (rigid body motions),
/// row-major. Directions that an aggregate is too small to tell apart get zero columns.
Tentative tentative_prolongation(const sparse::BlockCsr<double>& a, const Aggregates& aggregates,
                                 exec::View<const double> modes, int m);

/// P = (I - omega D^-1 A) T; inverse_blocks: of the diagonal of A, [block rows, n, n]. All on one device.
sparse::BlockCsr<double> smooth_prolongation(const sparse::BlockCsr<double>& a,
                                             exec::View<const double> inverse_blocks, double omega,
                                             const sparse::BlockCsr<double>& tentative);

/// The same where the product A T is there, which becomes P.
void smooth_product(exec::View<const double> inverse_blocks, double omega,
                    const sparse::BlockCsr<double>& tentative, sparse::BlockCsr<double>& product);

}  // namespace setka::solve
