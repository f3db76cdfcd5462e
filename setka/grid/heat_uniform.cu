// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/grid/heat_uniform_kernel.hpp"
#include "setka/grid/heat_ways.hpp"

/// Floor: u read once and the result written once, 16 bytes a cell in double precision. A thread has 16 bytes
/// of several rows along axis 0, and asks for all of them, with the one before and the one after, before it
/// computes: what is on its way then is enough for the memory (on an H200 98 % of a copy, where a loop that
/// asks for one row ahead reaches 77 %). Neighbours in a row come from neighbouring lanes.
namespace setka::grid::cuda {
namespace {

using kernel::UniformAxis;
using kernel::UniformChange;

namespace tuning {
constexpr int warp = 32;
constexpr int tile_rows = 8;  // in 3-D a block has so many rows, each of a warp
constexpr int threads = warp * tile_rows;
constexpr std::int64_t max_blocks = 65535;    // along y and z
constexpr std::int64_t max_planes = 1 << 30;  // planes are counted by an int
constexpr std::int64_t min_blocks = 4;        // a multiprocessor, for long runs

/// Cells of a thread along axis 0. In 3-D rows beside them are asked for as well.
template <int Axes>
constexpr int long_run = Axes == 3 ? 4 : 8;
constexpr int short_run = 2;
template <int Axes>
constexpr int blocks = Axes == 3 ? 2 : 3;  // of a multiprocessor: 128 or 80 registers a thread
}  // namespace tuning

template <class T, int V>
struct alignas(V * sizeof(T)) Values {
  T value[V];
};

/// Where the cell at place i along an axis lies, i from -1 to one past the last and, beyond a grid's end,
/// anywhere in it: nothing comes of those.
template <class T>
__device__ std::int64_t within(const UniformAxis<T>& axis, std::int64_t i) {
  if (i < 0) return axis.periodic ? axis.cells - 1 : 0;
  if (i < axis.cells) return i;
  return axis.periodic && i == axis.cells ? 0 : axis.cells - 1;
}

/// R planes of V columns. Inner: no plane is at an end of the grid, and no row or column at one that is not
/// periodic.
template <class T, int Axes, int V, int R>
struct Run {
  using Part = Values<T, V>;
  const UniformChange<T, Axes>& grid;
  std::int64_t row;
  std::int64_t column;
  int first;    // plane; an int saves the registers that else are spilled
  bool stores;  // others lend their values to neighbours alone

  __device__ static Part part(const T* place) { return *reinterpret_cast<const Part*>(place); }

  template <bool Inner>
  __device__ static T rate(const UniformAxis<T>& axis, std::int64_t i, T value, T low, T high) {
    return Inner ? axis.inner_rate(value, low, high) : axis.rate(i, value, low, high);
  }

  template <bool Inner>
  __device__ void change() const {
    const UniformAxis<T>& over_planes = grid.axis[0];
    const UniformAxis<T>& over_columns = grid.axis[Axes - 1];
    const std::int64_t columns = over_columns.cells;
    const std::int64_t rows = Axes == 3 ? grid.axis[1].cells : 1;
    const std::int64_t in_plane = row * columns + column;
    const auto place = [&](std::int64_t plane) {
      return (Inner ? plane : within(over_planes, plane)) * rows * columns + in_plane;
    };
    const int lane = static_cast<int>(threadIdx.x) % tuning::warp;
    const bool ends_row = lane == tuning::warp - 1 || column + V >= columns;
    const std::int64_t right_at = V - 1 + over_columns.after(column + V - 1);
    const std::int64_t beside = lane == 0 ? over_columns.before(column) : right_at;

    Part all[R + 2];
    T beyond[R];  // the value beside the warp's columns, of its first and last lane
    Part low_row[Axes == 3 ? R : 1];
    Part high_row[Axes == 3 ? R : 1];
#pragma unroll
    for (int k = 0; k < R + 2; ++k) all[k] = part(grid.u + place(first + k - 1));
#pragma unroll
    for (int k = 0; k < R; ++k) {
      const T* const at = grid.u + place(first + k);
      beyond[k] = lane == 0 || ends_row ? at[beside] : T(0);
      if constexpr (Axes == 3) {
        low_row[k] = part(at + grid.axis[1].before(row) * columns);
        high_row[k] = part(at + grid.axis[1].after(row) * columns);
      }
    }
#pragma unroll
    for (int k = 0; k < R; ++k) {
      const Part& centre = all[k + 1];
      const std::int64_t plane = first + k;
      T left = __shfl_up_sync(0xffffffffU, centre.value[V - 1], 1);
      T right = __shfl_down_sync(0xffffffffU, centre.value[0], 1);
      if (lane == 0) left = beyond[k];
      if (ends_row) right = lane == 0 ? grid.u[place(plane) + right_at] : beyond[k];  // lane 0: seldom
      Part result{};
      if (grid.source != nullptr) result = part(grid.source + place(plane));
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T value = centre.value[v];
        const T low = v == 0 ? left : centre.value[v == 0 ? 0 : v - 1];
        const T high = v == V - 1 ? right : centre.value[v == V - 1 ? 0 : v + 1];
        T sum = result.value[v];
        sum += rate<Inner>(over_planes, plane, value, all[k].value[v], all[k + 2].value[v]);
        if constexpr (Axes == 3)
          sum += rate<Inner>(grid.axis[1], row, value, low_row[k].value[v], high_row[k].value[v]);
        sum += rate<Inner>(over_columns, column + v, value, low, high);
        result.value[v] = grid.changed(value, sum);
      }
      if (stores && (Inner || plane < grid.end_plane))
        *reinterpret_cast<Part*>(grid.next + plane * rows * columns + in_plane) = result;
    }
  }
};

template <class T, int Axes, int V, int R>
__global__ void __launch_bounds__(tuning::threads, tuning::blocks<Axes>)
    uniform_change_kernel(const __grid_constant__ UniformChange<T, Axes> grid) {
  const std::int64_t columns = grid.axis[Axes - 1].cells;
  const std::int64_t rows = Axes == 3 ? grid.axis[1].cells : 1;
  const std::int64_t begin = std::int64_t{blockIdx.x} * blockDim.x * V;  // the block's column
  const std::int64_t end = begin + std::int64_t{blockDim.x} * V;
  const std::int64_t low_row = std::int64_t{blockIdx.y} * blockDim.y;
  const std::int64_t column = begin + threadIdx.x * V;
  const std::int64_t row = low_row + threadIdx.y;
  const int first = static_cast<int>(grid.first_plane) + static_cast<int>(blockIdx.z) * R;
  // Threads outside the grid take its last cells, so that no lane of a warp is missing.
  const Run<T, Axes, V, R> run{grid, min(row, rows - 1), min(column, columns - V), first,
                               column < columns && row < rows};
  const auto between = [](const UniformAxis<T>& axis, std::int64_t from, std::int64_t to) {
    return from > 0 && to < axis.cells;
  };
  const auto all_alike = [&](const UniformAxis<T>& axis, std::int64_t from, std::int64_t to) {
    return axis.periodic || between(axis, from, to);
  };
  const bool inner = between(grid.axis[0], first, first + R) && first + R <= grid.end_plane &&
                     all_alike(grid.axis[Axes - 1], begin, end) &&
                     (Axes == 2 || all_alike(grid.axis[1], low_row, low_row + blockDim.y));
  inner ? run.template change<true>() : run.template change<false>();
}

std::int64_t pieces(std::int64_t n, std::int64_t size) {
  return (n + size - 1) / size;
}

template <class T, int Axes, int V, int R>
void launch_with(const exec::Stream& stream, const UniformChange<T, Axes>& grid, const dim3& block,
                 dim3 blocks) {
  blocks.z = static_cast<unsigned>(pieces(grid.planes(), R));
  uniform_change_kernel<T, Axes, V, R><<<blocks, block, 0, exec::cuda::enter(stream)>>>(grid);
  SETKA_CUDA_CHECK_LAUNCH(stream, "change of heat");
}

/// Whether the grid fits the numbers of blocks.
template <class T, int Axes, int V>
bool launch_wide(const exec::Stream& stream, const UniformChange<T, Axes>& grid) {
  const dim3 block = Axes == 3 ? dim3(tuning::warp, tuning::tile_rows) : dim3(tuning::threads);
  const std::int64_t across = pieces(grid.axis[Axes - 1].cells, std::int64_t{V} * block.x);
  const std::int64_t down = Axes == 3 ? pieces(grid.axis[1].cells, block.y) : 1;
  const std::int64_t runs = pieces(grid.planes(), tuning::long_run<Axes>);
  const bool too_large = down > tuning::max_blocks || runs > tuning::max_blocks;
  if (too_large || grid.end_plane > tuning::max_planes) return false;
  const dim3 blocks(static_cast<unsigned>(across), static_cast<unsigned>(down));
  const bool many = across * down * runs >= exec::cuda::multiprocessors(stream) * tuning::min_blocks;
  if (many || pieces(grid.planes(), tuning::short_run) > tuning::max_blocks) {
    launch_with<T, Axes, V, tuning::long_run<Axes>>(stream, grid, block, blocks);
  } else {
    launch_with<T, Axes, V, tuning::short_run>(stream, grid, block, blocks);
  }
  return true;
}

template <class T, int Axes>
bool launch(const exec::Stream& stream, const UniformChange<T, Axes>& grid) {
  constexpr int wide = 16 / sizeof(T);
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  const bool whole =
      grid.axis[Axes - 1].cells % wide == 0 && aligned(grid.u) && aligned(grid.next) && aligned(grid.source);
  return whole ? launch_wide<T, Axes, wide>(stream, grid) : launch_wide<T, Axes, 1>(stream, grid);
}

}  // namespace

template <class T>
bool uniform_change(const exec::Stream& stream, std::int64_t cells, const kernel::HeatChange<T>& change) {
  if (change.grid.axis[2].used) return launch(stream, kernel::UniformChange<T, 3>::of(change, cells));
  return launch(stream, kernel::UniformChange<T, 2>::of(change, cells));
}

template bool uniform_change<float>(const exec::Stream&, std::int64_t, const kernel::HeatChange<float>&);
template bool uniform_change<double>(const exec::Stream&, std::int64_t, const kernel::HeatChange<double>&);

}  // namespace setka::grid::cuda
