// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "setka/exec/parallel.cuh"
#include "setka/grid/plane_sweep.hpp"
#include "setka/grid/stationary_kernel.hpp"

/// Sweeps over planes on a GPU: a thread has one place in a plane, 16 bytes wide, and goes from plane to
/// plane with the values below and above it in registers; neighbours within the plane come from the first
/// level cache. Memory sees u and f once and the result once, but for the plane below and above each run of
/// planes.
namespace setka::grid::cuda {
namespace {

using kernel::Bits;
using kernel::PlaneSweep;

namespace tuning {
constexpr int tile_columns = 32;  // threads of a block along a row, in 3-D
constexpr int tile_rows = 8;
constexpr int threads = tile_columns * tile_rows;
constexpr std::int64_t max_planes = 20;  // that a thread goes through: the two more it reads are then few
constexpr int min_blocks = 16;           // a multiprocessor: two waves
}  // namespace tuning

template <class T, int V>
struct alignas(V * sizeof(T)) Values {
  T value[V];
};

template <class T>
__device__ void raise(Bits<T>* place, Bits<T> bits) {
  for (int width = 16; width > 0; width /= 2) bits = max(bits, __shfl_xor_sync(0xffffffffU, bits, width));
  if (threadIdx.x % 32 == 0 && bits > 0) atomicMax(place, bits);
}

template <class T, int Axes, int V, bool Measure>
__global__ void __launch_bounds__(tuning::threads)
    plane_sweep_kernel(PlaneSweep<T> s, std::int64_t run_planes, Bits<T>* change) {
  using Part = Values<T, V>;
  const std::int64_t column = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * V;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t first = s.first + blockIdx.z * run_planes;
  const std::int64_t last = min(first + run_planes, s.first + s.count);
  Bits<T> most = 0;
  if (column < s.columns && row < s.rows) {
    const std::int64_t nodes = s.rows * s.columns;
    const std::int64_t at = row * s.columns + column;
    const bool border_row = Axes == 3 && (row == 0 || row == s.rows - 1);
    const T* const __restrict in = s.in.data;
    const T* const __restrict f = s.f.data;
    T* const __restrict out = s.out.data;
    const auto part = [](const T* place) { return *reinterpret_cast<const Part*>(place); };

    // Places of plane p in the rings; the one after is found without a division.
    std::int64_t here = (first + s.shift) % s.in.planes;
    std::int64_t f_here = (first + s.shift) % s.f.planes;
    std::int64_t out_here = (first + s.shift) % s.out.planes;
    Part below{};
    if (first > 0) below = part(in + (here == 0 ? s.in.planes - 1 : here - 1) * nodes + at);
    Part centre = part(in + here * nodes + at);
    for (std::int64_t p = first; p < last; ++p) {
      const std::int64_t above_here = here + 1 == s.in.planes ? 0 : here + 1;
      Part above{};
      if (p + 1 < s.planes) above = part(in + above_here * nodes + at);
      Part result = centre;
      if (p > 0 && p < s.planes - 1 && !border_row) {
        const T* const place = in + here * nodes + at;
        const Part source = part(f + f_here * nodes + at);
        Part low_row{};
        Part high_row{};
        if constexpr (Axes == 3) {
          low_row = part(place - s.columns);
          high_row = part(place + s.columns);
        }
        const T left = column > 0 ? place[-1] : T(0);
        const T right = column + V < s.columns ? place[V] : T(0);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          const T low = v == 0 ? left : centre.value[v == 0 ? 0 : v - 1];
          const T high = v == V - 1 ? right : centre.value[v == V - 1 ? 0 : v + 1];
          const T value =
              kernel::stencil<Axes>(s.weights, centre.value[v], source.value[v], below.value[v],
                                    above.value[v], low_row.value[v], high_row.value[v], low, high);
          const bool border = (v == 0 && column == 0) || (v == V - 1 && column + V == s.columns);
          if (!border) result.value[v] = value;
          if constexpr (Measure) most = max(most, kernel::bits_of(result.value[v] - centre.value[v]));
        }
      }
      *reinterpret_cast<Part*>(out + out_here * nodes + at) = result;
      below = centre;
      centre = above;
      here = above_here;
      f_here = f_here + 1 == s.f.planes ? 0 : f_here + 1;
      out_here = out_here + 1 == s.out.planes ? 0 : out_here + 1;
    }
  }
  if constexpr (Measure) raise<T>(change, most);
}

std::int64_t pieces(std::int64_t n, std::int64_t size) {
  return (n + size - 1) / size;
}

template <class T, int Axes, int V>
void launch(const exec::Stream& stream, const PlaneSweep<T>& sweep, Bits<T>* change) {
  const dim3 block = Axes == 3 ? dim3(tuning::tile_columns, tuning::tile_rows) : dim3(tuning::threads);
  const std::int64_t across = pieces(sweep.columns, std::int64_t{V} * block.x);
  const std::int64_t down = pieces(sweep.rows, block.y);
  const std::int64_t wanted = std::int64_t{exec::cuda::multiprocessors(stream)} * tuning::min_blocks;
  const std::int64_t run_most =
      std::clamp<std::int64_t>(sweep.count * across * down / wanted, 1, tuning::max_planes);
  const std::int64_t runs = std::min<std::int64_t>(pieces(sweep.count, run_most), 65535);
  const std::int64_t run_planes = pieces(sweep.count, runs);
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down),
                  static_cast<unsigned>(pieces(sweep.count, run_planes)));
  cudaStream_t native = exec::cuda::enter(stream);
  if (change == nullptr) {
    plane_sweep_kernel<T, Axes, V, false><<<grid, block, 0, native>>>(sweep, run_planes, change);
  } else {
    plane_sweep_kernel<T, Axes, V, true><<<grid, block, 0, native>>>(sweep, run_planes, change);
  }
  SETKA_CUDA_CHECK_LAUNCH(stream, "plane_sweep");
}

template <class Body, class T>
__global__ void __launch_bounds__(tuning::threads)
    largest_change_kernel(std::int64_t n, Body body, Bits<T>* change) {
  Bits<T> most = 0;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
    most = max(most, body.measured(i));
  raise<T>(change, most);
}

}  // namespace

template <class T>
void run(const exec::Stream& stream, int axes, const PlaneSweep<T>& sweep, Bits<T>* change) {
  constexpr int wide = 16 / sizeof(T);
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  const bool whole =
      sweep.columns % wide == 0 && aligned(sweep.in.data) && aligned(sweep.f.data) && aligned(sweep.out.data);
  if (axes == 3) {
    whole ? launch<T, 3, wide>(stream, sweep, change) : launch<T, 3, 1>(stream, sweep, change);
  } else {
    whole ? launch<T, 2, wide>(stream, sweep, change) : launch<T, 2, 1>(stream, sweep, change);
  }
}

template <class T, int Axes>
void largest_change(const exec::Stream& stream, std::int64_t n, const kernel::RedBlack<T, Axes>& body,
                    Bits<T>* change) {
  if (n <= 0) return;
  cudaStream_t native = exec::cuda::enter(stream);
  const int blocks = exec::cuda::grid_size(stream, n, tuning::threads);
  largest_change_kernel<kernel::RedBlack<T, Axes>, T>
      <<<blocks, tuning::threads, 0, native>>>(n, body, change);
  SETKA_CUDA_CHECK_LAUNCH(stream, "largest_change");
}

template void run<float>(const exec::Stream&, int, const PlaneSweep<float>&, Bits<float>*);
template void run<double>(const exec::Stream&, int, const PlaneSweep<double>&, Bits<double>*);
template void largest_change<float, 2>(const exec::Stream&, std::int64_t, const kernel::RedBlack<float, 2>&,
                                       Bits<float>*);
template void largest_change<float, 3>(const exec::Stream&, std::int64_t, const kernel::RedBlack<float, 3>&,
                                       Bits<float>*);
template void largest_change<double, 2>(const exec::Stream&, std::int64_t, const kernel::RedBlack<double, 2>&,
                                        Bits<double>*);
template void largest_change<double, 3>(const exec::Stream&, std::int64_t, const kernel::RedBlack<double, 3>&,
                                        Bits<double>*);

}  // namespace setka::grid::cuda

using RedBlackFloat2 = setka::grid::kernel::RedBlack<float, 2>;
using RedBlackFloat3 = setka::grid::kernel::RedBlack<float, 3>;
using RedBlackDouble2 = setka::grid::kernel::RedBlack<double, 2>;
using RedBlackDouble3 = setka::grid::kernel::RedBlack<double, 3>;
SETKA_INSTANTIATE_FOR(RedBlackFloat2)
SETKA_INSTANTIATE_FOR(RedBlackFloat3)
SETKA_INSTANTIATE_FOR(RedBlackDouble2)
SETKA_INSTANTIATE_FOR(RedBlackDouble3)
