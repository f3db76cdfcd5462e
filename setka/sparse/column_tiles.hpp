// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "setka/exec/array.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/column_tiles_kernel.hpp"

namespace setka::sparse {

/// How large tiles become. By default two of them with 32 columns of X share the 227 kB of fast memory of an
/// H200's multiprocessor.
struct TileLimits {
  int rows = 32;
  int columns = 138;  // block columns that meet one of the rows: three rows of X each in fast memory
  int blocks = 1600;  // of the rows together
};

/// Rows of a matrix of 3 x 3 blocks, gathered into tiles that share most of their columns, so that a GPU
/// keeps what a tile needs of X in its fast memory while it multiplies: in a mesh of hexahedra a row of X is
/// loaded about five times instead of 27 times. Depends on the structure alone; matrices of the same
/// structure share it. 8 bytes a block of the matrix, at most.
///
/// A tile grows from the first free row by the row that adds the fewest columns, of those the one with most
/// neighbours in the tile; then its rows are paired by what they have in common.
class ColumnTiles {
 public:
  /// None where tiles would not serve: blocks of another shape, a matrix that is not square, a row of more
  /// columns than a tile may have. The work is the host's; the answer does not depend on its threads.
  static std::optional<ColumnTiles> of(const BlockCsr<double>& a, const TileLimits& limits = {});

  const exec::Device& device() const { return first_column_.device(); }
  std::int32_t rows() const { return rows_; }
  std::int64_t count() const { return first_column_.size() - 1; }
  std::size_t bytes() const;

  /// Columns of all tiles over rows of the matrix: how often a row of X is loaded.
  double loads() const;

  ColumnTilesView view() const;

 private:
  explicit ColumnTiles(const exec::Device& device);

  std::int32_t rows_ = 0;
  int most_columns_ = 0;
  int most_entries_ = 0;
  int most_pairs_ = 0;
  exec::Array<std::int32_t> first_column_;  // [tiles + 1]
  exec::Array<std::int32_t> column_;
  exec::Array<std::int32_t> first_pair_;   // [tiles + 1]
  exec::Array<std::int32_t> pair_;         // [pairs, 2] rows, the second -1 where there is none
  exec::Array<std::int32_t> first_entry_;  // [pairs + 1], multiples of tile_group
  exec::Array<std::uint32_t> entry_;
};

/// Y = A X for every column; A has the structure of the tiles. Where X has no whole panel of 16 columns, or
/// on the CPU, it is the product without tiles.
void multiply(const exec::Stream& stream, const BlockCsr<double>& a, const ColumnTiles& tiles,
              exec::MultiViewOf<const double> x, exec::MultiViewOf<double> y);

}  // namespace setka::sparse
