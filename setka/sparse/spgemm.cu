// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <limits>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/cuda.cuh"
#include "setka/exec/scan.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/sort.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

/// Products and transposes on a GPU. A warp looks through the rows of B that a row of A meets by bisection:
/// no tables of columns, no limits on rows, and sums in the order of A's columns, as on the host.
namespace setka::sparse::cuda {

namespace tuning {
inline constexpr int threads = 256;
inline constexpr int warp = 32;
}  // namespace tuning

constexpr unsigned all_lanes = 0xFFFFFFFFU;
constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();

__device__ std::int64_t warp_number() {
  return (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / tuning::warp;
}
__device__ int lane_number() {
  return static_cast<int>(threadIdx.x) % tuning::warp;
}

unsigned grid_of_warps(std::int64_t warps) {
  constexpr int per_block = tuning::threads / tuning::warp;
  return static_cast<unsigned>((warps + per_block - 1) / per_block);
}

/// The columns of row i of A B, in ascending order, one a step: the least one beyond the last.
/// visit(position, column) is called by all lanes; returns how many there are.
template <class Visit>
__device__ std::int32_t each_column(const Structure& a, const Structure& b, std::int64_t i, Visit visit) {
  std::int32_t last = -1;
  for (std::int32_t count = 0;; ++count) {
    std::int32_t next = none;
    for (std::int32_t k = a.offset[i] + lane_number(); k < a.offset[i + 1]; k += tuning::warp) {
      const std::int32_t middle = a.column[k];
      const std::int32_t end = b.offset[middle + 1];
      const std::int32_t at = first_not_below(b.column, b.offset[middle], end, last + 1);
      if (at < end && b.column[at] < next) next = b.column[at];
    }
    next = __reduce_min_sync(all_lanes, next);
    if (next == none) return count;
    visit(count, next);
    last = next;
  }
}

__global__ void __launch_bounds__(tuning::threads)
    count_columns_kernel(Structure a, Structure b, std::int64_t* counts) {
  const std::int64_t i = warp_number();
  if (i >= a.rows) return;
  const std::int32_t count = each_column(a, b, i, [](std::int32_t, std::int32_t) {});
  if (lane_number() == 0) counts[i] = count;
}

__global__ void __launch_bounds__(tuning::threads)
    fill_columns_kernel(Structure a, Structure b, const std::int32_t* offset, std::int32_t* column,
                        std::int32_t* row_of) {
  const std::int64_t i = warp_number();
  if (i >= a.rows) return;
  const std::int32_t first = offset[i];
  each_column(a, b, i, [&](std::int32_t position, std::int32_t found) {
    if (lane_number() != 0) return;
    column[first + position] = found;
    row_of[first + position] = static_cast<std::int32_t>(i);
  });
}

/// A warp a block of C: lanes look for its column in 32 rows of B at a time, then go through what was found
/// together, each with its own entries of the block.
template <int H, int M, int W>
__global__ void __launch_bounds__(tuning::threads)
    block_products_kernel(BlockCsrView<double> a, BlockCsrView<double> b, std::int64_t blocks,
                          const std::int32_t* offset, const std::int32_t* column, const std::int32_t* row_of,
                          double* value) {
  constexpr int entries = (H * W + tuning::warp - 1) / tuning::warp;
  const std::int64_t at = warp_number();
  if (at >= blocks) return;
  const int lane = lane_number();
  const std::int32_t i = row_of[at];
  const std::int32_t wanted = column[at];
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const std::int64_t across = std::int64_t{end - begin} * M;
  const double* const left = a.value + std::int64_t{begin} * H * M;
  double sum[entries] = {};
  for (std::int32_t first = begin; first < end; first += tuning::warp) {
    std::int32_t from = 0;
    std::int32_t length = 0;
    std::int32_t place = -1;
    if (first + lane < end) {
      const std::int32_t middle = a.column[first + lane];
      from = b.offset[middle];
      length = b.offset[middle + 1] - from;
      const std::int32_t found = first_not_below(b.column, from, from + length, wanted);
      if (found < from + length && b.column[found] == wanted) place = found - from;
    }
    for (unsigned left_over = __ballot_sync(all_lanes, place >= 0); left_over != 0;
         left_over &= left_over - 1) {
      const int source = __ffs(static_cast<int>(left_over)) - 1;
      const std::int64_t span = std::int64_t{__shfl_sync(all_lanes, length, source)} * W;
      const double* const right = b.value + std::int64_t{__shfl_sync(all_lanes, from, source)} * M * W +
                                  std::int64_t{__shfl_sync(all_lanes, place, source)} * W;
      const double* const factor = left + std::int64_t{first + source - begin} * M;
#pragma unroll
      for (int e = 0; e < entries; ++e) {
        const int entry = lane + e * tuning::warp;
        if (entry >= H * W) break;
#pragma unroll
        for (int m = 0; m < M; ++m) sum[e] += factor[(entry / W) * across + m] * right[m * span + entry % W];
      }
    }
  }
  const std::int32_t row_begin = offset[i];
  const std::int64_t width = std::int64_t{offset[i + 1] - row_begin} * W;
  double* const out = value + std::int64_t{row_begin} * H * W + (at - row_begin) * W;
#pragma unroll
  for (int e = 0; e < entries; ++e) {
    const int entry = lane + e * tuning::warp;
    if (entry < H * W) out[(entry / W) * width + entry % W] = sum[e];
  }
}

__global__ void __launch_bounds__(tuning::threads)
    narrow_kernel(std::int64_t n, const std::int64_t* wide, std::int32_t* narrow) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) narrow[i] = static_cast<std::int32_t>(wide[i]);
}

unsigned grid_of_threads(std::int64_t n) {
  return static_cast<unsigned>((n + tuning::threads - 1) / tuning::threads);
}

/// Offsets and columns of C = A B, and the row of each block.
ProductPattern pattern(const exec::Stream& stream, const Structure& a, const Structure& b) {
  cudaStream_t native = exec::cuda::enter(stream);
  const exec::Device& device = stream.device();
  const std::int64_t n = std::int64_t{a.rows} + 1;
  ProductPattern made{exec::Array<std::int32_t>(device, n), exec::Array<std::int32_t>(device),
                      exec::Array<std::int32_t>(device)};
  {
    const exec::Scratch<std::int64_t> wide(stream, n);
    if (a.rows > 0) {
      count_columns_kernel<<<grid_of_warps(a.rows), tuning::threads, 0, native>>>(a, b, wide.data());
      SETKA_CUDA_CHECK_LAUNCH(stream, "count_columns");
    }
    exec::exclusive_scan<std::int64_t>(stream, wide, wide);
    const std::int64_t blocks = exec::value_at(stream, wide.view().part(a.rows, 1));
    require(blocks <= none, "sparse product: more blocks than 32 bits count");
    narrow_kernel<<<grid_of_threads(n), tuning::threads, 0, native>>>(n, wide.data(), made.offset.data());
    SETKA_CUDA_CHECK_LAUNCH(stream, "narrow");
    made.column = exec::Array<std::int32_t>(device, blocks);
    made.row_of = exec::Array<std::int32_t>(device, blocks);
  }
  if (a.rows > 0) {
    fill_columns_kernel<<<grid_of_warps(a.rows), tuning::threads, 0, native>>>(
        a, b, made.offset.data(), made.column.data(), made.row_of.data());
    SETKA_CUDA_CHECK_LAUNCH(stream, "fill_columns");
  }
  return made;
}

template <int H, int M, int W>
void add_products(const exec::Stream& stream, const BlockCsrView<double>& a, const BlockCsrView<double>& b,
                  const ProductPattern& c, double* value) {
  if (c.column.size() == 0) return;
  cudaStream_t native = exec::cuda::enter(stream);
  block_products_kernel<H, M, W><<<grid_of_warps(c.column.size()), tuning::threads, 0, native>>>(
      a, b, c.column.size(), c.offset.data(), c.column.data(), c.row_of.data(), value);
  SETKA_CUDA_CHECK_LAUNCH(stream, "block_products");
}

#define SETKA_SHAPE(h, m, w)                                                            \
  template void add_products<h, m, w>(const exec::Stream&, const BlockCsrView<double>&, \
                                      const BlockCsrView<double>&, const ProductPattern&, double*);
SETKA_BLOCK_PRODUCTS(SETKA_SHAPE)
#undef SETKA_SHAPE

__global__ void __launch_bounds__(tuning::threads)
    list_blocks_kernel(Structure a, std::int32_t* column, std::int32_t* block, std::int32_t* row_of) {
  const std::int64_t i = warp_number();
  if (i >= a.rows) return;
  for (std::int32_t k = a.offset[i] + lane_number(); k < a.offset[i + 1]; k += tuning::warp) {
    column[k] = a.column[k];
    block[k] = k;
    row_of[k] = static_cast<std::int32_t>(i);
  }
}

__global__ void __launch_bounds__(tuning::threads)
    offsets_kernel(std::int64_t n, const std::int32_t* sorted, std::int32_t count, std::int32_t* offset) {
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j < n) offset[j] = first_not_below(sorted, 0, count, static_cast<std::int32_t>(j));
}

/// A thread an entry of the transpose.
__global__ void __launch_bounds__(tuning::threads)
    transpose_values_kernel(BlockCsrView<double> a, std::int64_t entries, int height, int width,
                            const std::int32_t* block, const std::int32_t* sorted, const std::int32_t* row_of,
                            const std::int32_t* offset, std::int32_t* column, double* value) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= entries) return;
  const int size = height * width;
  const std::int64_t target = at / size;
  const int r = static_cast<int>(at % size) / width;
  const int c = static_cast<int>(at % size) % width;
  const std::int32_t source = block[target];
  const std::int32_t i = row_of[source];
  const std::int32_t j = sorted[target];
  const std::int64_t across = std::int64_t{a.offset[i + 1] - a.offset[i]} * width;
  const std::int64_t down = std::int64_t{offset[j + 1] - offset[j]} * height;
  value[std::int64_t{offset[j]} * size + c * down + (target - offset[j]) * height + r] =
      a.value[std::int64_t{a.offset[i]} * size + r * across + std::int64_t{source - a.offset[i]} * width + c];
  if (r == 0 && c == 0) column[target] = i;
}

BlockCsr<double> transpose(const exec::Stream& stream, const BlockCsr<double>& a) {
  cudaStream_t native = exec::cuda::enter(stream);
  const exec::Device& device = stream.device();
  const std::int64_t blocks = a.blocks();
  const Structure structure = structure_of(a.view());
  exec::Array<std::int32_t> offset(device, std::int64_t{a.columns()} + 1);
  exec::Array<std::int32_t> column(device, blocks);
  exec::Array<double> value(device, a.value().size());
  const exec::Scratch<std::int32_t> sorted(stream, blocks);
  const exec::Scratch<std::int32_t> block(stream, blocks);
  const exec::Scratch<std::int32_t> row_of(stream, blocks);
  if (blocks > 0) {
    list_blocks_kernel<<<grid_of_warps(a.rows()), tuning::threads, 0, native>>>(structure, sorted.data(),
                                                                                block.data(), row_of.data());
    SETKA_CUDA_CHECK_LAUNCH(stream, "list_blocks");
    exec::sort_by_key<std::int32_t, std::int32_t>(stream, sorted, block);
  }
  offsets_kernel<<<grid_of_threads(offset.size()), tuning::threads, 0, native>>>(
      offset.size(), sorted.data(), static_cast<std::int32_t>(blocks), offset.data());
  SETKA_CUDA_CHECK_LAUNCH(stream, "offsets");
  if (blocks > 0) {
    transpose_values_kernel<<<grid_of_threads(value.size()), tuning::threads, 0, native>>>(
        a.view(), value.size(), a.height(), a.width(), block.data(), sorted.data(), row_of.data(),
        offset.data(), column.data(), value.data());
    SETKA_CUDA_CHECK_LAUNCH(stream, "transpose_values");
  }
  return {a.columns(),       a.rows(),          a.width(),       a.height(),
          std::move(offset), std::move(column), std::move(value)};
}

}  // namespace setka::sparse::cuda
