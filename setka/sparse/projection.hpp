// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::sparse {

/// S = X'AX of a symmetric matrix: Y = A X, then X'Y. X: [rows, n], S: [n, n]; S is symmetric to the last
/// bit. Takes scratch memory of the size of X. On a GPU it returns before the work is done.
void project(const exec::Stream& stream, const BlockCsr<double>& a, exec::MultiView<const double> x,
             exec::MultiView<double> s);

}  // namespace setka::sparse
