// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_pipeline.h>

#include "setka/grid/sweep_launch.cuh"
#include "setka/grid/sweep_load.cuh"
#include "setka/grid/sweep_table.hpp"

/// Sweeps of lines across memory: neighbouring lines in neighbouring lanes, and the whole of them on the
/// chip, of a cluster of blocks where they are long. A cache line of each row then is moved by one warp.
namespace setka::grid::cuda {
namespace {

template <class T>
using Tile = AcrossTile<T>;
template <class T>
using Loaded = AcrossLoaded<T>;

/// Values a stride apart.
template <class T, class Stride>
struct Strided {
  T* first;
  Stride stride;

  __device__ T& operator[](int i) const { return first[i * stride]; }
};
template <class T, class Stride>
Strided(T*, Stride) -> Strided<T, Stride>;

/// Which rows of which line a thread has, of lines across memory.
template <int M>
struct Across {
  Team team = Team::mine();
  int thread = static_cast<int>(threadIdx.x);
  int per_block;  // pieces of a line
  int begin;
  std::int64_t o;
  std::int64_t j;
  int count;
  int pieces;

  __device__ Across(const Lines& lines, int width)
      : per_block(static_cast<int>(blockDim.x) / width),
        begin((team.rank * per_block + thread / width) * M),
        pieces((static_cast<int>(lines.rows) + M - 1) / M) {
    const std::int64_t group = blockIdx.x / team.blocks;
    const std::int64_t groups = (lines.inner + width - 1) / width;
    o = group / groups;
    j = group % groups * width + thread % width;
    count = j < lines.inner ? min(M, static_cast<int>(lines.rows) - begin) : 0;
  }
};

/// Rows of a piece come in stages, so that the first are eliminated while the last are on their way.
template <int M>
struct Stages {
  static constexpr int rows = M / 4;

  __device__ static void end(int row) {
    if (row % rows == rows - 1) __pipeline_commit();
  }
  __device__ static void wait(int row) {
    if (row == 0) __pipeline_wait_prior(3);
    if (row == rows) __pipeline_wait_prior(2);
    if (row == 2 * rows) __pipeline_wait_prior(1);
    if (row == 3 * rows) __pipeline_wait_prior(0);
  }
};

/// Shared: coefficients of all lines, which come from the first-level cache.
template <class T, bool Shared>
__global__ void __launch_bounds__(Loaded<T>::max_threads, 1)
    across_memory_kernel(Lines lines, kernel::Bands<T> bands, const T* d, T* x, int width) {
  constexpr int M = Loaded<T>::rows;
  extern __shared__ uint4 memory[];  // lower, upper, diagonal: [3, M, threads]; the pieces over the diagonal

  const Across<M> mine(lines, width);
  const int threads = static_cast<int>(blockDim.x);
  const int count = mine.count;
  T* const lower = reinterpret_cast<T*>(memory) + mine.thread;
  T* const upper = lower + M * threads;
  T* const diagonal = upper + M * threads;
  const std::int64_t at =
      mine.o * lines.outer_stride + mine.j * lines.inner_stride + mine.begin * lines.row_stride;
  const std::int64_t band =
      mine.o * bands.outer_stride + mine.j * bands.inner_stride + mine.begin * bands.row_stride;
  T beta[M];  // the right-hand side, then what elimination makes of it
#pragma unroll
  for (int i = 0; i < M; ++i) {
    beta[i] = 0;
    if (i < count) {
      if constexpr (!Shared) {
        const std::int64_t from = band + i * bands.row_stride;
        load_async(lower + i * threads, bands.lower + from);
        load_async(diagonal + i * threads, bands.diagonal + from);
        load_async(upper + i * threads, bands.upper + from);
      }
      beta[i] = load(d + at + i * lines.row_stride);
    }
    if constexpr (!Shared) Stages<M>::end(i);
  }

  kernel::Elimination<T> elimination{};
#pragma unroll
  for (int i = 0; i < M; ++i) {
    if constexpr (!Shared) Stages<M>::wait(i);
    if (i < count) {
      const std::int64_t from = band + i * bands.row_stride;
      kernel::Row<T> row{};
      if constexpr (Shared) {
        row = {__ldg(bands.lower + from), __ldg(bands.diagonal + from), __ldg(bands.upper + from)};
      } else {
        row = {lower[i * threads], diagonal[i * threads], upper[i * threads]};
      }
      if (!bands.periodic && mine.begin + i == 0) row.lower = 0;
      if (!bands.periodic && mine.begin + i == lines.rows - 1) row.upper = 0;
      eliminate(elimination, i, row.lower, row.diagonal, row.upper, beta[i]);
      beta[i] = elimination.beta;
      lower[i * threads] = elimination.gamma;
      upper[i * threads] = elimination.alpha;
    }
  }
  __syncthreads();  // diagonals are done with

  T before = 0;
  T value = 0;
  solve_across(mine.team, reinterpret_cast<T*>(memory) + 2 * M * threads, mine.pieces, bands.periodic, width,
               mine.per_block, elimination, before, value);
#pragma unroll
  for (int i = M - 1; i >= 0; --i) {
    if (i < count - 1) value = beta[i] - upper[i * threads] * value - lower[i * threads] * before;
    if (i < count) x[at + i * lines.row_stride] = value;
  }
  mine.team.leave();
}

/// Rows of a tile, [rows, width], on their way from global memory: 16 bytes at once where they lie so.
template <class T>
__device__ void load_tile(T* tile, const T* from, std::int64_t row_stride, std::int64_t inner_stride,
                          int rows, int width, int columns, bool in_units) {
  const int each = in_units && columns % Tile<T>::unit == 0 ? Tile<T>::unit : 1;
  const int per_row = width / each;
  const int column = static_cast<int>(threadIdx.x) % per_row * each;
  const int step = static_cast<int>(blockDim.x) / per_row;
  int row = static_cast<int>(threadIdx.x) / per_row;
  const T* source = from + row * row_stride + column * inner_stride;
  T* target = tile + row * width + column;
  if (column >= columns) return;
  for (; row < rows; row += step, source += step * row_stride, target += step * width) {
    if (each > 1) {
      __pipeline_memcpy_async(target, source, sizeof(T) * Tile<T>::unit);
    } else {
      __pipeline_memcpy_async(target, source, sizeof(T));
    }
  }
}

template <class T>
__global__ void __launch_bounds__(Tile<T>::threads, 3)
    across_memory_constant_kernel(Lines lines,
                                  const __grid_constant__ kernel::LineTables<T, Tile<T>::rows> tables,
                                  const T* d, T* x, int width, bool in_units) {
  constexpr int M = Tile<T>::rows;
  constexpr int N = Tile<T>::at_once;
  extern __shared__ uint4 memory[];  // right-hand side, then beta: [rows of the block, width]; the pieces
  const Across<M> mine(lines, width);
  T* const tile = reinterpret_cast<T*>(memory);
  const int block_rows = mine.per_block * M;
  const std::int64_t stride = lines.row_stride;
  const std::int64_t lane = mine.thread % width;
  const std::int64_t corner = mine.o * lines.outer_stride + (mine.j - lane) * lines.inner_stride;
  {
    const int first = mine.team.rank * block_rows;
    const int rows = min(block_rows, static_cast<int>(lines.rows) - first);
    const int columns = static_cast<int>(min(std::int64_t{width}, lines.inner - (mine.j - lane)));
    load_tile(tile, d + corner + first * stride, stride, lines.inner_stride, rows, width, columns, in_units);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
  }

  const Strided own{tile + mine.thread / width * M * width + lane, width};
  const kernel::Elimination<T> elimination = tables.template forward<N>(own, mine.begin, mine.count);
  T before = 0;
  T value = 0;
  solve_across(mine.team, tile + block_rows * width, mine.pieces, tables.periodic, width, mine.per_block,
               elimination, before, value);
  const Strided out{x + corner + lane * lines.inner_stride + mine.begin * stride, stride};
  tables.template back<N>(own, out, mine.begin, mine.count, before, value);
  mine.team.leave();
}

/// Of `kept` numbers a thread and the pieces, and at first of `loaded` numbers.
template <class T>
std::size_t bytes_of(const Geometry& geometry, int kept, int loaded) {
  const int pieces = numbers_across(geometry.width, geometry.threads / geometry.width);
  return sizeof(T) * std::max(kept * geometry.threads + pieces, loaded * geometry.threads);
}
template <class T>
std::size_t bytes_of(const Geometry& geometry, bool constant) {
  if (constant) return bytes_of<T>(geometry, Tile<T>::rows, Tile<T>::rows);
  return bytes_of<T>(geometry, 2 * Loaded<T>::rows, 3 * Loaded<T>::rows);
}

/// Whether every row of a group of neighbouring lines begins at a multiple of 16 bytes.
template <class T>
bool rows_in_units(const Lines& lines, int width, const T* d) {
  const auto whole = [](std::int64_t stride) { return stride % Tile<T>::unit == 0; };
  return lines.inner_stride == 1 && whole(width) && whole(lines.row_stride) &&
         (lines.outer == 1 || whole(lines.outer_stride)) &&
         reinterpret_cast<std::uintptr_t>(d) % (sizeof(T) * Tile<T>::unit) == 0;
}

}  // namespace

template <class T>
bool sweep_across(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                  T* x) {
  if (bands.is_constant()) {
    const auto geometry = across_geometry<Tile<T>>(lines);
    if (!fits(stream, geometry)) return false;
    launch<across_memory_constant_kernel<T>>(stream, "sweep across memory", geometry,
                                             bytes_of<T>(geometry, true), lines,
                                             kernel::LineTables<T, Tile<T>::rows>::of(bands, lines.rows), d,
                                             x, geometry.width, rows_in_units(lines, geometry.width, d));
  } else {
    const auto geometry = across_geometry<Loaded<T>>(lines);
    if (!fits(stream, geometry)) return false;
    const bool shared = bands.inner_stride == 0 && bands.outer_stride == 0;
    const auto go = [&]<bool Shared>(std::bool_constant<Shared>) {
      launch<across_memory_kernel<T, Shared>>(stream, "sweep across memory", geometry,
                                              bytes_of<T>(geometry, false), lines, bands, d, x,
                                              geometry.width);
    };
    shared ? go(std::true_type{}) : go(std::false_type{});
  }
  return true;
}

Room room_across(const exec::Stream& stream, const Geometry& geometry, bool constant) {
  const std::size_t bytes = bytes_of<double>(geometry, constant);
  if (constant) return room_of<across_memory_constant_kernel<double>>(stream, geometry, bytes);
  return room_of<across_memory_kernel<double, false>>(stream, geometry, bytes);
}

template bool sweep_across<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&,
                                  const float*, float*);
template bool sweep_across<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                   const double*, double*);

}  // namespace setka::grid::cuda
