// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr_kernel.hpp"

namespace setka::sparse::cuda {

/// Y = A X with 3 x 3 blocks; columns in multiples of 16, rows of X and Y in whole 16-byte words.
void multiply_pairs(const exec::Stream& stream, const BlockCsrView<double>& a,
                    exec::MultiView<const double> x, exec::MultiView<double> y);

}  // namespace setka::sparse::cuda
