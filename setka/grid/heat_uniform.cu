// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/grid/heat_uniform_kernel.hpp"
#include "setka/grid/heat_ways.hpp"

/// Floor: u read once and the result written once, 16 bytes a cell in double precision. A thread has 16 bytes
/// of a few rows one after the other along axis 0, all in registers; other neighbours come from the caches.
namespace setka::grid::cuda {
namespace {

using kernel::UniformAxis;
using kernel::UniformChange;

namespace tuning {
constexpr int tile_columns = 32;  // threads of a block along a row, in 3-D
constexpr int tile_rows = 8;
constexpr int threads = tile_columns * tile_rows;
constexpr int cells = 4;                     // of a thread along axis 0, all loaded before the first is used
constexpr std::int64_t most_blocks = 65535;  // along y and z
}  // namespace tuning

template <class T, int V>
struct alignas(V * sizeof(T)) Values {
  T value[V];
};

template <class T, int Axes, int V>
__global__ void __launch_bounds__(tuning::threads)
    uniform_change_kernel(const __grid_constant__ UniformChange<T, Axes> grid) {
  using Part = Values<T, V>;
  constexpr int R = tuning::cells;
  const UniformAxis<T>& over_planes = grid.axis[0];
  const UniformAxis<T>& over_columns = grid.axis[Axes - 1];
  const std::int64_t planes = over_planes.cells;
  const std::int64_t columns = over_columns.cells;
  const std::int64_t rows = Axes == 3 ? grid.axis[1].cells : 1;
  const std::int64_t column = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * V;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;

  const std::int64_t plane = rows * columns;
  const std::int64_t left_at = over_columns.before(column);
  const std::int64_t right_at = V - 1 + over_columns.after(column + V - 1);
  const std::int64_t low_row_at = Axes == 3 ? grid.axis[1].before(row) * columns : 0;
  const std::int64_t high_row_at = Axes == 3 ? grid.axis[1].after(row) * columns : 0;
  const auto part = [](const T* place) { return *reinterpret_cast<const Part*>(place); };
  const T* const __restrict u = grid.u + row * columns + column;
  for (std::int64_t first = std::int64_t{blockIdx.z} * R; first < planes;
       first += std::int64_t{gridDim.z} * R) {
    const T* const place = u + first * plane;
    const int count = static_cast<int>(min(std::int64_t{R}, planes - first));
    Part centre[R + 2];  // with the cell before and the cell after
    T left[R];
    T right[R];
    centre[0] = part(place + over_planes.before(first) * plane);
#pragma unroll
    for (int r = 0; r < R; ++r) {
      if (r < count) {
        centre[r + 1] = part(place + r * plane);
        left[r] = place[r * plane + left_at];
        right[r] = place[r * plane + right_at];
      }
    }
    const Part beyond = part(place + (count - 1 + over_planes.after(first + count - 1)) * plane);
#pragma unroll
    for (int r = 1; r <= R; ++r) {
      if (r == count) centre[r + 1] = beyond;
    }
#pragma unroll
    for (int r = 0; r < R; ++r) {
      if (r >= count) break;
      const std::int64_t at = (first + r) * plane + row * columns + column;
      Part low_row{};
      Part high_row{};
      if constexpr (Axes == 3) {
        low_row = part(grid.u + at + low_row_at);
        high_row = part(grid.u + at + high_row_at);
      }
      Part source{};
      if (grid.source != nullptr) source = part(grid.source + at);
      Part result;
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T value = centre[r + 1].value[v];
        const T low = v == 0 ? left[r] : centre[r + 1].value[v == 0 ? 0 : v - 1];
        const T high = v == V - 1 ? right[r] : centre[r + 1].value[v == V - 1 ? 0 : v + 1];
        T rate = source.value[v];
        rate += over_planes.rate(first + r, value, centre[r].value[v], centre[r + 2].value[v]);
        if constexpr (Axes == 3) rate += grid.axis[1].rate(row, value, low_row.value[v], high_row.value[v]);
        rate += over_columns.rate(column + v, value, low, high);
        result.value[v] = grid.changed(value, rate);
      }
      *reinterpret_cast<Part*>(grid.next + at) = result;
    }
  }
}

std::int64_t pieces(std::int64_t n, std::int64_t size) {
  return (n + size - 1) / size;
}

template <class T, int Axes, int V>
void launch_with(const exec::Stream& stream, const UniformChange<T, Axes>& grid) {
  const dim3 block = Axes == 3 ? dim3(tuning::tile_columns, tuning::tile_rows) : dim3(tuning::threads);
  const std::int64_t across = pieces(grid.axis[Axes - 1].cells, std::int64_t{V} * block.x);
  const std::int64_t down = Axes == 3 ? pieces(grid.axis[1].cells, block.y) : 1;
  const std::int64_t runs = std::min(pieces(grid.axis[0].cells, tuning::cells), tuning::most_blocks);
  const dim3 blocks(static_cast<unsigned>(across), static_cast<unsigned>(down), static_cast<unsigned>(runs));
  uniform_change_kernel<T, Axes, V><<<blocks, block, 0, exec::cuda::enter(stream)>>>(grid);
  SETKA_CUDA_CHECK_LAUNCH(stream, "change of heat");
}

template <class T, int Axes>
void launch(const exec::Stream& stream, const UniformChange<T, Axes>& grid) {
  constexpr int wide = 16 / sizeof(T);
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  const bool whole =
      grid.axis[Axes - 1].cells % wide == 0 && aligned(grid.u) && aligned(grid.next) && aligned(grid.source);
  whole ? launch_with<T, Axes, wide>(stream, grid) : launch_with<T, Axes, 1>(stream, grid);
}

}  // namespace

template <class T>
bool uniform_change(const exec::Stream& stream, const kernel::HeatChange<T>& change) {
  if (!change.grid.axis[2].used) {
    launch(stream, kernel::UniformChange<T, 2>::of(change));
  } else {
    if (pieces(change.grid.axis[1].cells, tuning::tile_rows) > tuning::most_blocks) return false;
    launch(stream, kernel::UniformChange<T, 3>::of(change));
  }
  return true;
}

template bool uniform_change<float>(const exec::Stream&, const kernel::HeatChange<float>&);
template bool uniform_change<double>(const exec::Stream&, const kernel::HeatChange<double>&);

}  // namespace setka::grid::cuda
