// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr_product.cuh"

namespace setka::sparse::cuda {

/// A group of lanes takes a block row, each lane some columns of X: rows of X are read coalesced, the values
/// of A are broadcast. Columns are taken in groups of `Lanes`.
template <int H, int W, int Lanes, class T>
__global__ void __launch_bounds__(tuning::product_threads)
    multiply_columns_kernel(BlockCsrView<T> a, exec::MultiView<const T> x, exec::MultiView<T> y) {
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  const std::int64_t i = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / Lanes;
  if (i >= a.rows) return;
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const int n = (end - begin) * W;
  for (std::int64_t j = lane; j < x.columns; j += Lanes) {
    const T* values = a.value + std::int64_t{begin} * (H * W);
    T sum[H];
#pragma unroll
    for (int r = 0; r < H; ++r) sum[r] = T(0);
    for (std::int32_t k = begin; k < end; ++k, values += W) {
      const T* const from = x.data + std::int64_t{a.column[k]} * W * x.stride + j;
#pragma unroll
      for (int c = 0; c < W; ++c) {
        const T factor = from[c * x.stride];
#pragma unroll
        for (int r = 0; r < H; ++r) sum[r] += values[std::int64_t{r} * n + c] * factor;
      }
    }
#pragma unroll
    for (int r = 0; r < H; ++r) y(i * H + r, j) = sum[r];
  }
}

template <int H, int W, int Lanes, class T>
void launch_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                    exec::MultiView<T> y) {
  cudaStream_t native = exec::cuda::enter(stream);
  constexpr int rows_per_block = tuning::product_threads / Lanes;
  const unsigned grid = (static_cast<unsigned>(a.rows) + rows_per_block - 1) / rows_per_block;
  multiply_columns_kernel<H, W, Lanes><<<grid, tuning::product_threads, 0, native>>>(a, x, y);
  SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_columns");
}

template <int H, int W, class T>
void multiply_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                      exec::MultiView<T> y) {
  if (a.rows == 0) return;
  if (x.columns <= 4) {
    launch_columns<H, W, 4>(stream, a, x, y);
  } else if (x.columns <= 8) {
    launch_columns<H, W, 8>(stream, a, x, y);
  } else if (x.columns <= 16) {
    launch_columns<H, W, 16>(stream, a, x, y);
  } else {
    launch_columns<H, W, 32>(stream, a, x, y);
  }
}

#define SETKA_COLUMNS(H, W, T)                                                         \
  template void multiply_columns<H, W, T>(const exec::Stream&, const BlockCsrView<T>&, \
                                          exec::MultiView<const T>, exec::MultiView<T>);
#define SETKA_COLUMNS_ALL(T) \
  SETKA_COLUMNS(1, 1, T)     \
  SETKA_COLUMNS(2, 2, T)     \
  SETKA_COLUMNS(3, 3, T)     \
  SETKA_COLUMNS(3, 6, T)     \
  SETKA_COLUMNS(6, 3, T)     \
  SETKA_COLUMNS(6, 6, T)
SETKA_COLUMNS_ALL(float)
SETKA_COLUMNS_ALL(double)

}  // namespace setka::sparse::cuda

SETKA_INSTANTIATE_PRODUCT(float, setka::sparse::kernel::Store<float>)
SETKA_INSTANTIATE_PRODUCT(double, setka::sparse::kernel::Store<double>)
