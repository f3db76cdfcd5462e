// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr_kernel.hpp"

namespace setka::sparse {

inline constexpr int tile_group = 4;  // entries of a pair that are multiplied together

/// A block column that a pair of rows meets: its place among the columns of the tile, and its places in the
/// two rows.
struct TileEntry {
  static constexpr int bits = 10;
  static constexpr int none = (1 << bits) - 1;  // the row does not have it

  SETKA_HD static std::uint32_t pack(int column, int first, int second) {
    return static_cast<std::uint32_t>(column) << (2 * bits) | static_cast<std::uint32_t>(first) << bits |
           static_cast<std::uint32_t>(second);
  }
  SETKA_HD static int column(std::uint32_t entry) { return static_cast<int>(entry >> (2 * bits)); }
  SETKA_HD static int place(std::uint32_t entry, int row) {
    return static_cast<int>(row == 0 ? entry >> bits & none : entry & none);
  }
};

/// How kernels see ColumnTiles.
struct ColumnTilesView {
  std::int64_t tiles;
  int most_columns;  // of a tile
  int most_entries;
  int most_pairs;
  const std::int32_t* first_column;
  const std::int32_t* column;
  const std::int32_t* first_pair;
  const std::int32_t* pair;
  const std::int32_t* first_entry;
  const std::uint32_t* entry;
};

namespace cuda {

/// Defined in column_tiles.cu. Columns in multiples of 16, rows of X and Y in whole 16-byte words.
void multiply_tiles(const exec::Stream& stream, const BlockCsrView<double>& a, const ColumnTilesView& tiles,
                    exec::MultiView<const double> x, exec::MultiView<double> y);

}  // namespace cuda
}  // namespace setka::sparse
