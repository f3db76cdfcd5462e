// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/grid/heat_uniform_kernel.hpp"
#include "setka/grid/heat_ways.hpp"

/// Floor: u read once and the result written once, 16 bytes a cell in double precision. A thread has 16 bytes
/// of a row and goes along axis 0 with the cells before and after in registers; other neighbours come from
/// the first-level cache.
namespace setka::grid::cuda {
namespace {

using kernel::UniformAxis;
using kernel::UniformChange;

namespace tuning {
constexpr int tile_columns = 32;  // threads of a block along a row, in 3-D
constexpr int tile_rows = 8;
constexpr int threads = tile_columns * tile_rows;
constexpr std::int64_t most_cells = 16;      // of a thread along axis 0: the two more it reads are then few
constexpr std::int64_t most_blocks = 65535;  // along y and z
constexpr std::int64_t least_blocks = 16;    // a multiprocessor: two waves
}  // namespace tuning

template <class T, int V>
struct alignas(V * sizeof(T)) Values {
  T value[V];
};

template <class T, int Axes, int V>
__global__ void __launch_bounds__(tuning::threads)
    uniform_change_kernel(const __grid_constant__ UniformChange<T, Axes> grid, std::int64_t run) {
  using Part = Values<T, V>;
  const UniformAxis<T>& over_planes = grid.axis[0];
  const UniformAxis<T>& over_columns = grid.axis[Axes - 1];
  const std::int64_t columns = over_columns.cells;
  const std::int64_t rows = Axes == 3 ? grid.axis[1].cells : 1;
  const std::int64_t column = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * V;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t first = blockIdx.z * run;
  const std::int64_t last = min(first + run, over_planes.cells);
  if (column >= columns || row >= rows) return;

  const std::int64_t plane = rows * columns;
  const std::int64_t left_at = over_columns.before(column);
  const std::int64_t right_at = V - 1 + over_columns.after(column + V - 1);
  const std::int64_t low_row_at = Axes == 3 ? grid.axis[1].before(row) * columns : 0;
  const std::int64_t high_row_at = Axes == 3 ? grid.axis[1].after(row) * columns : 0;
  const auto part = [](const T* place) { return *reinterpret_cast<const Part*>(place); };
  const T* __restrict place = grid.u + first * plane + row * columns + column;
  const T* __restrict source_place = grid.source + (place - grid.u);
  T* __restrict to = grid.next + (place - grid.u);
  Part before = part(place + over_planes.before(first) * plane);
  Part centre = part(place);
  for (std::int64_t p = first; p < last; ++p) {
    const Part after = part(place + over_planes.after(p) * plane);
    Part low_row{};
    Part high_row{};
    if constexpr (Axes == 3) {
      low_row = part(place + low_row_at);
      high_row = part(place + high_row_at);
    }
    Part source{};
    if (grid.source != nullptr) source = part(source_place);
    const T left = place[left_at];
    const T right = place[right_at];
    Part result;
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const T value = centre.value[v];
      const T low = v == 0 ? left : centre.value[v == 0 ? 0 : v - 1];
      const T high = v == V - 1 ? right : centre.value[v == V - 1 ? 0 : v + 1];
      T rate = source.value[v];
      rate += over_planes.rate(p, value, before.value[v], after.value[v]);
      if constexpr (Axes == 3) rate += grid.axis[1].rate(row, value, low_row.value[v], high_row.value[v]);
      rate += over_columns.rate(column + v, value, low, high);
      result.value[v] = grid.changed(value, rate);
    }
    *reinterpret_cast<Part*>(to) = result;
    place += plane;
    source_place += plane;
    to += plane;
    before = centre;
    centre = after;
  }
}

std::int64_t pieces(std::int64_t n, std::int64_t size) {
  return (n + size - 1) / size;
}

template <class T, int Axes, int V>
void launch_with(const exec::Stream& stream, const UniformChange<T, Axes>& grid) {
  const dim3 block = Axes == 3 ? dim3(tuning::tile_columns, tuning::tile_rows) : dim3(tuning::threads);
  const std::int64_t planes = grid.axis[0].cells;
  const std::int64_t across = pieces(grid.axis[Axes - 1].cells, std::int64_t{V} * block.x);
  const std::int64_t down = Axes == 3 ? pieces(grid.axis[1].cells, block.y) : 1;
  const std::int64_t wanted = std::int64_t{exec::cuda::multiprocessors(stream)} * tuning::least_blocks;
  const std::int64_t run =
      std::max(pieces(planes, tuning::most_blocks),
               std::clamp<std::int64_t>(planes * across * down / wanted, 1, tuning::most_cells));
  const dim3 blocks(static_cast<unsigned>(across), static_cast<unsigned>(down),
                    static_cast<unsigned>(pieces(planes, run)));
  uniform_change_kernel<T, Axes, V><<<blocks, block, 0, exec::cuda::enter(stream)>>>(grid, run);
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
