// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <type_traits>

#include "setka/sparse/block_csr_pairs.cuh"
#include "setka/sparse/block_csr_product.cuh"

namespace setka::sparse::cuda {

namespace tuning {
inline constexpr int columns_threads = 256;  // 512 and 1024 were slower on an H200
inline constexpr int columns_in_word = 2;    // of X a lane has: as often is a value of A used that it loads
}  // namespace tuning

/// Neighbouring columns of a row, moved in one word.
template <int V, class T>
struct alignas(V * sizeof(T)) Pack {
  T value[V];
};

/// A group of lanes takes a block row, each lane V neighbouring columns of X at a time: rows of X are read
/// coalesced, the values of A are broadcast.
template <int H, int W, int Lanes, int V, class T>
__global__ void __launch_bounds__(tuning::columns_threads)
    multiply_columns_kernel(BlockCsrView<T> a, exec::MultiView<const T> x, exec::MultiView<T> y) {
  using Words = Pack<V, T>;
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
        const Words factor = *reinterpret_cast<const Words*>(from + c * x.stride);
#pragma unroll
        for (int r = 0; r < H; ++r) {
          const T value = values[std::int64_t{r} * n + c];
#pragma unroll
          for (int v = 0; v < V; ++v) sum[r][v] += value * factor.value[v];
        }
      }
    }
#pragma unroll
    for (int r = 0; r < H; ++r) {
      Words words;
#pragma unroll
      for (int v = 0; v < V; ++v) words.value[v] = sum[r][v];
      *reinterpret_cast<Words*>(&y(i * H + r, j)) = words;
    }
  }
}

template <int H, int W, int Lanes, int V, class T>
void launch_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                    exec::MultiView<T> y) {
  cudaStream_t native = exec::cuda::enter(stream);
  constexpr int rows_per_block = tuning::columns_threads / Lanes;
  const unsigned grid = (static_cast<unsigned>(a.rows) + rows_per_block - 1) / rows_per_block;
  multiply_columns_kernel<H, W, Lanes, V><<<grid, tuning::columns_threads, 0, native>>>(a, x, y);
  SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_columns");
}

/// Whether V neighbouring columns can be moved as one word everywhere.
template <int V, class T>
bool in_words(exec::MultiView<T> x) {
  return x.columns % V == 0 && x.stride % V == 0 &&
         reinterpret_cast<std::uintptr_t>(x.data) % (V * sizeof(T)) == 0;
}

template <int H, int W, class T>
void multiply_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                      exec::MultiView<T> y) {
  if (a.rows == 0) return;
  constexpr int V = tuning::columns_in_word;
  if constexpr (H == 3 && W == 3 && std::is_same_v<T, double>) {
    if (x.columns % 16 == 0 && in_words<2>(x) && in_words<2>(y)) return multiply_pairs(stream, a, x, y);
  }
  if (in_words<V>(x) && in_words<V>(y) && x.columns >= 8) {
    if (x.columns <= 8) return launch_columns<H, W, 8 / V, V>(stream, a, x, y);
    if (x.columns <= 16) return launch_columns<H, W, 16 / V, V>(stream, a, x, y);
    return launch_columns<H, W, 32 / V, V>(stream, a, x, y);
  }
  if (x.columns <= 4) return launch_columns<H, W, 4, 1>(stream, a, x, y);
  if (x.columns <= 16) return launch_columns<H, W, 16, 1>(stream, a, x, y);
  launch_columns<H, W, 32, 1>(stream, a, x, y);
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
