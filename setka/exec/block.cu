// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "setka/exec/block.hpp"
#include "setka/exec/cublas.cuh"
#include "setka/exec/cuda.cuh"
#include "setka/exec/matrix_tile.cuh"
#include "setka/exec/scratch.hpp"
#include "setka/exec/view.hpp"

/// Block operations on the GPU. X'Y of doubles is a kernel of its own: cuBLAS has no fast path for a product
/// of a few dozen columns with millions of rows in between. Its floor is the reading of X and Y; at 32
/// columns the arithmetic (2048 flops per 512 bytes) needs the matrix instructions to stay below it.
namespace setka::exec::cuda {
namespace {

constexpr int warp = 32;

// ---- sums over partial results
// ------------------------------------------------------------------------------------

constexpr int sum_entries = 32;  // entries a block
constexpr int sum_slices = 16;   // threads that share an entry's partial results

/// out(i, j) = sum over b of partial[b, i * columns + j]; each slice takes every 16th partial, then slices in
/// order.
template <class T>
__global__ void sum_partials_kernel(const T* partial, int partials, std::int64_t entries, MultiView<T> out) {
  __shared__ T shared[sum_slices][sum_entries];
  const std::int64_t entry = std::int64_t{blockIdx.x} * sum_entries + threadIdx.x;
  T sum = 0;
  if (entry < entries) {
#pragma unroll 4
    for (int b = threadIdx.y; b < partials; b += sum_slices) sum += partial[b * entries + entry];
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && entry < entries) {
    for (int slice = 1; slice < sum_slices; ++slice) sum += shared[slice][threadIdx.x];
    out(entry / out.columns, entry % out.columns) = sum;
  }
}

template <class T>
void sum_partials(const Stream& stream, const T* partial, int partials, MultiView<T> out) {
  const std::int64_t entries = out.rows * out.columns;
  const auto blocks = static_cast<unsigned>((entries + sum_entries - 1) / sum_entries);
  sum_partials_kernel<<<blocks, dim3(sum_entries, sum_slices), 0, enter(stream)>>>(partial, partials, entries,
                                                                                   out);
  SETKA_CUDA_CHECK_LAUNCH(stream, "sum_partials");
}

// ---- X'Y with the matrix instructions of double precision
// ----------------------------------------------------------

/// Of a row, entries of Tiles tiles that are eight columns apart; columns past the end are zero.
template <int Tiles>
__device__ void load_row(double (&values)[Tiles], const double* row, int column, int columns) {
#pragma unroll
  for (int t = 0; t < Tiles; ++t) values[t] = column + 8 * t < columns ? row[column + 8 * t] : 0.0;
}

constexpr int inner_threads = 128;
constexpr int inner_warps = inner_threads / warp;
constexpr int inner_unroll = 4;  // groups of four rows in flight per warp

/// One panel of S, 8 TX by 8 TY entries, from this block's share of the rows. Eight lanes read the 64 bytes
/// of a row that belong to a tile. All loads of a step come before its products.
template <int TX, int TY>
__global__ void __launch_bounds__(inner_threads)
    inner_kernel(MultiView<const double> x, MultiView<const double> y, std::int64_t rows_per_block,
                 double* partial) {
  const int lane = threadIdx.x % warp;
  const int warp_of_block = threadIdx.x / warp;
  const int x_panel = blockIdx.y * 8 * TX;
  const int y_panel = blockIdx.z * 8 * TY;
  const int x_column = x_panel + lane / 4;
  const int y_column = y_panel + lane / 4;
  const auto x_columns = static_cast<int>(x.columns);
  const auto y_columns = static_cast<int>(y.columns);

  double c[TX][TY][2] = {};
  constexpr int rows_per_step = 4 * inner_unroll;
  const std::int64_t begin = blockIdx.x * rows_per_block;
  const std::int64_t end = min(begin + rows_per_block, x.rows);
  for (std::int64_t first = begin + warp_of_block * rows_per_step; first < end;
       first += inner_warps * rows_per_step) {
    double a[inner_unroll][TX];
    double b[inner_unroll][TY];
    if (first + rows_per_step <= end) {
#pragma unroll
      for (int u = 0; u < inner_unroll; ++u) {
        const std::int64_t row = first + 4 * u + lane % 4;
        load_row<TX>(a[u], x.data + row * x.stride, x_column, x_columns);
        load_row<TY>(b[u], y.data + row * y.stride, y_column, y_columns);
      }
    } else {
#pragma unroll
      for (int u = 0; u < inner_unroll; ++u) {
        const std::int64_t row = first + 4 * u + lane % 4;
#pragma unroll
        for (int t = 0; t < TX; ++t) a[u][t] = 0;
#pragma unroll
        for (int t = 0; t < TY; ++t) b[u][t] = 0;
        if (row < end) {
          load_row<TX>(a[u], x.data + row * x.stride, x_column, x_columns);
          load_row<TY>(b[u], y.data + row * y.stride, y_column, y_columns);
        }
      }
    }
#pragma unroll
    for (int u = 0; u < inner_unroll; ++u) {
#pragma unroll
      for (int t = 0; t < TX; ++t) {
#pragma unroll
        for (int v = 0; v < TY; ++v) multiply_tile(c[t][v], a[u][t], b[u][v]);
      }
    }
  }

  // The block's warps one after the other: a fixed order.
  __shared__ double sums[8 * TX][8 * TY];
  for (int w = 0; w < inner_warps; ++w) {
    if (w == warp_of_block) {
#pragma unroll
      for (int t = 0; t < TX; ++t) {
#pragma unroll
        for (int v = 0; v < TY; ++v) {
#pragma unroll
          for (int k = 0; k < 2; ++k) {
            double& place = sums[8 * t + lane / 4][8 * v + 2 * (lane % 4) + k];
            place = w == 0 ? c[t][v][k] : place + c[t][v][k];
          }
        }
      }
    }
    __syncthreads();
  }
  double* const out = partial + blockIdx.x * x.columns * y.columns;
  for (int e = threadIdx.x; e < 64 * TX * TY; e += inner_threads) {
    const int i = x_panel + e / (8 * TY);
    const int j = y_panel + e % (8 * TY);
    if (i < x_columns && j < y_columns) out[i * y_columns + j] = sums[e / (8 * TY)][e % (8 * TY)];
  }
}

template <int TX, int TY>
void inner_panels(const Stream& stream, MultiView<const double> x, MultiView<const double> y,
                  MultiView<double> s) {
  cudaStream_t native = enter(stream);
  auto* const kernel = inner_kernel<TX, TY>;
  int resident = 0;
  SETKA_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, inner_threads, 0));
  const auto x_panels = static_cast<unsigned>((x.columns + 8 * TX - 1) / (8 * TX));
  const auto y_panels = static_cast<unsigned>((y.columns + 8 * TY - 1) / (8 * TY));

  // One wave of blocks; each takes a contiguous share of whole steps.
  constexpr std::int64_t step = 4 * inner_unroll * inner_warps;
  const std::int64_t wave =
      std::max<std::int64_t>(1, std::int64_t{multiprocessors(stream)} * resident / (x_panels * y_panels));
  const std::int64_t steps = std::max<std::int64_t>(1, (x.rows + step - 1) / step);
  const std::int64_t steps_per_block = (steps + wave - 1) / wave;
  const auto blocks = static_cast<unsigned>((steps + steps_per_block - 1) / steps_per_block);

  const Scratch<double> partial(stream, blocks * x.columns * y.columns);
  kernel<<<dim3(blocks, x_panels, y_panels), inner_threads, 0, native>>>(x, y, steps_per_block * step,
                                                                         partial.data());
  SETKA_CUDA_CHECK_LAUNCH(stream, "inner");
  sum_partials<double>(stream, partial.data(), static_cast<int>(blocks), s);
}

constexpr int most_tiles = 5;  // of a panel in one direction: sums of 40 x 40 are 50 doubles of a lane

/// Tiles of eight columns a panel: as few panels as there can be, as narrow as they can be.
int tiles_for(std::int64_t columns) {
  const std::int64_t tiles = std::max<std::int64_t>(1, (columns + 7) / 8);
  const std::int64_t panels = (tiles + most_tiles - 1) / most_tiles;
  return static_cast<int>((tiles + panels - 1) / panels);
}

/// body(integral constant of the tiles)
template <class Body>
void with_tiles(int tiles, const Body& body) {
  switch (tiles) {
    case 1:
      return body(std::integral_constant<int, 1>{});
    case 2:
      return body(std::integral_constant<int, 2>{});
    case 3:
      return body(std::integral_constant<int, 3>{});
    case 4:
      return body(std::integral_constant<int, 4>{});
    default:
      return body(std::integral_constant<int, most_tiles>{});
  }
}

// ---- column by column
// ----------------------------------------------------------------------------------------------

constexpr int column_threads = 256;

/// Thread t serves column t % width of this panel in every lane-th row, so that neighbours read neighbouring
/// words.
template <class T>
__global__ void __launch_bounds__(column_threads)
    column_dots_kernel(MultiView<const T> x, MultiView<const T> y, int width, T* partial) {
  __shared__ T shared[column_threads];
  const int lanes = column_threads / width;
  const int lane = threadIdx.x / width;
  const std::int64_t column = std::int64_t{blockIdx.y} * width + threadIdx.x % width;
  T sum = 0;
  if (lane < lanes && column < x.columns) {
    const std::int64_t stride = std::int64_t{gridDim.x} * lanes;
#pragma unroll 4
    for (std::int64_t row = std::int64_t{blockIdx.x} * lanes + lane; row < x.rows; row += stride) {
      sum += x(row, column) * y(row, column);
    }
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  if (lane == 0 && column < x.columns) {
    for (int l = 1; l < lanes; ++l) sum += shared[l * width + threadIdx.x];
    partial[blockIdx.x * x.columns + column] = sum;
  }
}

/// body(row, column) over all entries, neighbouring columns in neighbouring threads.
template <class Body>
__global__ void __launch_bounds__(column_threads)
    each_entry_kernel(std::int64_t rows, std::int64_t columns, int width, Body body) {
  const int lanes = column_threads / width;
  const int lane = threadIdx.x / width;
  const std::int64_t column = std::int64_t{blockIdx.y} * width + threadIdx.x % width;
  if (lane >= lanes || column >= columns) return;
  const std::int64_t stride = std::int64_t{gridDim.x} * lanes;
  for (std::int64_t row = std::int64_t{blockIdx.x} * lanes + lane; row < rows; row += stride)
    body(row, column);
}

struct ColumnGrid {
  int width;  // columns a block serves
  dim3 blocks;
};

ColumnGrid column_grid(const Stream& stream, std::int64_t rows, std::int64_t columns) {
  const int width = static_cast<int>(std::min<std::int64_t>(columns, column_threads));
  const auto panels = static_cast<unsigned>((columns + width - 1) / width);
  const std::int64_t lanes = column_threads / width;
  const std::int64_t most = std::int64_t{multiprocessors(stream)} * 8;
  const std::int64_t blocks = std::clamp<std::int64_t>((rows + 8 * lanes - 1) / (8 * lanes), 1, most);
  return {width, dim3(static_cast<unsigned>(blocks), panels)};
}

template <class Body>
void each_entry(const Stream& stream, std::int64_t rows, std::int64_t columns, const Body& body) {
  const ColumnGrid grid = column_grid(stream, rows, columns);
  each_entry_kernel<<<grid.blocks, column_threads, 0, enter(stream)>>>(rows, columns, grid.width, body);
  SETKA_CUDA_CHECK_LAUNCH(stream, "each_entry");
}

template <class T>
struct ScaleEntry {
  View<const T> a;
  MultiView<T> x;
  __device__ void operator()(std::int64_t i, std::int64_t j) const { x(i, j) *= a[j]; }
};

constexpr int most_picked = 64;

template <class T>
struct PickEntry {
  MultiView<const T> x;
  MultiView<T> y;
  short from[most_picked];
  __device__ void operator()(std::int64_t i, std::int64_t j) const { y(i, j) = x(i, from[j]); }
};

template <class T>
struct CopyEntry {
  MultiView<const T> x;
  MultiView<T> y;
  __device__ void operator()(std::int64_t i, std::int64_t j) const { y(i, j) = x(i, j); }
};

template <class T>
struct CombineEntry {
  View<const T> a;
  MultiView<const T> x;
  View<const T> b;
  MultiView<T> y;
  __device__ void operator()(std::int64_t i, std::int64_t j) const {
    y(i, j) = a[j] * x(i, j) + b[j] * y(i, j);
  }
};

// ---- cuBLAS, which stores by columns: a row-major matrix is its transpose
// ------------------------------------------

cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, std::int64_t n,
                    int k, double alpha, const double* a, int lda, const double* b, int ldb, double beta,
                    double* c, int ldc) {
  return cublas().dgemm(handle, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, std::int64_t n,
                    int k, float alpha, const float* a, int lda, const float* b, int ldb, float beta,
                    float* c, int ldc) {
  return cublas().sgemm(handle, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}

/// X'Y of floats: products of row chunks in one batch, then their sum in order.
void inner_in_chunks(const Stream& stream, MultiView<const float> x, MultiView<const float> y,
                     MultiView<float> s) {
  constexpr std::int64_t chunk = 4096;
  const std::int64_t whole = x.rows / chunk;
  const std::int64_t rest = x.rows % chunk;
  const std::int64_t chunks = whole + (rest > 0 ? 1 : 0);
  const std::int64_t entries = x.columns * y.columns;
  const Scratch<float> partial(stream, std::max<std::int64_t>(1, chunks) * entries);
  cublasHandle_t handle = cublas_handle(stream);
  const float one = 1;
  const float zero = 0;
  const auto product = [&](std::int64_t first, std::int64_t rows, std::int64_t count) {
    SETKA_CUDA_CHECK(cublas().sgemm_strided_batched(
        handle, CUBLAS_OP_N, CUBLAS_OP_T, y.columns, x.columns, rows, &one, y.data + first * chunk * y.stride,
        y.stride, chunk * y.stride, x.data + first * chunk * x.stride, x.stride, chunk * x.stride, &zero,
        partial.data() + first * entries, y.columns, entries, count));
  };
  enter(stream);
  if (whole > 0) product(0, chunk, whole);
  if (rest > 0) product(whole, rest, 1);
  sum_partials<float>(stream, partial.data(), static_cast<int>(chunks), s);
}

}  // namespace

void prepare_blocks(const Stream& stream) {
  (void)cublas_handle(stream);
}

template <class T>
void inner(const Stream& stream, MultiView<const T> x, MultiView<const T> y, MultiView<T> s) {
  if constexpr (std::is_same_v<T, double>) {
    with_tiles(tiles_for(x.columns), [&](auto of_x) {
      with_tiles(tiles_for(y.columns), [&](auto of_y) {
        inner_panels<decltype(of_x)::value, decltype(of_y)::value>(stream, x, y, s);
      });
    });
  } else {
    inner_in_chunks(stream, x, y, s);
  }
}

template <class T>
void multiply_small(const Stream& stream, T a, MultiView<const T> x, MultiView<const T> s, T b,
                    MultiView<T> y) {
  enter(stream);
  SETKA_CUDA_CHECK(gemm(cublas_handle(stream), CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(y.columns), y.rows,
                        static_cast<int>(x.columns), a, s.data, static_cast<int>(s.stride), x.data,
                        static_cast<int>(x.stride), b, y.data, static_cast<int>(y.stride)));
}

template <class T>
void combine(const Stream& stream, SmallTerms<T> terms, T b, MultiView<const T> z, MultiView<T> y) {
  if (b != T(0) && z.data != y.data) each_entry(stream, y.rows, y.columns, CopyEntry<T>{z, y});
  for (const SmallTerm<T>& term : terms) {
    multiply_small(stream, T(1), term.x, term.s, b, y);
    b = T(1);
  }
}

template <class T>
void pick_columns(const Stream& stream, MultiView<const T> x, std::span<const std::int64_t> which,
                  MultiView<T> y) {
  for (std::int64_t first = 0; first < y.columns; first += most_picked) {
    const std::int64_t count = std::min<std::int64_t>(most_picked, y.columns - first);
    PickEntry<T> body{x, {y.data + first, y.rows, count, y.stride}, {}};
    for (std::int64_t j = 0; j < count; ++j)
      body.from[j] = static_cast<short>(which[static_cast<std::size_t>(first + j)]);
    each_entry(stream, y.rows, count, body);
  }
}

template <class T>
void column_dots(const Stream& stream, MultiView<const T> x, MultiView<const T> y, View<T> d) {
  const ColumnGrid grid = column_grid(stream, x.rows, x.columns);
  const Scratch<T> partial(stream, grid.blocks.x * x.columns);
  column_dots_kernel<<<grid.blocks, column_threads, 0, enter(stream)>>>(x, y, grid.width, partial.data());
  SETKA_CUDA_CHECK_LAUNCH(stream, "column_dots");
  sum_partials<T>(stream, partial.data(), static_cast<int>(grid.blocks.x),
                  MultiView<T>{d.data, 1, x.columns, x.columns});
}

template <class T>
void scale_columns(const Stream& stream, View<const T> a, MultiView<T> x) {
  each_entry(stream, x.rows, x.columns, ScaleEntry<T>{a, x});
}

template <class T>
void axpby_columns(const Stream& stream, View<const T> a, MultiView<const T> x, View<const T> b,
                   MultiView<T> y) {
  each_entry(stream, y.rows, y.columns, CombineEntry<T>{a, x, b, y});
}

#define SETKA_BLOCK_OPERATIONS(T)                                                                          \
  template void inner(const Stream&, MultiView<const T>, MultiView<const T>, MultiView<T>);                \
  template void multiply_small(const Stream&, T, MultiView<const T>, MultiView<const T>, T, MultiView<T>); \
  template void combine(const Stream&, SmallTerms<T>, T, MultiView<const T>, MultiView<T>);                \
  template void pick_columns(const Stream&, MultiView<const T>, std::span<const std::int64_t>,             \
                             MultiView<T>);                                                                \
  template void column_dots(const Stream&, MultiView<const T>, MultiView<const T>, View<T>);               \
  template void scale_columns(const Stream&, View<const T>, MultiView<T>);                                 \
  template void axpby_columns(const Stream&, View<const T>, MultiView<const T>, View<const T>, MultiView<T>);
SETKA_BLOCK_OPERATIONS(float)
SETKA_BLOCK_OPERATIONS(double)

}  // namespace setka::exec::cuda
