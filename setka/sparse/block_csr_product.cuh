// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/sparse/block_csr_product.hpp"

/// The CUDA side of block_csr_product.hpp, for .cu files: the kernel, and the macro that instantiates it for
/// an epilogue.
namespace setka::sparse::cuda {

namespace tuning {
inline constexpr int product_threads = 128;

/// Lanes that share a block row: as many as give each about this many of the row's scalar columns, which is
/// what it takes to have enough loads in flight.
inline constexpr int columns_per_lane = 6;
}  // namespace tuning

/// Lanes of a group read a block row's scalar rows side by side: consecutive lanes, consecutive addresses.
/// Bytes a row: (H W sizeof(T) + 4) a block, and what of x is not in the caches; 2 flops a value.
template <int H, int W, int Lanes, class T, class Epilogue>
__global__ void __launch_bounds__(tuning::product_threads)
    product_kernel(BlockCsrView<T> a, const T* __restrict__ x, Epilogue epilogue) {
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  const std::int64_t i = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / Lanes;
  T sum[H];
#pragma unroll
  for (int r = 0; r < H; ++r) sum[r] = T(0);
  if (i < a.rows) {
    const std::int32_t begin = a.offset[i];
    const int n = (a.offset[i + 1] - begin) * W;
    const T* const values = a.value + std::int64_t{begin} * (H * W);
    const std::int32_t* const columns = a.column + begin;
#pragma unroll 2
    for (int l = lane; l < n; l += Lanes) {
      const T factor = x[std::int64_t{columns[l / W]} * W + l % W];
#pragma unroll
      for (int r = 0; r < H; ++r) sum[r] += values[std::int64_t{r} * n + l] * factor;
    }
  }
#pragma unroll
  for (int width = Lanes / 2; width > 0; width /= 2) {
#pragma unroll
    for (int r = 0; r < H; ++r) sum[r] += __shfl_down_sync(0xFFFFFFFFU, sum[r], width, Lanes);
  }
  if (lane == 0 && i < a.rows) epilogue.row(i, sum);
}

template <int H, int W, int Lanes, class T, class Epilogue>
void launch_product(const exec::Stream& stream, const BlockCsrView<T>& a, const T* x,
                    const Epilogue& epilogue) {
  cudaStream_t native = exec::cuda::enter(stream);
  constexpr int rows_per_block = tuning::product_threads / Lanes;
  const unsigned grid = (static_cast<unsigned>(a.rows) + rows_per_block - 1) / rows_per_block;
  product_kernel<H, W, Lanes><<<grid, tuning::product_threads, 0, native>>>(a, x, epilogue);
  SETKA_CUDA_CHECK_LAUNCH(stream, "product");
}

template <int H, int W, class T, class Epilogue>
void product(const exec::Stream& stream, const BlockCsrView<T>& a, std::int64_t blocks, const T* x,
             const Epilogue& epilogue) {
  if (a.rows == 0) return;
  const std::int64_t columns = blocks * W / a.rows;  // of a row, on average
  if (columns <= 4 * tuning::columns_per_lane) {
    launch_product<H, W, 4>(stream, a, x, epilogue);
  } else if (columns <= 16 * tuning::columns_per_lane) {
    launch_product<H, W, 16>(stream, a, x, epilogue);
  } else {
    launch_product<H, W, 32>(stream, a, x, epilogue);
  }
}

}  // namespace setka::sparse::cuda

/// One line an epilogue in a .cu file, at global scope: for all shapes of blocks, or for one.
#define SETKA_INSTANTIATE_PRODUCT(T, ...) SETKA_BLOCK_SHAPES(SETKA_INSTANTIATE_PRODUCT_SHAPE, T, __VA_ARGS__)
#define SETKA_INSTANTIATE_PRODUCT_SHAPE(H, W, T, ...)                                            \
  template void setka::sparse::cuda::product<H, W, T, __VA_ARGS__>(                              \
      const setka::exec::Stream&, const setka::sparse::BlockCsrView<T>&, std::int64_t, const T*, \
      const __VA_ARGS__&);
