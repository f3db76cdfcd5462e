// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// An estimate from below, within some per cent, of the highest eigenvalue of D^-1 A, where D are the
/// diagonal blocks; by so many steps of Lanczos' method from a fixed random start, in single precision.
double highest_eigenvalue(const sparse::BlockCsr<float>& a, exec::View<const float> inverse_blocks,
                          int steps);

}  // namespace setka::solve
