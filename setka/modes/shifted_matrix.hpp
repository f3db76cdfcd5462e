// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/sparse/block_csr.hpp"

namespace setka::modes {

/// K + alpha M on their device. Where the two have blocks in different places, it is made on the host.
sparse::BlockCsr<double> shifted_matrix(const sparse::BlockCsr<double>& k, double alpha,
                                        const sparse::BlockCsr<double>& m);

/// The sum of the diagonal of a matrix of square blocks, on any device.
double trace(const sparse::BlockCsr<double>& a);

}  // namespace setka::modes
