// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/exec/matrix_tile.cuh"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

/// Products of 3 x 3 blocks with many columns on the matrix instructions of double precision.
///
/// The product is limited by what the first-level cache delivers, so a warp takes two neighbouring block
/// rows, which in a mesh share most of their columns: a row of X that both meet is loaded once, and each
/// value of A by one lane instead of a broadcast. Their six scalar rows fill an 8 x 4 tile of A but for two
/// rows. A block that only one of the two has counts as zero for the other, so a NaN in X may show in both.
namespace setka::sparse::cuda {

namespace tuning {
inline constexpr int warp = 32;
inline constexpr int pair_warps = 4;
inline constexpr int most_columns = 256;  // of two rows; longer ones are taken one at a time
}  // namespace tuning

constexpr unsigned all_lanes = 0xFFFFFFFFU;
constexpr int size = 3;  // of blocks

/// The columns that two rows have between them, ascending, and where each row has them.
struct Merged {
  std::int32_t column[tuning::most_columns];
  std::int16_t place[2][tuning::most_columns];  // -1: not in that row
  std::int16_t shared_before[tuning::most_columns + 1];
};

/// All lanes; returns how many columns there are.
__device__ int merge(const std::int32_t* first, int n, const std::int32_t* second, int m, int lane,
                     Merged& merged) {
  int shared = 0;
  for (int begin = 0; begin < n; begin += tuning::warp) {
    const int p = begin + lane;
    int q = 0;
    bool both = false;
    if (p < n) {
      q = first_not_below(second, 0, m, first[p]);
      both = q < m && second[q] == first[p];
    }
    const unsigned mask = __ballot_sync(all_lanes, both);
    const int before = shared + __popc(mask & ((1U << lane) - 1));
    if (p < n) {
      merged.shared_before[p] = static_cast<std::int16_t>(before);
      const int at = p + q - before;
      merged.column[at] = first[p];
      merged.place[0][at] = static_cast<std::int16_t>(p);
      merged.place[1][at] = static_cast<std::int16_t>(both ? q : -1);
    }
    shared += __popc(mask);
  }
  if (lane == 0) merged.shared_before[n] = static_cast<std::int16_t>(shared);
  __syncwarp();
  for (int q = lane; q < m; q += tuning::warp) {
    const int p = first_not_below(first, 0, n, second[q]);
    if (p < n && first[p] == second[q]) continue;
    const int at = p + q - merged.shared_before[p];
    merged.column[at] = second[q];
    merged.place[0][at] = -1;
    merged.place[1][at] = static_cast<std::int16_t>(q);
  }
  __syncwarp();
  return n + m - shared;
}

/// Column 16 p + 2 n + v of X is column n of tile 2 p + v: a lane loads and stores neighbouring entries.
/// Where the number of tiles is odd, the last has its columns as they lie.
template <int Tiles>
__global__ void __launch_bounds__(tuning::pair_warps* tuning::warp)
    multiply_pairs_kernel(BlockCsrView<double> a, exec::MultiView<const double> x,
                          exec::MultiView<double> y) {
  __shared__ Merged room[tuning::pair_warps];
  const int lane = static_cast<int>(threadIdx.x) % tuning::warp;
  const int warp = static_cast<int>(threadIdx.x) / tuning::warp;
  const std::int64_t pair = std::int64_t{blockIdx.x} * tuning::pair_warps + warp;
  const std::int64_t i = 2 * pair;
  if (i >= a.rows) return;
  const std::int32_t begin[2] = {a.offset[i], a.offset[i + 1]};
  const int count[2] = {begin[1] - begin[0], i + 1 < a.rows ? a.offset[i + 2] - begin[1] : 0};

  const int row = lane / 4;  // of the tile of A; the last two stay empty
  const int node = row < size ? 0 : 1;
  const bool idle = row >= 2 * size;
  const double* const values = a.value + std::int64_t{begin[node]} * (size * size) +
                               std::int64_t{row - node * size} * count[node] * size;
  // A row of X is needed in every fourth lane, so that the cache looks up a line for every 32 bytes: that is
  // what limits the kernel now. Loading whole lines and passing them on between lanes was no faster, nor were
  // four block rows a warp, whose merging costs more than they share.
  constexpr int pairs = Tiles / 2;
  constexpr bool odd = Tiles % 2 != 0;
  const double* const from = x.data + 2 * (lane / 4);
  const double* const from_last = x.data + 16 * pairs + lane / 4;
  double c[Tiles][2] = {};

  // column(u) of block u of `blocks`, and place(u) in this lane's row, -1 where it has none.
  const auto add = [&](int blocks, const auto& column, const auto& place) {
    const int n = blocks * size;
#pragma unroll 3
    for (int first = 0; first < n; first += 4) {
      const int s = first + lane % 4;
      double left = 0;
      if (s < n && !idle) {
        const int at = place(s / size);
        if (at >= 0) left = values[at * size + s % size];
      }
      double2 right[pairs + 1] = {};  // of which the last is half an odd tile's
      if (s < n) {
        const std::int64_t begins = (std::int64_t{column(s / size)} * size + s % size) * x.stride;
#pragma unroll
        for (int t = 0; t < pairs; ++t) right[t] = *reinterpret_cast<const double2*>(from + begins + 16 * t);
        if constexpr (odd) right[pairs].x = from_last[begins];
      }
#pragma unroll
      for (int t = 0; t < pairs; ++t) {
        exec::cuda::multiply_tile(c[2 * t], left, right[t].x);
        exec::cuda::multiply_tile(c[2 * t + 1], left, right[t].y);
      }
      if constexpr (odd) exec::cuda::multiply_tile(c[Tiles - 1], left, right[pairs].x);
    }
  };

  const std::int32_t* const first = a.column + begin[0];
  const std::int32_t* const second = a.column + begin[1];
  if (count[0] + count[1] <= tuning::most_columns) {
    Merged& merged = room[warp];
    const int blocks = merge(first, count[0], second, count[1], lane, merged);
    const std::int16_t* const places = merged.place[node];
    add(
        blocks, [&](int u) { return merged.column[u]; }, [&](int u) { return int{places[u]}; });
  } else {
    add(
        count[0], [&](int u) { return first[u]; }, [&](int u) { return node == 0 ? u : -1; });
    add(
        count[1], [&](int u) { return second[u]; }, [&](int u) { return node == 1 ? u : -1; });
  }

  if (idle || i + node >= a.rows) return;
  double* const begins = &y((i + node) * size + (row - node * size), 0);
  double* const to = begins + 4 * (lane % 4);
#pragma unroll
  for (int t = 0; t + 1 < Tiles; t += 2) {
    reinterpret_cast<double2*>(to + 8 * t)[0] = {c[t][0], c[t + 1][0]};
    reinterpret_cast<double2*>(to + 8 * t)[1] = {c[t][1], c[t + 1][1]};
  }
  if constexpr (odd) {
    double* const last = begins + 16 * pairs + 2 * (lane % 4);
    *reinterpret_cast<double2*>(last) = {c[Tiles - 1][0], c[Tiles - 1][1]};
  }
}

template <int Tiles>
void launch_pairs(const exec::Stream& stream, const BlockCsrView<double>& a, exec::MultiView<const double> x,
                  exec::MultiView<double> y) {
  cudaStream_t native = exec::cuda::enter(stream);
  constexpr int rows_per_block = 2 * tuning::pair_warps;
  const unsigned grid = (static_cast<unsigned>(a.rows) + rows_per_block - 1) / rows_per_block;
  multiply_pairs_kernel<Tiles><<<grid, tuning::pair_warps * tuning::warp, 0, native>>>(a, x, y);
  SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_pairs");
}

/// Columns in multiples of 8, rows of X and Y in whole 16-byte words. Up to 64 columns share one pass over A.
void multiply_pairs(const exec::Stream& stream, const BlockCsrView<double>& a,
                    exec::MultiView<const double> x, exec::MultiView<double> y) {
  using Launch = void (*)(const exec::Stream&, const BlockCsrView<double>&, exec::MultiView<const double>,
                          exec::MultiView<double>);
  constexpr Launch of_tiles[] = {launch_pairs<1>, launch_pairs<2>, launch_pairs<3>, launch_pairs<4>,
                                 launch_pairs<5>, launch_pairs<6>, launch_pairs<7>, launch_pairs<8>};
  for (std::int64_t first = 0; first < x.columns; first += 64) {
    const std::int64_t columns = std::min<std::int64_t>(64, x.columns - first);
    of_tiles[columns / 8 - 1](stream, a, {x.data + first, x.rows, columns, x.stride},
                              {y.data + first, y.rows, columns, y.stride});
  }
}

}  // namespace setka::sparse::cuda
