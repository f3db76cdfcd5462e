// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include <cuda_pipeline.h>

#include "setka/exec/matrix_tile.cuh"
#include "setka/exec/parallel.cuh"
#include "setka/fem/element_projection_kernel.hpp"

/// X'KX from element matrices on the matrix instructions of double precision.
///
/// A warp takes an element: its rows of X are gathered into registers once and serve both products, Y = L X
/// and S += X'Y. The first is computed as Y' = X'L, whose tiles come out in the lanes that the second wants
/// them in: rows 8 r + 2 (lane % 4) + h of X and of Y, column lane / 4 of a tile. Since rows are summed over,
/// their order within a tile does not matter, so long as it is the same in both factors. S, its tiles on and
/// above the diagonal, stays in registers over all elements of a warp.
///
/// Triangles travel through shared memory in two stages, the next elements on their way while the present
/// ones are multiplied. Floors of 551 thousand C3D8 and 30 columns on an H200: 0.3 ms to read the triangles,
/// 0.1 ms for X, 0.6 ms for 37 billion fused products of whole tiles.
namespace setka::fem::cuda {
namespace {

using exec::MultiView;
using exec::cuda::enter;
using exec::cuda::multiply_tile;

constexpr int warp_lanes = 32;
constexpr int most_warps = 8;
constexpr int panel_columns = 32;  // that a launch projects; more are done panel by panel

/// Columns column .. column + Tiles - 1 of row q of X; zeros for q = -1 and past the last column. Paired:
/// rows begin at 16-byte words and have an even number of columns.
template <int Tiles, bool Paired>
__device__ void load_row(double (&values)[Tiles], const MultiView<const double>& x, int q, int column) {
  const double* const row = x.data + std::int64_t{q} * x.stride;
  const auto columns = static_cast<int>(x.columns);
  if constexpr (Paired && Tiles % 2 == 0) {
#pragma unroll
    for (int t = 0; t < Tiles; t += 2) {
      double2 pair{0, 0};
      if (q >= 0 && column + t < columns) pair = *reinterpret_cast<const double2*>(row + column + t);
      values[t] = pair.x;
      values[t + 1] = pair.y;
    }
  } else {
#pragma unroll
    for (int t = 0; t < Tiles; ++t) values[t] = q >= 0 && column + t < columns ? row[column + t] : 0.0;
  }
}

/// The elements that a block of threads has in shared memory at a time.
struct Staging {
  int together;  // elements, a power of two up to 32

  /// Odd, so that entries of one element lie in different banks.
  __host__ __device__ int pitch() const { return together + 1; }
  __host__ __device__ int index_words(int rows) const { return (rows * together + 1) / 2; }  // of 8 bytes
  __host__ __device__ int words(int rows) const { return triangle_size(rows) * pitch() + index_words(rows); }
};

__device__ void fetch(const PackedElements& elements, Staging staging, std::int64_t chunk, double* stage) {
  const int entries = triangle_size(elements.rows);
  const int parts = block_lanes / staging.together;
  const std::int64_t block = chunk / parts;
  const int first = static_cast<int>(chunk % parts) * staging.together;
  const int shift = __ffs(staging.together) - 1;
  const int mask = staging.together - 1;
  const double* const triangles = elements.triangle + interleaved(block, entries, 0, first);
  for (int t = threadIdx.x; t < entries << shift; t += blockDim.x) {
    __pipeline_memcpy_async(stage + (t >> shift) * staging.pitch() + (t & mask),
                            triangles + (t >> shift) * block_lanes + (t & mask), sizeof(double));
  }
  auto* const index = reinterpret_cast<std::int32_t*>(stage + entries * staging.pitch());
  const std::int32_t* const indices = elements.index + interleaved(block, elements.rows, 0, first);
  for (int t = threadIdx.x; t < elements.rows << shift; t += blockDim.x) {
    __pipeline_memcpy_async(index + t, indices + (t >> shift) * block_lanes + (t & mask),
                            sizeof(std::int32_t));
  }
}

/// s += X_left' L X_right of one element; Symmetric: left is right. Column Tiles m + c of a panel is column m
/// of tile c: a lane loads neighbouring entries.
template <int RowTiles, int Tiles, bool Symmetric, bool Paired>
__device__ void add_element(int rows, const double* triangle, int pitch, const std::int32_t* index,
                            int index_pitch, const MultiView<const double>& left,
                            const MultiView<const double>& right, int lane, double (&s)[Tiles][Tiles][2]) {
  const int column = lane / 4 * Tiles;
  double x[RowTiles][2][Tiles];
#pragma unroll
  for (int r = 0; r < RowTiles; ++r) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int i = 8 * r + 2 * (lane % 4) + h;
      load_row<Tiles, Paired>(x[r][h], right, i < rows ? index[i * index_pitch] : -1, column);
    }
  }
#pragma unroll
  for (int q = 0; q < RowTiles; ++q) {
    const int j = 8 * q + lane / 4;
    double y[Tiles][2] = {};
#pragma unroll
    for (int r = 0; r < RowTiles; ++r) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int i = 8 * r + 2 * (lane % 4) + h;
        double entry = 0;
        if (i < rows && j < rows) entry = triangle[triangle_entry(rows, min(i, j), max(i, j)) * pitch];
#pragma unroll
        for (int c = 0; c < Tiles; ++c) multiply_tile(y[c], x[r][h][c], entry);
      }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      double own[Tiles];
      if constexpr (Symmetric) {
#pragma unroll
        for (int c = 0; c < Tiles; ++c) own[c] = x[q][h][c];
      } else {
        const int i = 8 * q + 2 * (lane % 4) + h;
        load_row<Tiles, Paired>(own, left, i < rows ? index[i * index_pitch] : -1, column);
      }
#pragma unroll
      for (int a = 0; a < Tiles; ++a) {
#pragma unroll
        for (int b = Symmetric ? a : 0; b < Tiles; ++b) multiply_tile(s[a][b], own[a], y[b][h]);
      }
    }
  }
}

/// Twelve warps a multiprocessor have that many registers each; large elements need all that eight warps
/// leave.
constexpr int registers(int row_tiles) {
  return row_tiles <= 3 ? 168 : 255;
}

/// partial: [blocks of threads, 8 Tiles, 8 Tiles]
template <int RowTiles, int Tiles, bool Symmetric, bool Paired>
__global__ void __maxnreg__(registers(RowTiles))
    project_kernel(PackedElements elements, MultiView<const double> left, MultiView<const double> right,
                   Staging staging, double* partial) {
  extern __shared__ double shared[];
  const int lane = threadIdx.x % warp_lanes;
  const int warp = threadIdx.x / warp_lanes;
  const int warps = blockDim.x / warp_lanes;
  const int words = staging.words(elements.rows);
  const int entries = triangle_size(elements.rows);
  const std::int64_t chunks = elements.blocks * (block_lanes / staging.together);

  // Blocks of threads take chunks in turn: at any time all work on elements near one another, whose rows of X
  // stay in the second-level cache.
  double s[Tiles][Tiles][2] = {};
  if (blockIdx.x < chunks) fetch(elements, staging, blockIdx.x, shared);
  __pipeline_commit();
  int present = 0;
  for (std::int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    if (chunk + gridDim.x < chunks)
      fetch(elements, staging, chunk + gridDim.x, shared + (1 - present) * words);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const double* const triangles = shared + present * words;
    const auto* const index = reinterpret_cast<const std::int32_t*>(triangles + entries * staging.pitch());
    for (int e = warp; e < staging.together; e += warps) {
      add_element<RowTiles, Tiles, Symmetric, Paired>(elements.rows, triangles + e, staging.pitch(),
                                                      index + e, staging.together, left, right, lane, s);
    }
    __syncthreads();
    present = 1 - present;
  }

  // The block's warps one after the other: a fixed order.
  constexpr int width = 8 * Tiles;
  for (int w = 0; w < warps; ++w) {
    if (w == warp) {
#pragma unroll
      for (int a = 0; a < Tiles; ++a) {
#pragma unroll
        for (int b = Symmetric ? a : 0; b < Tiles; ++b) {
#pragma unroll
          for (int v = 0; v < 2; ++v) {
            double& place = shared[(lane / 4 * Tiles + a) * width + (2 * (lane % 4) + v) * Tiles + b];
            place = w == 0 ? s[a][b][v] : place + s[a][b][v];
          }
        }
      }
    }
    __syncthreads();
  }
  double* const out = partial + std::int64_t{blockIdx.x} * width * width;
  for (int t = threadIdx.x; t < width * width; t += blockDim.x) {
    if (!Symmetric || t / width % Tiles <= t % width % Tiles) out[t] = shared[t];
  }
}

constexpr int sum_warps = 8;

/// A warp an entry: every lane sums each 32nd partial result, then the lanes pairwise. Both of two mirrored
/// entries get the same bits.
__global__ void __launch_bounds__(sum_warps* warp_lanes)
    add_partials_kernel(const double* partial, int partials, int tiles, bool symmetric, int rows, int columns,
                        int first_row, int first_column, MultiView<double> s) {
  const int entry = static_cast<int>(blockIdx.x) * sum_warps + static_cast<int>(threadIdx.x) / warp_lanes;
  const int lane = threadIdx.x % warp_lanes;
  if (entry >= rows * columns) return;
  const int i = entry / columns;
  const int j = entry % columns;
  int a = i;
  int b = j;
  if (symmetric && (i % tiles > j % tiles || (i % tiles == j % tiles && i > j))) {
    a = j;
    b = i;
  }
  const int width = 8 * tiles;
  double sum = 0;
  for (int p = lane; p < partials; p += warp_lanes) sum += partial[(std::int64_t{p} * width + a) * width + b];
  for (int apart = warp_lanes / 2; apart > 0; apart /= 2)
    sum += __shfl_down_sync(0xFFFFFFFFU, sum, static_cast<unsigned>(apart));
  if (lane != 0) return;
  s(first_row + i, first_column + j) += sum;
  if (!symmetric) s(first_column + j, first_row + i) += sum;
}

struct Panel {
  MultiView<const double> x;
  int first;  // column of S
};

struct LaunchShape {
  int warps;
  Staging staging;
  int bytes;
};

/// As many elements at a time as shared memory has room for twice, up to 8, whose entries make whole sectors.
LaunchShape launch_shape(const exec::Stream& stream, int rows, int width, const kernel::FusedTuning& tuning) {
  int room = 0;
  SETKA_CUDA_CHECK(
      cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, stream.device().ordinal()));
  const auto bytes = [&](Staging staging) {
    return std::max(2 * staging.words(rows), width * width) * static_cast<int>(sizeof(double));
  };
  Staging staging{tuning.elements > 0 ? tuning.elements : 8};
  while (staging.together > 1 && bytes(staging) > room) staging.together /= 2;
  const int wanted = tuning.warps > 0 ? tuning.warps : bytes(staging) <= room / 2 ? 4 : most_warps;
  return {std::min({wanted, most_warps, std::max(1, staging.together)}), staging, bytes(staging)};
}

template <int RowTiles, int Tiles, bool Symmetric, bool Paired>
void launch(const exec::Stream& stream, const PackedElements& elements, const Panel& left, const Panel& right,
            MultiView<double> s, const kernel::FusedTuning& tuning) {
  cudaStream_t native = enter(stream);
  constexpr int width = 8 * Tiles;
  auto* const kernel = project_kernel<RowTiles, Tiles, Symmetric, Paired>;
  const LaunchShape shape = launch_shape(stream, elements.rows, width, tuning);
  const int threads = shape.warps * warp_lanes;
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape.bytes));
  int resident = 0;
  SETKA_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads,
                                                                 static_cast<std::size_t>(shape.bytes)));
  const std::int64_t chunks = elements.blocks * (block_lanes / shape.staging.together);
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(
      chunks, std::int64_t{exec::cuda::multiprocessors(stream)} * std::max(1, resident)));
  const exec::Scratch<double> partial(stream, std::int64_t{blocks} * width * width);
  kernel<<<blocks, threads, shape.bytes, native>>>(elements, left.x, right.x, shape.staging, partial.data());
  SETKA_CUDA_CHECK_LAUNCH(stream, "project");
  const auto rows = static_cast<int>(left.x.columns);
  const auto columns = static_cast<int>(right.x.columns);
  const auto sums = static_cast<unsigned>((rows * columns + sum_warps - 1) / sum_warps);
  add_partials_kernel<<<sums, sum_warps * warp_lanes, 0, native>>>(
      partial.data(), static_cast<int>(blocks), Tiles, Symmetric, rows, columns, left.first, right.first, s);
  SETKA_CUDA_CHECK_LAUNCH(stream, "add_partials");
}

bool pairs_of_columns(MultiView<const double> x) {
  return reinterpret_cast<std::uintptr_t>(x.data) % 16 == 0 && x.stride % 2 == 0 && x.columns % 2 == 0;
}

template <int RowTiles, int Tiles, bool Symmetric>
void launch_loading(const exec::Stream& stream, const PackedElements& elements, const Panel& left,
                    const Panel& right, MultiView<double> s, const kernel::FusedTuning& tuning) {
  if constexpr (Tiles % 2 == 0) {
    if (pairs_of_columns(left.x) && pairs_of_columns(right.x))
      return launch<RowTiles, Tiles, Symmetric, true>(stream, elements, left, right, s, tuning);
  }
  launch<RowTiles, Tiles, Symmetric, false>(stream, elements, left, right, s, tuning);
}

template <int RowTiles>
void launch_panels(const exec::Stream& stream, const PackedElements& elements, const Panel& left,
                   const Panel& right, MultiView<double> s, const kernel::FusedTuning& tuning) {
  if (left.first != right.first)
    return launch_loading<RowTiles, 4, false>(stream, elements, left, right, s, tuning);
  if (left.x.columns <= 8) return launch_loading<RowTiles, 1, true>(stream, elements, left, right, s, tuning);
  if (left.x.columns <= 16)
    return launch_loading<RowTiles, 2, true>(stream, elements, left, right, s, tuning);
  launch_loading<RowTiles, 4, true>(stream, elements, left, right, s, tuning);
}

}  // namespace

void add_fused_projection(const exec::Stream& stream, const PackedElements& elements,
                          MultiView<const double> x, MultiView<double> s, const kernel::FusedTuning& tuning) {
  const auto panel = [&](std::int64_t first) {
    return Panel{{x.data + first, x.rows, std::min<std::int64_t>(panel_columns, x.columns - first), x.stride},
                 static_cast<int>(first)};
  };
  const auto add = [&](const Panel& left, const Panel& right) {
    switch ((elements.rows + 7) / 8) {
      case 1:
        return launch_panels<1>(stream, elements, left, right, s, tuning);
      case 2:
        return launch_panels<2>(stream, elements, left, right, s, tuning);
      case 3:
        return launch_panels<3>(stream, elements, left, right, s, tuning);
      case 4:
        return launch_panels<4>(stream, elements, left, right, s, tuning);
      case 5:
      case 6:
        return launch_panels<6>(stream, elements, left, right, s, tuning);
      default:
        return launch_panels<8>(stream, elements, left, right, s, tuning);
    }
  };
  for (std::int64_t right = 0; right < x.columns; right += panel_columns) {
    for (std::int64_t left = 0; left <= right; left += panel_columns) add(panel(left), panel(right));
  }
}

}  // namespace setka::fem::cuda

SETKA_INSTANTIATE_FOR(setka::fem::kernel::IndexElements)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::GatherProjected)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::MultiplyGathered)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::ClearSquare)
