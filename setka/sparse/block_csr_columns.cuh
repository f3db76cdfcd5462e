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
inline constexpr int most_lanes = 32;        // of a block row; more columns take several passes over it

/// Columns of X that a lane has, as often is a value of A used that it loads. Of 8 columns in floats by four
/// a lane takes 1.6 times as long as by two on an H200, of 32 as long, of 40 0.95.
inline constexpr int columns_in_word = 2;
inline constexpr int columns_in_wide_word = 4;
inline constexpr int least_columns_in_words = 8;
inline constexpr int least_columns_in_wide_words = 33;
}  // namespace tuning

/// Threads of a block in groups of lanes, a group a row. Groups need not be powers of two: with the quotient
/// by a multiplication they take no longer than those do.
struct LanesOfRows {
  unsigned lanes;
  unsigned rows;     // of a block of threads
  unsigned inverse;  // 2^16 over the lanes, rounded up: exact below 256 threads

  LanesOfRows(std::int64_t words, unsigned threads) {
    const auto wanted = static_cast<unsigned>(words);
    const unsigned passes = (wanted + tuning::most_lanes - 1) / tuning::most_lanes;
    lanes = (wanted + passes - 1) / passes;  // so that passes are as wide as each other
    rows = threads / lanes;
    inverse = (1U << 16U) / lanes + 1;
  }
  unsigned threads() const { return rows * lanes; }
  __device__ unsigned row(unsigned thread) const { return thread * inverse >> 16U; }
};

/// A group of lanes takes a block row, each lane V neighbouring columns of X at a time: rows of X are read
/// coalesced, the values of A are broadcast. A group may lie across two warps.
template <int H, int W, int V, class T, class Epilogue>
__global__ void __launch_bounds__(tuning::columns_threads)
    product_columns_kernel(BlockCsrView<T> a, exec::MultiView<const T> x, LanesOfRows groups,
                           Epilogue epilogue) {
  const unsigned row = groups.row(threadIdx.x);
  const unsigned lane = threadIdx.x - row * groups.lanes;
  const std::int64_t i = std::int64_t{blockIdx.x} * groups.rows + row;
  if (i >= a.rows) return;
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const int n = (end - begin) * W;
  for (std::int64_t j = lane * V; j < x.columns; j += groups.lanes * V) {
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

template <int H, int W, int V, class T, class Epilogue>
void launch_product_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                            const Epilogue& epilogue) {
  cudaStream_t native = exec::cuda::enter(stream);
  const LanesOfRows groups(x.columns / V, tuning::columns_threads);
  const auto grid = static_cast<unsigned>((a.rows + groups.rows - 1) / groups.rows);
  product_columns_kernel<H, W, V><<<grid, groups.threads(), 0, native>>>(a, x, groups, epilogue);
  SETKA_CUDA_CHECK_LAUNCH(stream, "product_columns");
}

template <int H, int W, class T, class Epilogue>
void product_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                     const Epilogue& epilogue) {
  if (a.rows == 0) return;
  const auto suits = [&](int least, int v) {
    return x.columns >= least && kernel::in_words(x, v) && epilogue.in_words(v);
  };
  constexpr int wide = tuning::columns_in_wide_word;
  constexpr int word = tuning::columns_in_word;
  if constexpr (wide * sizeof(T) <= 16) {
    if (suits(tuning::least_columns_in_wide_words, wide))
      return launch_product_columns<H, W, wide>(stream, a, x, epilogue);
  }
  if (suits(tuning::least_columns_in_words, word))
    return launch_product_columns<H, W, word>(stream, a, x, epilogue);
  launch_product_columns<H, W, 1>(stream, a, x, epilogue);
}

}  // namespace setka::sparse::cuda

/// One line an epilogue and a shape of blocks in a .cu file, at global scope.
#define SETKA_INSTANTIATE_COLUMNS(H, W, T, ...)                                                           \
  template void setka::sparse::cuda::product_columns<H, W, T, __VA_ARGS__>(                               \
      const setka::exec::Stream&, const setka::sparse::BlockCsrView<T>&, setka::exec::MultiView<const T>, \
      const __VA_ARGS__&);
