// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// Block rows of a matrix that are inverted together, a few to a patch, each in one at most. Where elements
/// are flat, across a thin wall or at the edge of a wedge, nodes on both sides of them couple so strongly
/// that a diagonal block is far stiffer than any motion that both make: a smoother by diagonal blocks hardly
/// moves them.
struct Patches {
  exec::Array<std::int32_t> row;    // [members] ascending within a patch; patch after patch
  sparse::BlockCsr<float> inverse;  // [members, block rows]: the row of each in the inverse of its patch

  std::size_t bytes() const { return row.bytes() + inverse.bytes(); }
};

/// Rows i and j couple by s, the square root of the highest eigenvalue of D_i^-1 A_ij D_j^-1 A_ji, D the
/// diagonal blocks: beside D, A over both has eigenvalues from 1 - s to 1 + s. Those that couple by more than
/// `coupling` make patches of up to max_members, strongest first. Nothing where there are none.
///
/// a: symmetric; inverse_blocks: [block rows, n, n] of D. One pass over A on its device; what is strong is
/// sorted on the host.
std::optional<Patches> strong_patches(const sparse::BlockCsr<double>& a,
                                      exec::View<const double> inverse_blocks, double coupling,
                                      int max_members);

/// Zeros in the rows of patches; blocks: [block rows, n, n].
void clear_rows(const exec::Stream& stream, const Patches& patches, exec::View<float> blocks);

/// r = f - A x in the rows of patches alone.
void residual_of_rows(const exec::Stream& stream, const Patches& patches, const sparse::BlockCsr<float>& a,
                      exec::MultiView<const float> f, exec::MultiView<const float> x,
                      exec::MultiView<float> r);

/// Adds factor times the inverse of the patches times r to y, and to `also` where it is given.
void add_product(const exec::Stream& stream, const Patches& patches, float factor,
                 exec::MultiView<const float> r, exec::MultiView<float> y, exec::MultiView<float> also = {});

}  // namespace setka::solve
