// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/cuda.cuh"
#include "setka/fem/element_matrices_kernel.hpp"

/// Levels II and IIa of integration: one thread a point, so that an element's points are integrated at once
/// and their parts of K meet in shared memory, where they are added pairwise. Kept to compare with; the
/// kernels of element_matrices.cu do without the sums.
namespace setka::fem::cuda {
namespace {

/// What one point adds to the block of nodes (a, b): w B_a^T D B_b.
struct HexaPoint {
  using Solid = kernel::Solid<Element::hex8>;
  static constexpr int directions = 3;
  double g[24];
  double weight;

  __device__ void prepare(const ElementGroupView& group, std::int64_t block, int lane, int point) {
    const kernel::NodeCoordinates x{group.node + interleaved(block, 8, 0, lane), group.coordinates};
    weight = group.reference.weights[point] *
             kernel::map_gradients<8>(x, group.reference.gradients + point * 24, g);
  }
};

struct QuadPoint {
  using Solid = kernel::PlaneQuad;
  static constexpr int directions = 2;
  double g[8];
  double weight;

  __device__ void prepare(const ElementGroupView& group, std::int64_t block, int lane, int point) {
    double x[8];
    for (int i = 0; i < 4; ++i) {
      const std::int64_t node = group.node[interleaved(block, 4, i, lane)];
      x[2 * i] = group.coordinates[3 * node];
      x[2 * i + 1] = group.coordinates[3 * node + 1];
    }
    weight = group.reference.weights[point] *
             kernel::map_plane_gradients<4>(x, group.reference.gradients + point * 8, g);
  }
};

/// Values of the points of one element, added as a tree.
template <int points>
__device__ double pairwise_sum(const double* values) {
  double sums[points];
#pragma unroll
  for (int p = 0; p < points; ++p) sums[p] = values[p];
#pragma unroll
  for (int width = points / 2; width > 0; width /= 2) {
#pragma unroll
    for (int p = 0; p < width; ++p) sums[p] += sums[p + width];
  }
  return sums[0];
}

/// Thread p of an element's group of threads takes point p, then every so manieth entry of the blocks.
template <class Point, int elements_per_block>
__global__ void by_points_kernel(const ElementGroupView group, double* __restrict__ k) {
  using Solid = typename Point::Solid;
  constexpr int n = Solid::nodes;
  constexpr int points = Solid::points;
  constexpr int m = Point::directions;
  __shared__ double parts[elements_per_block][m * m][points];
  const int own = threadIdx.x / points;
  const int point = threadIdx.x % points;
  const std::int64_t e = std::int64_t{blockIdx.x} * elements_per_block + own;
  const std::int64_t block = e / block_lanes;
  const int lane = static_cast<int>(e % block_lanes);
  const double* const d = group.d + 36 * std::int64_t{group.material[e]};
  Point at;
  at.prepare(group, block, lane, point);
  for (kernel::NodePair pair{0, 0}; pair.a < n; pair.next(n)) {
    double s[m * m] = {};
    double weighted[m];
    for (int c = 0; c < m; ++c) weighted[c] = at.weight * at.g[m * pair.a + c];
    kernel::add_moments<m>(weighted, at.g + m * pair.b, s);
    double part[m * m];
    kernel::block_from_moments<m>(s, d, part);
    for (int c = 0; c < m * m; ++c) parts[own][c][point] = part[c];
    __syncthreads();
    for (int c = point; c < m * m; c += points) {
      const int i = c / m;
      const int j = c % m;
      if (pair.a == pair.b && j < i) continue;
      const int entry = triangle_entry(m * n, m * pair.a + i, m * pair.b + j);
      k[interleaved(block, triangle_size(m * n), entry, lane)] = pairwise_sum<points>(parts[own][c]);
    }
    __syncthreads();
  }
}

template <class Point, int elements_per_block>
void launch(const exec::Stream& stream, const ElementGroupView& group, double* k) {
  const std::int64_t blocks = group.blocks * block_lanes / elements_per_block;
  by_points_kernel<Point, elements_per_block>
      <<<static_cast<unsigned>(blocks), elements_per_block * Point::Solid::points, 0,
         exec::cuda::enter(stream)>>>(group, k);
  SETKA_CUDA_CHECK_LAUNCH(stream, "integrate by points");
}

}  // namespace

void integrate_hexa_by_points(const exec::Stream& stream, const ElementGroupView& group,
                              int elements_per_block, double* k) {
  elements_per_block == 1 ? launch<HexaPoint, 1>(stream, group, k) : launch<HexaPoint, 4>(stream, group, k);
}

void integrate_quads_by_points(const exec::Stream& stream, const ElementGroupView& group,
                               int elements_per_block, double* k) {
  elements_per_block == 1 ? launch<QuadPoint, 1>(stream, group, k) : launch<QuadPoint, 8>(stream, group, k);
}

}  // namespace setka::fem::cuda
