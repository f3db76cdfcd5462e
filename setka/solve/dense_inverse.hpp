// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// The inverse of a small symmetric matrix as a full block matrix, so that solving is a product. Unknowns
/// without stiffness and motions that nothing holds are answered with zero (the pseudo-inverse). Computed on
/// the host, on the matrix's device in the end.
sparse::BlockCsr<double> dense_inverse(const sparse::BlockCsr<double>& a);

}  // namespace setka::solve
