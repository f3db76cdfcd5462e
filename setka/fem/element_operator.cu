// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/element_operator_kernel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/solid_kernel.hpp"

/// Products of stored element matrices with the elements' values.
///
/// One column: a thread an element, whose neighbours read neighbouring words of every entry; the floor is the
/// triangles, 2400 bytes a C3D8. Up to 24 rows, as C3D8 has, the values stay in registers. Elements with more
/// keep them in shared memory, which an entry of 256 bytes a warp costs about as much, well below what the
/// memory takes for it.
///
/// Several columns: a block of threads takes a few elements, whose triangles it fetches into shared memory
/// once; a thread has an element and a column. 2 r^2 flops a column: at 32 columns of C3D8 the arithmetic
/// outweighs reading the triangles.
namespace setka::fem::cuda {
namespace {

using exec::cuda::enter;

constexpr int few_rows = 24;  // values of elements with so many rows stay in registers

// ---- one column

constexpr int column_threads = 128;

template <int rows, class Rows>
__global__ void __launch_bounds__(column_threads, 4)
    multiply_in_registers(std::int64_t blocks, const Rows u, const double* __restrict__ k, double* values) {
  const std::int64_t e = std::int64_t{blockIdx.x} * column_threads + threadIdx.x;
  const std::int64_t block = e / block_lanes;
  const int lane = threadIdx.x % block_lanes;
  if (block >= blocks) return;
  double x[rows];
  double y[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    x[i] = u(block, i, lane, 0);
    y[i] = 0;
  }
  const double* const own = k + interleaved(block, triangle_size(rows), 0, lane);
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = i; j < rows; ++j) {
      const double entry = __ldcs(own + triangle_entry(rows, i, j) * block_lanes);
      y[i] += entry * x[j];
      if (j > i) y[j] += entry * x[i];
    }
  }
#pragma unroll
  for (int i = 0; i < rows; ++i) values[interleaved(block, rows, i, lane)] = y[i];
}

constexpr int shared_threads = 64;
constexpr int blocks_in_flight = 2;  // 3 x 3 blocks that are fetched before they are used: 18 words a thread

/// Node by node: the rows of node a stay in registers while its blocks with the nodes after it pass by.
template <int nodes, class Rows>
__global__ void __launch_bounds__(shared_threads)
    multiply_in_shared_memory(std::int64_t blocks, const Rows u, const double* __restrict__ k,
                              double* values) {
  constexpr int rows = 3 * nodes;
  extern __shared__ double shared[];  // x and y: [rows, threads] each
  double* const x = shared + threadIdx.x;
  double* const y = x + rows * shared_threads;
  const std::int64_t e = std::int64_t{blockIdx.x} * shared_threads + threadIdx.x;
  const std::int64_t block = e / block_lanes;
  const int lane = threadIdx.x % block_lanes;
  if (block >= blocks) return;
  for (int i = 0; i < rows; ++i) {
    x[i * shared_threads] = u(block, i, lane, 0);
    y[i * shared_threads] = 0;
  }
  const double* const own = k + interleaved(block, triangle_size(rows), 0, lane);
  for (int a = 0; a < nodes; ++a) {
    double xa[3];
    double ya[3];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      xa[i] = x[(3 * a + i) * shared_threads];
      ya[i] = y[(3 * a + i) * shared_threads];
    }
#pragma unroll
    for (int i = 0; i < 3; ++i) {
#pragma unroll
      for (int j = i; j < 3; ++j) {
        const double entry = __ldcs(own + triangle_entry(rows, 3 * a + i, 3 * a + j) * block_lanes);
        ya[i] += entry * xa[j];
        if (j > i) ya[j] += entry * xa[i];
      }
    }
    for (int b = a + 1; b < nodes; b += blocks_in_flight) {
      double entry[blocks_in_flight][9];
#pragma unroll
      for (int f = 0; f < blocks_in_flight; ++f) {
        const int node = min(b + f, nodes - 1);
#pragma unroll
        for (int c = 0; c < 9; ++c)
          entry[f][c] = __ldcs(own + triangle_entry(rows, 3 * a + c / 3, 3 * node + c % 3) * block_lanes);
      }
#pragma unroll
      for (int f = 0; f < blocks_in_flight; ++f) {
        if (b + f >= nodes) break;
#pragma unroll
        for (int j = 0; j < 3; ++j) {
          const double xb = x[(3 * (b + f) + j) * shared_threads];
          double yb = y[(3 * (b + f) + j) * shared_threads];
#pragma unroll
          for (int i = 0; i < 3; ++i) {
            ya[i] += entry[f][3 * i + j] * xb;
            yb += entry[f][3 * i + j] * xa[i];
          }
          y[(3 * (b + f) + j) * shared_threads] = yb;
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 3; ++i) values[interleaved(block, rows, 3 * a + i, lane)] = ya[i];
  }
}

// ---- several columns

/// Elements a block of threads: their entries of one number fill whole sectors of memory.
template <int rows>
constexpr int panel_elements = rows <= few_rows ? 8 : 4;

/// Apart by two more than the triangle, rounded up to even: elements in different banks, pairs in one word.
template <int rows>
constexpr int panel_pitch = (triangle_size(rows) + 1) / 2 * 2 + 2;

/// width: columns a block serves; lanes past the last column idle.
template <int rows, int width, class Rows>
__global__ void __launch_bounds__(panel_elements<rows>* width)
    multiply_panel(const Rows u, const double* __restrict__ k, int columns, double* values) {
  constexpr int elements = panel_elements<rows>;
  constexpr int entries = triangle_size(rows);
  extern __shared__ double triangles[];  // [elements, pitch]
  const std::int64_t first = std::int64_t{blockIdx.x} * elements;
  const std::int64_t block = first / block_lanes;
  const int first_lane = static_cast<int>(first % block_lanes);
  for (int t = threadIdx.x; t < entries * elements; t += elements * width) {
    triangles[t % elements * panel_pitch<rows> + t / elements] =
        __ldcs(k + interleaved(block, entries, t / elements, first_lane + t % elements));
  }
  const int column = threadIdx.x % width;
  const int lane = first_lane + static_cast<int>(threadIdx.x) / width;
  const bool busy = column < columns;
  double x[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i) x[i] = busy ? u(block, i, lane, column) : 0.0;
  __syncthreads();
  if (!busy) return;
  const double* const own = triangles + static_cast<int>(threadIdx.x) / width * panel_pitch<rows>;
  const auto store = [&](int i, double value) {
    values[interleaved(block, rows, i, lane) * columns + column] = value;
  };
  if constexpr (rows <= few_rows) {
    double y[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) y[i] = 0;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
      for (int j = i; j < rows; ++j) {
        const double entry = own[triangle_entry(rows, i, j)];
        y[i] += entry * x[j];
        if (j > i) y[j] += entry * x[i];
      }
    }
#pragma unroll
    for (int i = 0; i < rows; ++i) store(i, y[i]);
  } else {
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
#pragma unroll
      for (int j = 0; j < rows; ++j) {
        sum += own[j < i ? triangle_entry(rows, j, i) : triangle_entry(rows, i, j)] * x[j];
      }
      store(i, sum);
    }
  }
}

template <int rows, class Rows>
void multiply_column(const exec::Stream& stream, std::int64_t blocks, const Rows& u, const double* k,
                     double* values) {
  cudaStream_t native = enter(stream);
  const auto grid = [&](int threads) {
    return static_cast<unsigned>((blocks * block_lanes + threads - 1) / threads);
  };
  if constexpr (rows <= few_rows) {
    multiply_in_registers<rows><<<grid(column_threads), column_threads, 0, native>>>(blocks, u, k, values);
  } else {  // of three components
    constexpr int bytes = 2 * rows * shared_threads * sizeof(double);
    SETKA_CUDA_CHECK(cudaFuncSetAttribute(multiply_in_shared_memory<rows / 3, Rows>,
                                          cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply_in_shared_memory<rows / 3>
        <<<grid(shared_threads), shared_threads, bytes, native>>>(blocks, u, k, values);
  }
  SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_stored");
}

template <int rows, int width, class Rows>
void launch_panel(const exec::Stream& stream, std::int64_t blocks, const Rows& u, const double* k,
                  int columns, double* values) {
  constexpr int elements = panel_elements<rows>;
  constexpr int bytes = elements * panel_pitch<rows> * static_cast<int>(sizeof(double));
  cudaStream_t native = enter(stream);
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(multiply_panel<rows, width, Rows>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  multiply_panel<rows, width>
      <<<static_cast<unsigned>(blocks * (block_lanes / elements)), elements * width, bytes, native>>>(
          u, k, columns, values);
  SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_stored");
}

template <int rows, class Rows>
void multiply_rows(const exec::Stream& stream, std::int64_t blocks, const Rows& u, const double* k,
                   int columns, double* values) {
  if (columns == 1) return multiply_column<rows>(stream, blocks, u, k, values);
  if (columns <= 8) return launch_panel<rows, 8>(stream, blocks, u, k, columns, values);
  launch_panel<rows, 32>(stream, blocks, u, k, columns, values);
}

template <Element element, int components>
void multiply_elements(const exec::Stream& stream, std::int64_t blocks, const std::int32_t* node,
                       const kernel::DofSource* u, const double* k, int columns, double* values) {
  constexpr int nodes = kernel::Integrated<element>::nodes;
  constexpr int rows = components * nodes;
  if (u != nullptr) {
    multiply_rows<rows>(stream, blocks, kernel::GatheredRows<components>{node, nodes, *u}, k, columns,
                        values);
  } else {
    multiply_rows<rows>(stream, blocks, kernel::ExpandedRows{values, rows, columns}, k, columns, values);
  }
}

}  // namespace

void multiply_stored(const exec::Stream& stream, Element element, int components, std::int64_t blocks,
                     const std::int32_t* node, const kernel::DofSource* u, const double* k, int columns,
                     double* values) {
  with_element("multiply_stored", element, [&]<Element type>() {
    constexpr int dimension = kernel::Integrated<type>::dimension;
    if (components == 1) {
      multiply_elements<type, 1>(stream, blocks, node, u, k, columns, values);
    } else {
      multiply_elements<type, dimension>(stream, blocks, node, u, k, columns, values);
    }
  });
}

}  // namespace setka::fem::cuda

#define SETKA_PRODUCTS_OF(components)                                     \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ExpandToElements<components>) \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::SumOverElements<components>)
SETKA_FIELD_COMPONENTS(SETKA_PRODUCTS_OF)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::MultiplySparse)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::PickRows)
