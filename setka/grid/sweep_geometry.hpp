// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "setka/grid/lines.hpp"

/// How the fused sweeps of a GPU share lines out among blocks of threads: what launches follow, and where
/// their time goes in steps.
namespace setka::grid::cuda {

constexpr int warp = 32;

/// A team of blocks, a cluster where it is more than one, has a line or a group of neighbouring lines.
struct Geometry {
  std::int64_t teams = 0;  // none: the lines are too long
  int blocks = 1;          // of a team
  int threads = 0;         // of a block
  int width = 1;           // lines of a team
  int rows = 0;            // of a thread

  /// Whether lines of another length are shared out in the same way.
  bool is_like(const Geometry& other) const {
    return blocks == other.blocks && threads == other.threads && width == other.width && rows == other.rows;
  }
};

/// How many teams a device has room for at the same time, with one block on a multiprocessor at most, with
/// two and so on, as many as one can have; nothing where the device cannot run them.
using Room = std::vector<std::int64_t>;

/// Lines along memory. Kernels are built for max_threads; with coefficients in memory 256 leave room for a
/// second block on a multiprocessor, and longer lines take a cluster.
struct AlongMemory {
  static constexpr int max_threads = 512;
  static constexpr int threads_with_bands = 256;
  static constexpr int max_warps = warp;  // of a line
  static constexpr int rows = 16;         // of a thread
  static constexpr int rows_of_short_lines = 4;
  static constexpr int short_line = rows_of_short_lines * warp;
  /// A piece takes as many bytes in float as in double.
  template <class T>
  static constexpr int rows_of_long_lines = rows * sizeof(double) / sizeof(T);

  template <class T>
  static Geometry of(const Lines& lines, bool constant) {
    Geometry geometry;
    geometry.rows = lines.rows <= short_line                     ? rows_of_short_lines
                    : lines.rows <= rows_of_long_lines<T> * warp ? rows
                                                                 : rows_of_long_lines<T>;
    const std::int64_t most = constant ? max_threads : threads_with_bands;
    const std::int64_t pieces = (lines.rows + geometry.rows - 1) / geometry.rows;
    if (pieces > std::int64_t{max_warps} * warp) return {};
    geometry.teams = lines.count();
    geometry.blocks = static_cast<int>((pieces + most - 1) / most);
    const std::int64_t threads = (pieces + geometry.blocks - 1) / geometry.blocks;
    geometry.threads = static_cast<int>((threads + warp - 1) / warp * warp);
    return geometry;
  }
};

/// Lines across memory, with coefficients in memory: every thread loads its own rows; three of their four
/// numbers lie in shared memory, the fourth in registers. Rows of a group of neighbouring lines are 128 bytes
/// where they can be, for memory gives 64 at half the rate; that takes 512 threads, all that a multiprocessor
/// has room for, where lines are longer than what a cluster of blocks of 256 holds.
template <class T>
struct AcrossLoaded {
  static constexpr int rows = 128 / sizeof(T);  // as many bytes in float as in double
  static constexpr int threads = 256;
  static constexpr int max_threads = 512;
  static constexpr int good_width = 128 / sizeof(T);
  static constexpr int min_pieces = threads / good_width;  // of a line in a block of a cluster
  static constexpr int min_width = good_width / 2;
};

/// With constant coefficients the right-hand side alone is on the chip. A block has a tile of 64 KB of it in
/// shared memory, so that three fit a multiprocessor and one computes while others load. Pieces are long:
/// making one of all pieces of a line costs more instructions a piece than 16 rows of elimination do.
template <class T>
struct AcrossTile {
  static constexpr int rows = 64;
  static constexpr int threads = 1024 / sizeof(T);
  static constexpr int max_threads = threads;
  static constexpr int good_width = 128 / sizeof(T);
  static constexpr int min_pieces = 8;
  static constexpr int min_width = 32 / sizeof(T);  // a sector
  static constexpr int at_once = 16;                // rows in registers
  static constexpr int unit = 16 / sizeof(T);
};

template <class Way>
Geometry across_geometry(const Lines& lines) {
  constexpr std::int64_t max_blocks = 8;  // of a cluster, without asking for more
  const auto power = [](std::int64_t n) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  };
  const std::int64_t pieces = (lines.rows + Way::rows - 1) / Way::rows;
  // The fewest pieces a block that a cluster can hold: the widest groups.
  const std::int64_t shared =
      std::max<std::int64_t>(Way::min_pieces, power((pieces + max_blocks - 1) / max_blocks));
  const std::int64_t per_block = std::min(power(pieces), shared);
  if (per_block * Way::min_width > Way::max_threads) return {};
  const std::int64_t widest = std::max(Way::threads / per_block,
                                       std::min<std::int64_t>(Way::good_width, Way::max_threads / per_block));
  Geometry geometry;
  geometry.rows = Way::rows;
  geometry.width = static_cast<int>(
      std::min(widest, std::max({std::int64_t{Way::min_width}, power(lines.inner), warp / per_block})));
  geometry.blocks = static_cast<int>((pieces + per_block - 1) / per_block);
  geometry.threads = static_cast<int>(per_block) * geometry.width;
  geometry.teams = lines.outer * ((lines.inner + geometry.width - 1) / geometry.width);
  return geometry;
}

/// Of many lines of so many rows, of doubles.
inline Geometry fused_geometry(std::int64_t rows, bool along, bool constant) {
  constexpr std::int64_t many = std::int64_t{1} << 20;
  if (along) return AlongMemory::of<double>(Lines::along(1, {many, rows}), constant);
  const Lines lines = Lines::along(0, {rows, many});
  return constant ? across_geometry<AcrossTile<double>>(lines) : across_geometry<AcrossLoaded<double>>(lines);
}

}  // namespace setka::grid::cuda
