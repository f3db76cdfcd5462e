// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/element_matrices_kernel.hpp"
#include "setka/fem/elements.hpp"

/// Integration of element matrices on the GPU.
///
/// A block of threads takes some neighbouring elements. First its threads compute the gradients at all
/// points, one thread an element and point, into shared memory; then each worker (as many threads as there
/// are elements) sums the moments of its share of node pairs and stores their blocks of K. Neighbouring
/// threads are neighbouring elements, so that stores fill whole sectors.
///
/// C3D8, isotropic: 1400 fused products for gradients, 2400 for moments, 600 for blocks; 2400 bytes stored
/// and 40 read an element. At 4.3 TB/s and 34 TFlop/s (H200) 5e5 elements take 0.28 ms to store and 0.13 ms
/// to compute; shared memory (8 kB read an element) 0.17 ms.
namespace setka::fem::cuda {
namespace {

using exec::cuda::enter;
using kernel::NodePair;

struct Tuning {
  int elements;  // a block of threads
  int threads;
  int resident = 1;  // blocks a multiprocessor is to hold: bounds the registers
};

/// Elements a block so that its gradients leave room for three or four blocks (two of C3D20) in 227 kB of
/// shared memory; workers so that they share the pairs out evenly.
template <Element type>
constexpr Tuning stiffness_tuning() {
  using Solid = kernel::Solid<type>;
  switch (type) {
    case Element::tet4:
      return {32, 64};  // 10 pairs, 2 workers
    case Element::wedge6:
      return {32, 96};  // 21 pairs, 3 workers
    case Element::hex8:
      return {32, 128, 4};  // 36 pairs, 4 workers
    case Element::tet10:
      return {32, 160};  // 55 pairs, 5 workers
    case Element::wedge15:
      return {16, 128};  // 120 pairs, 8 workers
    case Element::hex20_reduced:
      return {16, 224, 2};  // 210 pairs, 14 workers
    case Element::hex20:
      return {8, 240, 2};  // 210 pairs, 30 workers
    default:               // not tuned: by the room its gradients take
      return Solid::points * Solid::nodes <= 64 ? Tuning{32, 128} : Tuning{8, 128};
  }
}

template <Element type>
constexpr std::size_t stiffness_shared_bytes() {
  using Solid = kernel::Solid<type>;
  return sizeof(double) * stiffness_tuning<type>().elements * Solid::points * (3 * Solid::nodes + 1);
}

/// The coordinates of an element: fetched once where they fit in registers.
template <int nodes>
struct FewCoordinates {
  double x[3 * nodes];
  __device__ explicit FewCoordinates(const kernel::NodeCoordinates& from) {
#pragma unroll
    for (int i = 0; i < 3 * nodes; ++i) x[i] = from[i];
  }
  __device__ double operator[](int i) const {
    return x[i];
  }
};
template <int nodes>
using Coordinates = std::conditional_t<nodes <= 8, FewCoordinates<nodes>, kernel::NodeCoordinates>;

template <Element type, bool isotropic>
__global__ void __launch_bounds__(stiffness_tuning<type>().threads, stiffness_tuning<type>().resident)
    stiffness_kernel(const ElementGroupView group, double* __restrict__ k) {
  using Solid = kernel::Solid<type>;
  constexpr int n = Solid::nodes;
  constexpr int points = Solid::points;
  constexpr int elements = stiffness_tuning<type>().elements;
  constexpr int workers = stiffness_tuning<type>().threads / elements;
  constexpr int pairs = n * (n + 1) / 2;
  extern __shared__ double shared[];
  double* const weight = shared;                        // [points, elements]
  double* const gradient = shared + points * elements;  // [points, nodes, 3, elements]

  const int e = threadIdx.x % elements;
  const int worker = threadIdx.x / elements;
  const std::int64_t first = std::int64_t{blockIdx.x} * elements;
  const std::int64_t block = first / block_lanes;
  const int lane = static_cast<int>(first % block_lanes) + e;

  {
    const Coordinates<n> x(
        kernel::NodeCoordinates{group.node + interleaved(block, n, 0, lane), group.coordinates});
    for (int p = worker; p < points; p += workers) {
      const kernel::Strided g{gradient + p * 3 * n * elements + e, elements};
      weight[p * elements + e] =
          group.reference.weights[p] * kernel::map_gradients<n>(x, group.reference.gradients + p * 3 * n, g);
    }
  }
  const std::int64_t material = group.material[block * block_lanes + lane];
  double lame = 0;
  double shear = 0;
  if constexpr (isotropic) {
    lame = group.lame[2 * material];
    shear = group.lame[2 * material + 1];
  }
  __syncthreads();

  // Node a of a worker's pairs changes seldom: its weighted gradients stay in registers where they fit.
  constexpr bool keep = points <= 9;
  double kept[keep ? 3 * points : 1];
  int kept_node = -1;
  const int last = pairs * (worker + 1) / workers;
  int count = pairs * worker / workers;
  NodePair pair = NodePair::at(n, count);
  for (; count < last; ++count, pair.next(n)) {
    const auto at = [&](int p, int node) {
      return kernel::Strided{gradient + (p * n + node) * 3 * elements + e, elements};
    };
    if constexpr (keep) {
      if (pair.a != kept_node) {
#pragma unroll
        for (int p = 0; p < points; ++p) {
          const double w = weight[p * elements + e];
#pragma unroll
          for (int c = 0; c < 3; ++c) kept[3 * p + c] = w * at(p, pair.a)[c];
        }
        kept_node = pair.a;
      }
    }
    double s[9] = {};
#pragma unroll(keep ? points : 3)
    for (int p = 0; p < points; ++p) {
      double g[3];
      double h[3];
      const double w = keep ? 0.0 : weight[p * elements + e];
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        g[c] = keep ? kept[keep ? 3 * p + c : 0] : w * at(p, pair.a)[c];
        h[c] = at(p, pair.b)[c];
      }
      kernel::add_moments<3>(g, h, s);
    }
    double own[9];
    if constexpr (isotropic) {
      kernel::block_from_moments(s, lame, shear, own);
    } else {
      kernel::block_from_moments<3>(s, group.d + 36 * material, own);
    }
    kernel::for_block_entries<3>(n, pair, [&](int entry, int i, int j) {
      __stcs(k + interleaved(block, triangle_size(3 * n), entry, lane), own[3 * i + j]);
    });
  }
}

constexpr int mass_workers = 4;

template <Element type>
__global__ void __launch_bounds__(mass_workers* block_lanes)
    mass_kernel(const ElementGroupView group, double* __restrict__ m) {
  using Solid = kernel::Solid<type>;
  constexpr int n = Solid::nodes;
  constexpr int points = Solid::points;
  constexpr int pairs = n * (n + 1) / 2;
  __shared__ double weight[points][block_lanes];
  const int lane = threadIdx.x % block_lanes;
  const int worker = threadIdx.x / block_lanes;
  const std::int64_t block = blockIdx.x;
  const kernel::NodeCoordinates x{group.node + interleaved(block, n, 0, lane), group.coordinates};
  const double density = group.density[group.material[block * block_lanes + lane]];
  for (int p = worker; p < points; p += mass_workers) {
    double j[9];
    kernel::jacobian<n>(x, group.reference.gradients + p * 3 * n, j);
    weight[p][lane] = group.reference.weights[p] * density * kernel::determinant3(j);
  }
  __syncthreads();
  const int last = pairs * (worker + 1) / mass_workers;
  int count = pairs * worker / mass_workers;
  NodePair pair = NodePair::at(n, count);
  for (; count < last; ++count, pair.next(n)) {
    double sum = 0;
    for (int p = 0; p < points; ++p) {
      sum +=
          weight[p][lane] * (group.reference.values[p * n + pair.a] * group.reference.values[p * n + pair.b]);
    }
    kernel::for_block_entries<3>(n, pair, [&](int entry, int i, int j) {
      m[interleaved(block, triangle_size(3 * n), entry, lane)] = i == j ? sum : 0.0;
    });
  }
}

constexpr int quad_threads = 128;

/// One thread an element: the 36 moments stay in registers. 10^7 quadrilaterals: 2.9 GB stored, 0.67 ms on an
/// H200; 400 fused products each, 0.27 ms.
__global__ void __launch_bounds__(quad_threads, 4)
    quad_kernel(const ElementGroupView group, double* __restrict__ k) {
  constexpr int nodes = kernel::PlaneQuad::nodes;
  constexpr int entries = triangle_size(2 * nodes);
  const std::int64_t e = std::int64_t{blockIdx.x} * quad_threads + threadIdx.x;
  if (e >= group.blocks * block_lanes) return;
  const std::int64_t block = e / block_lanes;
  const int lane = static_cast<int>(e % block_lanes);
  double x[2 * nodes];
#pragma unroll
  for (int i = 0; i < nodes; ++i) {
    const std::int64_t node = group.node[interleaved(block, nodes, i, lane)];
    x[2 * i] = group.coordinates[3 * node];
    x[2 * i + 1] = group.coordinates[3 * node + 1];
  }
  double own[entries];
  kernel::quad_stiffness(x, group.d + 36 * std::int64_t{group.material[e]}, group.reference, own);
#pragma unroll
  for (int entry = 0; entry < entries; ++entry)
    __stcs(k + interleaved(block, entries, entry, lane), own[entry]);
}

template <Element type, bool isotropic>
void launch_stiffness(const exec::Stream& stream, const ElementGroupView& group, double* k) {
  constexpr Tuning tuning = stiffness_tuning<type>();
  constexpr std::size_t bytes = stiffness_shared_bytes<type>();
  cudaStream_t native = enter(stream);
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(stiffness_kernel<type, isotropic>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(bytes)));
  const auto blocks = static_cast<unsigned>(group.blocks * (block_lanes / tuning.elements));
  stiffness_kernel<type, isotropic><<<blocks, tuning.threads, bytes, native>>>(group, k);
  SETKA_CUDA_CHECK_LAUNCH(stream, "integrate_stiffness");
}

}  // namespace

void integrate_stiffness(const exec::Stream& stream, Element element, const ElementGroupView& group,
                         double* k) {
  with_solid("integrate_stiffness", element, [&]<Element type>() {
    if constexpr (!kernel::Solid<type>::plain) {
      exec::cuda::for_each(stream, group.blocks * block_lanes,
                           kernel::IntegrateWhole<type, kernel::MatrixKind::stiffness>{group, k});
    } else if (group.lame != nullptr) {
      launch_stiffness<type, true>(stream, group, k);
    } else {
      launch_stiffness<type, false>(stream, group, k);
    }
  });
}

void integrate_mass(const exec::Stream& stream, Element element, const ElementGroupView& group, double* m) {
  with_solid("integrate_mass", element, [&]<Element type>() {
    if constexpr (!kernel::Solid<type>::plain) {
      exec::cuda::for_each(stream, group.blocks * block_lanes,
                           kernel::IntegrateWhole<type, kernel::MatrixKind::mass>{group, m});
    } else {
      mass_kernel<type>
          <<<static_cast<unsigned>(group.blocks), mass_workers * block_lanes, 0, enter(stream)>>>(group, m);
      SETKA_CUDA_CHECK_LAUNCH(stream, "integrate_mass");
    }
  });
}

void integrate_hexa_by_elements(const exec::Stream& stream, const ElementGroupView& group, double* k) {
  exec::cuda::for_each(stream, group.blocks * block_lanes,
                       kernel::IntegrateWhole<Element::hex8, kernel::MatrixKind::stiffness>{group, k});
}

void integrate_quads(const exec::Stream& stream, const ElementGroupView& group, double* k) {
  const std::int64_t blocks = (group.blocks * block_lanes + quad_threads - 1) / quad_threads;
  quad_kernel<<<static_cast<unsigned>(blocks), quad_threads, 0, enter(stream)>>>(group, k);
  SETKA_CUDA_CHECK_LAUNCH(stream, "integrate_quads");
}

}  // namespace setka::fem::cuda
