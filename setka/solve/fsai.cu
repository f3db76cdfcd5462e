// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "setka/exec/parallel.cuh"
#include "setka/solve/fsai_kernel.hpp"
#include "setka/sparse/block_shapes.hpp"

/// Rows of a sparse approximate inverse on the GPU: a block of threads takes a block row, with the part of A
/// over the row's pattern, a triangle, in shared memory where it fits.
///
/// A row of s unknowns costs s^3 / 6 fused products, each with two numbers of shared memory read and one
/// read and written; s is about 45 of C3D8 and 100 of C3D20R with blocks of three.
namespace setka::solve::cuda {
namespace {

constexpr int threads = 128;

/// Sizes up to which rows are computed together: a row that needs much memory must not take it from those
/// that need little. Beyond the last that a multiprocessor has room for the triangle lies in device memory.
constexpr int size_classes[] = {48, 96, 144, 200};

__host__ __device__ constexpr std::int64_t triangle(std::int64_t size) {
  return size * (size + 1) / 2;
}

/// Beside the triangle: the column that is eliminated, diagonals, reciprocal pivots, the N rows of G.
constexpr std::int64_t vectors_of(int n, std::int64_t size) {
  return (3 + n) * size;
}

template <int N>
__global__ void __launch_bounds__(threads)
    row_kernel(const sparse::BlockCsrView<double> a, const std::int32_t* __restrict__ offset,
               const std::int32_t* __restrict__ column, int above, int up_to, std::int64_t stride,
               double* __restrict__ far_triangles, double* __restrict__ value) {
  extern __shared__ double shared[];
  double* const pivot_column = shared;             // [stride]
  double* const diagonal = pivot_column + stride;  // [stride]
  double* const reciprocal = diagonal + stride;    // [stride]; 0 for what was left out
  double* const x = reciprocal + stride;           // [N, stride]
  double* const l = far_triangles != nullptr ? far_triangles + blockIdx.x * triangle(stride) : x + N * stride;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  constexpr int warps = threads / 32;

  for (std::int64_t row = blockIdx.x; row < a.rows; row += gridDim.x) {
    const std::int32_t* const columns = column + offset[row];
    const int count = offset[row + 1] - offset[row];
    const int size = count * N;
    if (size <= above || size > up_to) continue;  // the same for all threads

    for (std::int64_t i = threadIdx.x; i < triangle(size); i += threads) l[i] = 0;
    __syncthreads();
    // The lower triangle of A over the pattern: a warp a block row of it.
    for (int p = warp; p < count; p += warps) {
      const std::int32_t i = columns[p];
      const std::int64_t width = std::int64_t{a.offset[i + 1] - a.offset[i]} * N;
      for (std::int32_t k = a.offset[i] + lane; k < a.offset[i + 1]; k += 32) {
        const std::int32_t j = a.column[k];
        if (j > i) continue;
        const std::int32_t q = sparse::first_not_below(columns, 0, p + 1, j);
        if (q > p || columns[q] != j) continue;
        const double* const from =
            a.value + std::int64_t{a.offset[i]} * N * N + std::int64_t{k - a.offset[i]} * N;
        for (int r = 0; r < N; ++r) {
          double* const to = l + triangle(p * N + r) + q * N;
          for (int c = 0; c < N && q * N + c <= p * N + r; ++c) to[c] = from[r * width + c];
        }
      }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += threads) diagonal[i] = l[triangle(i) + i];
    __syncthreads();

    // A = L L', column by column; an unknown whose pivot is nothing or lost is left out.
    for (int k = 0; k < size; ++k) {
      const double pivot = l[triangle(k) + k];
      const double scale = pivot > kernel::lost_pivot * fabs(diagonal[k]) ? rsqrt(pivot) : 0.0;
      if (threadIdx.x == 0) reciprocal[k] = scale;
      for (int i = k + 1 + threadIdx.x; i < size; i += threads) {
        const double own = l[triangle(i) + k] * scale;
        l[triangle(i) + k] = own;
        pivot_column[i] = own;
      }
      __syncthreads();
      for (int i = k + 1 + warp; i < size; i += warps) {
        double* const at = l + triangle(i);
        const double factor = pivot_column[i];
        for (int j = k + 1 + lane; j <= i; j += 32) at[j] -= factor * pivot_column[j];
      }
      __syncthreads();
    }

    // The last N columns of the inverse of L', which are the rows of G.
    for (int i = threadIdx.x; i < N * size; i += threads) {
      const int r = i / size;
      x[r * stride + i % size] = i % size == size - N + r ? 1.0 : 0.0;
    }
    __syncthreads();
    for (int k = size - 1; k >= 0; --k) {
      const double scale = reciprocal[k];
      for (int i = threadIdx.x; i < N * k; i += threads) {
        const int r = i / k;
        const int p = i % k;
        if (k <= size - N + r) x[r * stride + p] -= l[triangle(k) + p] * (x[r * stride + k] * scale);
      }
      __syncthreads();
    }
    double* const g = value + std::int64_t{offset[row]} * N * N;
    for (int i = threadIdx.x; i < N * size; i += threads) {
      const int r = i / size;
      const int p = i % size;
      const int own = size - N + r;
      double result = p <= own ? x[r * stride + p] * reciprocal[p] : 0.0;
      if (reciprocal[own] == 0) {  // it keeps its diagonal alone
        const double alone = fabs(diagonal[own]);
        result = p == own && alone > 0 ? 1 / sqrt(alone) : 0.0;
      }
      g[i] = result;
    }
    __syncthreads();
  }
}

template <int N>
void factor_rows_of(const exec::Stream& stream, const sparse::BlockCsrView<double>& a,
                    const std::int32_t* offset, const std::int32_t* column, std::int32_t widest,
                    double* value) {
  if (a.rows == 0) return;
  cudaStream_t native = exec::cuda::enter(stream);
  int room = 0;
  SETKA_CUDA_CHECK(
      cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, stream.device().ordinal()));
  const int largest = widest * N;
  int above = 0;
  for (const int size_class : size_classes) {
    if (above >= largest) return;
    const std::int64_t stride = std::min(size_class, largest);
    const auto bytes = static_cast<int>(sizeof(double) * (vectors_of(N, stride) + triangle(stride)));
    if (bytes > room) break;  // 227 kB on an H100, less on others
    SETKA_CUDA_CHECK(cudaFuncSetAttribute(row_kernel<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    row_kernel<N><<<static_cast<unsigned>(a.rows), threads, bytes, native>>>(
        a, offset, column, above, size_class, stride, nullptr, value);
    SETKA_CUDA_CHECK_LAUNCH(stream, "Fsai");
    above = size_class;
  }
  if (above >= largest) return;
  // Few rows are so wide: as many at a time as a gigabyte holds.
  const std::int64_t stride = largest;
  const std::int64_t at_once = std::clamp<std::int64_t>((std::int64_t{1} << 27) / triangle(stride), 1, 256);
  const exec::Scratch<double> triangles(stream, at_once * triangle(stride));
  const auto bytes = static_cast<int>(sizeof(double) * vectors_of(N, stride));
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(row_kernel<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  row_kernel<N><<<static_cast<unsigned>(at_once), threads, bytes, native>>>(a, offset, column, above, largest,
                                                                            stride, triangles.data(), value);
  SETKA_CUDA_CHECK_LAUNCH(stream, "Fsai");
}

}  // namespace

void factor_rows(const exec::Stream& stream, const sparse::BlockCsrView<double>& a, int n,
                 const std::int32_t* offset, const std::int32_t* column, std::int32_t widest, double* value) {
  sparse::with_block_size(
      "Fsai", n, [&](auto size) { factor_rows_of<size()>(stream, a, offset, column, widest, value); });
}

}  // namespace setka::solve::cuda

SETKA_INSTANTIATE_FOR(setka::solve::kernel::DiagonalSizes)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::CountKept)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::ListKept)
SETKA_INSTANTIATE_REDUCE(setka::solve::kernel::WidestRow)
