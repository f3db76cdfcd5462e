// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/exec/matrix_tile.cuh"
#include "setka/sparse/column_tiles_kernel.hpp"

/// Y = A X by tiles: a thread block brings the rows of X that its tile needs into shared memory, then each of
/// its warps multiplies pairs of block rows on the matrix instructions of double precision. Of the eight rows
/// of a matrix tile six are used. Two thread blocks share a multiprocessor: one multiplies while the other
/// waits for X.
///
/// Bytes a tile of r rows and c columns reads: 768 c of X for 32 columns, 1950 r of A (27 blocks a row). In a
/// mesh of hexahedra c is about 5 r, so that X comes five times instead of 27 times out of the second-level
/// cache. On an H200 the matrix instructions are half busy and that cache two thirds. Slower were: one thread
/// block a multiprocessor with tiles of twice the size (4 %), values of A by asynchronous copies through
/// shared memory (70 %), values that are not asked for a stage ahead (30 %).
namespace setka::sparse::cuda {

namespace tuning {
inline constexpr int tile_warps = 8;    // of a thread block, of which two share a multiprocessor
inline constexpr int stage_groups = 5;  // groups of entries whose values of A are asked for together
}  // namespace tuning

namespace {

constexpr int warp_lanes = 32;
constexpr int size = 3;  // of blocks

/// Rows of X lie in words of two columns. Four nodes whose numbers differ in their last two bits are read
/// without conflict: their words are shifted against each other.
__device__ int swizzled(int word, int node) {
  return word ^ 2 * (node & 3);
}

/// A pair of rows of the tile, in shared memory: what the loops would wait for in device memory.
struct PairInTile {
  int first_entry;  // among those of the tile
  int groups;
  std::int32_t row[2];  // -1: none
  std::int32_t begin[2];
  int across[2];  // doubles of a scalar row
};

/// Some entries of a pair, of which the values of A come together.
struct Stage {
  int pair;
  int base;  // the first group
};

/// A lane's part of the products of its warp.
template <int Tiles>
struct TileOfLane {
  static constexpr int words = 4 * Tiles;  // of a row of X
  using Left = double[tuning::stage_groups][size];

  const double* value;  // of the matrix
  const double2* x;     // in shared memory, as the rest
  const PairInTile* pairs;
  const std::uint32_t* entries;
  int count;  // of pairs
  int lane;
  int row;    // of the matrix tile of A; the last two stay empty
  int which;  // of the two rows of a pair

  __device__ bool idle() const { return row >= 2 * size; }
  __device__ bool ends_pair(const Stage& stage) const {
    return stage.base + tuning::stage_groups >= pairs[stage.pair].groups;
  }

  /// The stage after this one; its pair is not below `count` when there is none.
  __device__ Stage after(const Stage& stage) const {
    if (ends_pair(stage)) return {stage.pair + tuning::tile_warps, 0};
    return {stage.pair, stage.base + tuning::stage_groups};
  }

  __device__ void fetch(const Stage& stage, Left& left) const {
    const PairInTile& pair = pairs[stage.pair];
    const std::uint32_t* const own = entries + pair.first_entry + stage.base * tile_group + lane % 4;
    const double* const values =
        value + std::int64_t{pair.begin[which]} * (size * size) + (row - which * size) * pair.across[which];
#pragma unroll
    for (int g = 0; g < tuning::stage_groups; ++g) {
      int at = TileEntry::none;
      if (stage.base + g < pair.groups) at = TileEntry::place(own[g * tile_group], which);
      const bool there = at != TileEntry::none && !idle();
#pragma unroll
      for (int s = 0; s < size; ++s) left[g][s] = there ? values[at * size + s] : 0.0;
    }
  }

  __device__ void multiply(const Stage& stage, const Left& left, double (&c)[Tiles][2]) const {
    const PairInTile& pair = pairs[stage.pair];
    const std::uint32_t* const own = entries + pair.first_entry + stage.base * tile_group + lane % 4;
#pragma unroll
    for (int g = 0; g < tuning::stage_groups; ++g) {
      if (stage.base + g >= pair.groups) break;
      const int node = TileEntry::column(own[g * tile_group]);
      const double2* const from = x + node * (size * words) + swizzled(lane / 4, node);
#pragma unroll
      for (int s = 0; s < size; ++s) {
#pragma unroll
        for (int t = 0; t < Tiles / 2; ++t) {
          const double2 right = from[s * words + 8 * t];
          exec::cuda::multiply_tile(c[2 * t], left[g][s], right.x);
          exec::cuda::multiply_tile(c[2 * t + 1], left[g][s], right.y);
        }
      }
    }
  }

  /// Writes the sums of a pair and sets them back.
  __device__ void store(const Stage& stage, exec::MultiView<double> y, double (&c)[Tiles][2]) const {
    const std::int32_t i = idle() ? -1 : pairs[stage.pair].row[which];
    double* const to = &y(std::int64_t{i} * size + (row - which * size), 4 * (lane % 4));
#pragma unroll
    for (int t = 0; t < Tiles; t += 2) {
      if (i >= 0) {
        reinterpret_cast<double2*>(to + 8 * t)[0] = {c[t][0], c[t + 1][0]};
        reinterpret_cast<double2*>(to + 8 * t)[1] = {c[t][1], c[t + 1][1]};
      }
      c[t][0] = c[t][1] = c[t + 1][0] = c[t + 1][1] = 0;
    }
  }
};

/// Column 16 p + 2 n + v of X is column n of matrix tile 2 p + v: a lane loads and stores neighbouring
/// entries.
template <int Tiles>
__global__ void __launch_bounds__(tuning::tile_warps* warp_lanes, 2)
    multiply_tiles_kernel(BlockCsrView<double> a, ColumnTilesView tiles, exec::MultiView<const double> x,
                          exec::MultiView<double> y) {
  using Own = TileOfLane<Tiles>;
  constexpr int words = Own::words;
  constexpr int threads = tuning::tile_warps * warp_lanes;
  extern __shared__ double2 room[];
  auto* const pairs = reinterpret_cast<PairInTile*>(room + tiles.most_columns * size * words);
  auto* const entries = reinterpret_cast<std::uint32_t*>(pairs + tiles.most_pairs);

  const std::int64_t tile = blockIdx.x;
  const int thread = static_cast<int>(threadIdx.x);
  const std::int32_t first_pair = tiles.first_pair[tile];
  const int count = tiles.first_pair[tile + 1] - first_pair;
  const std::int32_t first_column = tiles.first_column[tile];
  const int columns = tiles.first_column[tile + 1] - first_column;
  const int word = thread % words;
#pragma unroll 4
  for (int node = thread / words; node < columns; node += threads / words) {
    const double* const from =
        x.data + std::int64_t{tiles.column[first_column + node]} * size * x.stride + 2 * word;
    double2* const to = room + node * (size * words) + swizzled(word, node);
#pragma unroll
    for (int s = 0; s < size; ++s)
      __pipeline_memcpy_async(to + s * words, from + s * x.stride, sizeof(double2));
  }
  const std::int32_t first_entry = tiles.first_entry[first_pair];
  const int entry_groups = (tiles.first_entry[first_pair + count] - first_entry) / tile_group;
  for (int i = thread; i < entry_groups; i += threads) {
    __pipeline_memcpy_async(entries + tile_group * i, tiles.entry + first_entry + tile_group * i,
                            tile_group * sizeof(std::uint32_t));
  }
  __pipeline_commit();
  for (int i = thread; i < 2 * count; i += threads) {
    PairInTile& pair = pairs[i / 2];
    const int which = i % 2;
    const std::int32_t row = tiles.pair[2 * first_pair + i];
    const std::int32_t begin = row < 0 ? 0 : a.offset[row];
    pair.row[which] = row;
    pair.begin[which] = begin;
    pair.across[which] = row < 0 ? 0 : size * (a.offset[row + 1] - begin);
    if (which == 0) {
      const std::int32_t at = tiles.first_entry[first_pair + i / 2];
      pair.first_entry = at - first_entry;
      pair.groups = (tiles.first_entry[first_pair + i / 2 + 1] - at) / tile_group;
    }
  }
  __pipeline_wait_prior(0);
  __syncthreads();

  const int lane = thread % warp_lanes;
  const Own own{a.value, room, pairs, entries, count, lane, lane / 4, lane / 4 < size ? 0 : 1};
  double c[Tiles][2] = {};
  typename Own::Left first;
  typename Own::Left second;
  Stage stage{thread / warp_lanes, 0};
  if (stage.pair < count) own.fetch(stage, first);
  // The values of the next stage are on their way while one is multiplied.
  const auto step = [&](const typename Own::Left& now, typename Own::Left& next) {
    if (stage.pair >= count) return false;
    const Stage following = own.after(stage);
    if (following.pair < count) own.fetch(following, next);
    own.multiply(stage, now, c);
    if (own.ends_pair(stage)) own.store(stage, y, c);
    stage = following;
    return true;
  };
  while (step(first, second) && step(second, first)) {
  }
}

template <int Tiles>
void launch_tiles(const exec::Stream& stream, const BlockCsrView<double>& a, const ColumnTilesView& tiles,
                  exec::MultiView<const double> x, exec::MultiView<double> y) {
  cudaStream_t native = exec::cuda::enter(stream);
  const std::size_t bytes =
      static_cast<std::size_t>(tiles.most_columns) * size * 4 * Tiles * sizeof(double2) +
      static_cast<std::size_t>(tiles.most_entries) * sizeof(std::uint32_t) +
      static_cast<std::size_t>(tiles.most_pairs) * sizeof(PairInTile);
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(
      multiply_tiles_kernel<Tiles>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  multiply_tiles_kernel<Tiles>
      <<<static_cast<unsigned>(tiles.tiles), tuning::tile_warps * warp_lanes, bytes, native>>>(a, tiles, x,
                                                                                               y);
  SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_tiles");
}

}  // namespace

void multiply_tiles(const exec::Stream& stream, const BlockCsrView<double>& a, const ColumnTilesView& tiles,
                    exec::MultiView<const double> x, exec::MultiView<double> y) {
  for (std::int64_t first = 0; first < x.columns;) {
    const std::int64_t left = x.columns - first;
    const exec::MultiView<const double> from{x.data + first, x.rows, left, x.stride};
    const exec::MultiView<double> to{y.data + first, y.rows, left, y.stride};
    if (left >= 32) {
      launch_tiles<4>(stream, a, tiles, from, to);
      first += 32;
    } else {
      launch_tiles<2>(stream, a, tiles, from, to);
      first += 16;
    }
  }
}

}  // namespace setka::sparse::cuda
