// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// A coarse level whose block rows are some of the fine ones, by its prolongation P. A coarse block has the
/// unknowns of the fine one that it is, and may have more behind them: rotations beside displacements.
///
/// Unknowns that P alone would leave with hardly any stiffness, as rotations that are the same everywhere,
/// are held by springs: `gap` are their lengths, which every mode leaves at zero, over the coarse unknowns.
///
/// A member of a team has that of its own rows; columns behind those of its kept blocks are blocks that
/// others keep.
struct Interpolation {
  std::vector<std::int32_t> kept;    // [coarse block rows] the fine ones they are
  std::vector<std::int32_t> beside;  // [columns of others] the ghosts they are, ascending
  std::vector<std::int32_t> offset;  // [fine block rows + 1]
  std::vector<std::int32_t> column;  // ascending within a row
  std::vector<double> value;         // as in a BlockCsr; blocks of [those of the fine level, width]
  std::vector<double> weight;        // in their place, where each block is a multiple of the identity
  std::vector<std::int8_t>
      unknown;  // with weights: [fine rows, of ghosts too] 0: it fills a block, and its entries are zero
  std::vector<double> gap;         // blocks in the places of those of P; empty: no springs
  std::vector<double> more_modes;  // [coarse block rows, unknowns behind, modes]

  bool empty() const { return kept.empty(); }

  /// Unknowns of a coarse block over fine ones of that height.
  int width(int height) const {
    return value.empty() ? height : static_cast<int>(value.size() / column.size()) / height;
  }
};

/// Whether the sizes of its parts fit each other and a level of so many block rows and modes.
bool fits(const Interpolation& interpolation, std::int32_t rows, int height, int modes);

/// The values of P on a device, those of weights made there.
exec::Array<double> values_of(const Interpolation& interpolation, int height, const exec::Device& device);

/// P on the device of the matrix that it is for.
sparse::BlockCsr<double> prolongation_of(const Interpolation& interpolation,
                                         const sparse::BlockCsr<double>& fine);

/// The gaps likewise, where there are some.
std::optional<sparse::BlockCsr<double>> gaps_of(const Interpolation& interpolation,
                                                const sparse::BlockCsr<double>& fine);

/// From modes of the fine level, [block rows, height, modes], to those of the coarse one, on their device.
exec::Array<double> coarse_modes(const Interpolation& interpolation, int height, int modes,
                                 const exec::Array<double>& fine);

/// Of `values`, [block rows, width], those of the rows that are kept.
std::vector<double> kept_rows(const std::vector<std::int32_t>& kept, int width,
                              const std::vector<double>& values);

/// The rows from 0 on of an interpolation over rows and then ghosts: what a member of a team has of it.
Interpolation first_rows(const Interpolation& all, std::int32_t rows, int height, int modes);

/// The same with other numbers of the columns, which need not ascend as the old ones do; it has no columns of
/// others any more.
Interpolation renumbered(Interpolation interpolation, int height, std::span<const std::int32_t> number);

/// Adds the stiffness of the springs to the coarse matrix P'AP: G'KG, where a row of the diagonal K is
/// `share` of the mean stiffness of the unknowns of the same row of A. left, gaps: G with its columns
/// numbered as the rows and as the columns of the coarse matrix.
void add_springs(const sparse::BlockCsr<double>& fine, const sparse::BlockCsr<double>& left,
                 const sparse::BlockCsr<double>& gaps, double share, sparse::BlockCsr<double>& coarse);

}  // namespace setka::solve
