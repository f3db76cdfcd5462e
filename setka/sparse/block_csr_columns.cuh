// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/sparse/block_csr_columns.hpp"
#include "setka/sparse/block_csr_columns_kernel.hpp"

/// The CUDA side of block_csr_columns.hpp, for .cu files: the kernel, and the macro that instantiates it for
/// an epilogue.
namespace setka::sparse::cuda {

namespace tuning {
inline constexpr int columns_threads = 256;  // 512 and 1024 were slower on an H200
inline constexpr int columns_in_word = 2;    // of X a lane has: as often is a value of A used that it loads
}  // namespace tuning

/// A group of lanes takes a block row, each lane V neighbouring columns of X at a time: rows of X are read
/// coalesced, the values of A are broadcast.
template <int H, int W, int Lanes, int V, class T, class Epilogue>
__global__ void __launch_bounds__(tuning::columns_threads)
    product_columns_kernel(BlockCsrView<T> a, exec::MultiView<const T> x, Epilogue epilogue) {
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  const std::int64_t i = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / Lanes;
  if (i >= a.rows) return;
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const int n = (end - begin) * W;
  for (std::int64_t j = lane * V; j < x.columns; j += Lanes * V) {
    const T* values = a.value + std::int64_t{begin} * (H * W);
    T sum[H][V] = {};
#pragma unroll 2
    for (std::int32_t k = begin; k < end; ++k, values += W) {
      const T* const from = x.data + std::int64_t{a.column[k]} * W * x.stride + j;
#pragma unroll
      for (int c = 0; c < W; ++c) {
        T factor[V];
        kernel::load_columns<V>(from + c * x.stride, factor);
#pragma unroll
        for (int r = 0; r < H; ++r) {
          const T value = values[std::int64_t{r} * n + c];
#pragma unroll
          for (int v = 0; v < V; ++v) sum[r][v] += value * factor[v];
        }
      }
    }
    epilogue.template columns<H, V>(i, j, sum);
  }
}

template <int H, int W, int Lanes, int V, class T, class Epilogue>
void launch_product_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                            const Epilogue& epilogue) {
  cudaStream_t native = exec::cuda::enter(stream);
  constexpr int rows_per_block = tuning::columns_threads / Lanes;
  const unsigned grid = (static_cast<unsigned>(a.rows) + rows_per_block - 1) / rows_per_block;
  product_columns_kernel<H, W, Lanes, V><<<grid, tuning::columns_threads, 0, native>>>(a, x, epilogue);
  SETKA_CUDA_CHECK_LAUNCH(stream, "product_columns");
}

template <int H, int W, class T, class Epilogue>
void product_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                     const Epilogue& epilogue) {
  if (a.rows == 0) return;
  constexpr int V = tuning::columns_in_word;
  if (x.columns >= 8 && kernel::in_words(x, V) && epilogue.in_words(V)) {
    if (x.columns <= 8) return launch_product_columns<H, W, 8 / V, V>(stream, a, x, epilogue);
    if (x.columns <= 16) return launch_product_columns<H, W, 16 / V, V>(stream, a, x, epilogue);
    return launch_product_columns<H, W, 32 / V, V>(stream, a, x, epilogue);
  }
  if (x.columns <= 4) return launch_product_columns<H, W, 4, 1>(stream, a, x, epilogue);
  if (x.columns <= 16) return launch_product_columns<H, W, 16, 1>(stream, a, x, epilogue);
  launch_product_columns<H, W, 32, 1>(stream, a, x, epilogue);
}

}  // namespace setka::sparse::cuda

/// One line an epilogue and a shape of blocks in a .cu file, at global scope.
#define SETKA_INSTANTIATE_COLUMNS(H, W, T, ...)                                                           \
  template void setka::sparse::cuda::product_columns<H, W, T, __VA_ARGS__>(                               \
      const setka::exec::Stream&, const setka::sparse::BlockCsrView<T>&, setka::exec::MultiView<const T>, \
      const __VA_ARGS__&);
