// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/cuda.cuh"
#include "setka/fem/form_kernel.hpp"

/// Forms on the GPU, the general way.
///
/// Matrices: a block of threads takes some neighbouring elements. Its threads put gradients and weights of
/// all points into shared memory, one thread an element and point; then each worker (as many threads as there
/// are elements) makes its share of node pairs. Neighbouring threads are neighbouring elements. Products: a
/// thread an element and column.
namespace setka::fem::cuda {
namespace {

using exec::cuda::enter;
using kernel::NodePair;

constexpr int threads = 128;

template <Element type>
constexpr int doubles_of = kernel::Integrated<type>::points*(
    kernel::Integrated<type>::dimension* kernel::Integrated<type>::nodes + 1);

/// As many as leave room for two blocks of threads in 227 kB of shared memory.
template <Element type>
constexpr int elements_of = doubles_of<type> <= 432 ? 32 : (doubles_of<type> <= 864 ? 16 : 8);

struct PointCoefficients {
  const double* table;
  const std::int32_t* row;  // of the element's first point
  int stride;               // between points; 0: all have the same
  int width;
  __device__ const double* operator()(int p) const { return table + std::int64_t{row[p * stride]} * width; }
};

template <Element type, class Form>
__device__ PointCoefficients coefficients_at(const CoefficientView& from, std::int64_t block, int lane) {
  const int points = from.varies ? kernel::Integrated<type>::points : 1;
  return {from.table, from.row + interleaved(block, points, 0, lane), from.varies ? block_lanes : 0,
          Form::coefficients};
}

/// Coordinates in the element's own dimension, where they are.
template <int dimension>
struct OwnCoordinates {
  const std::int32_t* node;
  const double* coordinates;
  __device__ double operator[](int k) const {
    return coordinates[3 * std::int64_t{*mesh::row<block_lanes>(node, k / dimension)} + k % dimension];
  }
};

template <Element type, class Form>
__global__ void __launch_bounds__(threads)
    matrix_kernel(const ElementGroupView group, const CoefficientView from, double* __restrict__ k) {
  using Own = kernel::Integrated<type>;
  constexpr int n = Own::nodes;
  constexpr int m = Own::dimension;
  constexpr int c = Form::components;
  constexpr int points = Own::points;
  constexpr int elements = elements_of<type>;
  constexpr int workers = threads / elements;
  constexpr int pairs = n * (n + 1) / 2;
  extern __shared__ double shared[];
  double* const weight = shared;                        // [points, elements]
  double* const gradient = shared + points * elements;  // [points, nodes, dimension, elements]
  const int e = threadIdx.x % elements;
  const int worker = threadIdx.x / elements;
  const std::int64_t first = std::int64_t{blockIdx.x} * elements;
  const std::int64_t block = first / block_lanes;
  const int lane = static_cast<int>(first % block_lanes) + e;
  const OwnCoordinates<m> x{group.node + interleaved(block, n, 0, lane), group.coordinates};
  for (int p = worker; p < points; p += workers) {
    double own[m * n];
    double g[m * n];
#pragma unroll
    for (int i = 0; i < m * n; ++i) own[i] = x[i];
    weight[p * elements + e] =
        group.reference.weights[p] * kernel::space_gradients_of<n, m>(static_cast<const double*>(own),
                                                                      group.reference.gradients + p * m * n,
                                                                      static_cast<double*>(g));
    if constexpr (Form::of_gradients) {
#pragma unroll
      for (int i = 0; i < m * n; ++i) gradient[(p * m * n + i) * elements + e] = g[i];
    }
  }
  __syncthreads();
  const PointCoefficients coefficient = coefficients_at<type, Form>(from, block, lane);
  const int last = pairs * (worker + 1) / workers;
  int count = pairs * worker / workers;
  NodePair pair = NodePair::at(n, count);
  for (; count < last; ++count, pair.next(n)) {
    constexpr int moments = Form::of_gradients ? m * m : 1;
    double sum[c * c] = {};
    double s[moments] = {};
    const auto add_block = [&](int p) {
      double own[c * c];
      kernel::form_block<Form, m>(coefficient(p), s, own);
#pragma unroll
      for (int i = 0; i < c * c; ++i) sum[i] += own[i];
#pragma unroll
      for (int i = 0; i < moments; ++i) s[i] = 0;
    };
    for (int p = 0; p < points; ++p) {
      const double w = weight[p * elements + e];
      if constexpr (Form::of_gradients) {
        double ga[m];
        double gb[m];
#pragma unroll
        for (int i = 0; i < m; ++i) {
          ga[i] = w * gradient[((p * n + pair.a) * m + i) * elements + e];
          gb[i] = gradient[((p * n + pair.b) * m + i) * elements + e];
        }
        kernel::add_moments<m>(ga, gb, s);
      } else {
        s[0] += w * (group.reference.values[p * n + pair.a] * group.reference.values[p * n + pair.b]);
      }
      if (from.varies) add_block(p);
    }
    if (!from.varies) add_block(0);
    kernel::for_block_entries<c>(n, pair, [&](int entry, int i, int j) {
      __stcs(k + interleaved(block, triangle_size(c * n), entry, lane), sum[c * i + j]);
    });
  }
}

template <Element type, class Form>
__global__ void __launch_bounds__(threads)
    product_kernel(const ElementGroupView group, const CoefficientView from, const kernel::DofSource u,
                   int columns, kernel::RowAndColumn split, double* __restrict__ values) {
  using Own = kernel::Integrated<type>;
  constexpr int n = Own::nodes;
  constexpr int m = Own::dimension;
  constexpr int rows = Form::components * n;
  const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  const std::int64_t e = split.row(i);
  const std::int64_t column = split.column(i);
  if (e >= group.blocks * block_lanes || column >= columns) return;
  const std::int64_t block = e / block_lanes;
  const int lane = static_cast<int>(e % block_lanes);
  const OwnCoordinates<m> at{group.node + interleaved(block, n, 0, lane), group.coordinates};
  const kernel::GatheredRows<Form::components> gathered{group.node, n, u};
  double x[m * n];
  double own[rows];
  double f[rows];
#pragma unroll
  for (int k = 0; k < m * n; ++k) x[k] = at[k];
#pragma unroll
  for (int k = 0; k < rows; ++k) own[k] = gathered(block, k, lane, column);
  kernel::form_product<type, Form>(static_cast<const double*>(x), static_cast<const double*>(own),
                                   group.reference, coefficients_at<type, Form>(from, block, lane),
                                   static_cast<double*>(f));
#pragma unroll
  for (int k = 0; k < rows; ++k) values[interleaved(block, rows, k, lane) * columns + column] = f[k];
}

}  // namespace

void integrate_form(const exec::Stream& stream, FormKind kind, int components, Element element,
                    const ElementGroupView& group, const CoefficientView& coefficients, double* k) {
  with_form(kind, components, element, [&]<Element type, class Form>() {
    constexpr int elements = elements_of<type>;
    constexpr int bytes = static_cast<int>(sizeof(double)) * elements *
                          (Form::of_gradients ? doubles_of<type> : kernel::Integrated<type>::points);
    cudaStream_t native = enter(stream);
    SETKA_CUDA_CHECK(
        cudaFuncSetAttribute(matrix_kernel<type, Form>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const auto blocks = static_cast<unsigned>(group.blocks * (block_lanes / elements));
    matrix_kernel<type, Form><<<blocks, threads, bytes, native>>>(group, coefficients, k);
    SETKA_CUDA_CHECK_LAUNCH(stream, "integrate_form");
  });
}

void multiply_form(const exec::Stream& stream, FormKind kind, int components, Element element,
                   const ElementGroupView& group, const CoefficientView& coefficients,
                   const kernel::DofSource& u, int columns, double* values) {
  const auto split = kernel::RowAndColumn::of(columns);
  const auto blocks =
      static_cast<unsigned>((split.count(group.blocks * block_lanes) + threads - 1) / threads);
  with_form(kind, components, element, [&]<Element type, class Form>() {
    product_kernel<type, Form>
        <<<blocks, threads, 0, enter(stream)>>>(group, coefficients, u, columns, split, values);
    SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_form");
  });
}

}  // namespace setka::fem::cuda
