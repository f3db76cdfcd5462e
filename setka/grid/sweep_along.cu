// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>

#include <cuda_pipeline.h>

#include "setka/grid/sweep_launch.cuh"
#include "setka/grid/sweep_table.hpp"

/// Sweeps of lines along memory, with the whole line on the chip: every thread has a piece of consecutive
/// rows, which goes through shared memory, where a warp turns its rows around by itself. Floor: the bytes of
/// coefficients, right-hand side and solution, each moved once: five numbers a row, or two with constant
/// coefficients. To come near it a multiprocessor must load one line while it computes another, so a block of
/// 256 threads, 4096 rows of doubles, takes less than half of its shared memory and registers: three of the
/// four numbers of a row lie in shared memory (96 KB), the fourth in 32 registers. Elimination writes alpha
/// and gamma over upper and lower. Constant coefficients need the right-hand side alone, 16 numbers a thread:
/// 64 registers, 1024 threads a multiprocessor.
namespace setka::grid::cuda {
namespace {

/// 16 bytes: what a thread moves at once.
template <class T>
struct alignas(16) Unit {
  static constexpr int size = 16 / sizeof(T);
  T value[size];
};

/// Where unit u of a warp lies. Eight lanes that move neighbouring units, and eight that read theirs, several
/// units apart, both touch all banks.
__device__ inline int swizzled(int u) {
  return u ^ ((u >> 3) & 7);
}

/// A warp's rows of one array on their way between global and shared memory.
template <class T, int M>
struct WarpRows {
  static constexpr int units = M / Unit<T>::size;  // a thread's
  int lane;
  int first;  // row of the warp
  int rows;   // of the line
  bool aligned;

  __device__ int row(int j) const { return first + (j * warp + lane) * Unit<T>::size; }
  __device__ bool whole(int j) const { return aligned && row(j) + Unit<T>::size <= rows; }
  __device__ int moved(int j) const { return swizzled(j * warp + lane); }
  __device__ int own(int j) const { return swizzled(lane * units + j); }

  /// A thread's own rows.
  __device__ void take(T (&to)[M], const Unit<T>* stage) const {
#pragma unroll
    for (int j = 0; j < units; ++j) {
      const Unit<T> from = stage[own(j)];
#pragma unroll
      for (int v = 0; v < Unit<T>::size; ++v) to[j * Unit<T>::size + v] = from.value[v];
    }
  }
  __device__ void put(const T (&from)[M], Unit<T>* stage) const {
#pragma unroll
    for (int j = 0; j < units; ++j) {
      Unit<T> to;
#pragma unroll
      for (int v = 0; v < Unit<T>::size; ++v) to.value[v] = from[j * Unit<T>::size + v];
      stage[own(j)] = to;
    }
  }

  __device__ void load_async(Unit<T>* stage, const T* line) const {
#pragma unroll
    for (int j = 0; j < units; ++j) {
      Unit<T>* const to = stage + moved(j);
      if (whole(j)) {
        __pipeline_memcpy_async(to, line + row(j), sizeof(Unit<T>));
      } else {
#pragma unroll
        for (int v = 0; v < Unit<T>::size; ++v) {
          if (row(j) + v < rows) __pipeline_memcpy_async(&to->value[v], line + row(j) + v, sizeof(T));
        }
      }
    }
  }

  __device__ void load(Unit<T> (&to)[units], const T* line) const {
#pragma unroll
    for (int j = 0; j < units; ++j) {
      if (whole(j)) {
        to[j] = *reinterpret_cast<const Unit<T>*>(line + row(j));
      } else {
#pragma unroll
        for (int v = 0; v < Unit<T>::size; ++v) to[j].value[v] = row(j) + v < rows ? line[row(j) + v] : T(0);
      }
    }
  }

  __device__ void store(const Unit<T>* stage, T* line) const {
#pragma unroll
    for (int j = 0; j < units; ++j) {
      const Unit<T> from = stage[moved(j)];
      if (whole(j)) {
        *reinterpret_cast<Unit<T>*>(line + row(j)) = from;
      } else {
#pragma unroll
        for (int v = 0; v < Unit<T>::size; ++v) {
          if (row(j) + v < rows) line[row(j) + v] = from.value[v];
        }
      }
    }
  }
};

/// Which rows of which line a thread has, of lines along memory.
template <class T, int M>
struct Along {
  Team team = Team::mine();
  std::int64_t line = blockIdx.x / team.blocks;
  int thread = static_cast<int>(threadIdx.x);
  int begin = (team.rank * static_cast<int>(blockDim.x) + thread) * M;
  int count;   // of rows; none if <= 0
  int pieces;  // of the line
  WarpRows<T, M> move;

  __device__ Along(const Lines& lines, bool aligned)
      : count(min(M, static_cast<int>(lines.rows) - begin)),
        pieces((static_cast<int>(lines.rows) + M - 1) / M),
        move{thread % warp, begin - thread % warp * M, static_cast<int>(lines.rows), aligned} {}

  /// Where a warp's rows lie in an array of shared memory, [threads, units].
  __device__ Unit<T>* stage(uint4* memory, int array) const {
    return reinterpret_cast<Unit<T>*>(memory) +
           (array * static_cast<int>(blockDim.x) + thread / warp * warp) * WarpRows<T, M>::units;
  }
  __device__ T* after(uint4* memory, int arrays) const {
    return reinterpret_cast<T*>(memory) + arrays * static_cast<int>(blockDim.x) * M;
  }
};

template <class T, int M>
__global__ void __launch_bounds__(AlongMemory::max_threads, 1)
    along_memory_kernel(Lines lines, kernel::Bands<T> bands, const T* d, T* x, bool aligned) {
  constexpr int units = WarpRows<T, M>::units;
  constexpr int size = Unit<T>::size;
  extern __shared__ uint4 memory[];  // lower, middle, upper: [3, threads, units], then the warps' pieces

  const Along<T, M> mine(lines, aligned);
  const WarpRows<T, M>& move = mine.move;
  Unit<T>* const lower = mine.stage(memory, 0);
  Unit<T>* const middle = mine.stage(memory, 1);
  Unit<T>* const upper = mine.stage(memory, 2);
  const std::int64_t o = mine.line / lines.inner;
  const std::int64_t j_line = mine.line % lines.inner;
  const std::int64_t at = o * lines.outer_stride + j_line * lines.inner_stride;
  const std::int64_t band = o * bands.outer_stride + j_line * bands.inner_stride;
  move.load_async(middle, bands.diagonal + band);
  move.load_async(lower, bands.lower + band);
  move.load_async(upper, bands.upper + band);
  __pipeline_commit();
  T beta[M];  // the diagonal, then what elimination makes of the right-hand side
  {
    Unit<T> right[units];
    move.load(right, d + at);
    __pipeline_wait_prior(0);
    __syncwarp();
    move.take(beta, middle);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < units; ++j) middle[move.moved(j)] = right[j];
    __syncwarp();
  }

  const int count = mine.count;
  const bool first_of_line = !bands.periodic && mine.begin == 0;
  const int last_of_line = bands.periodic || count <= 0 ? -1 : min(M, move.rows - 1 - mine.begin);
  kernel::Elimination<T> elimination{};
#pragma unroll
  for (int j = 0; j < units; ++j) {
    const Unit<T> right = middle[move.own(j)];
    Unit<T> low = lower[move.own(j)];
    Unit<T> high = upper[move.own(j)];
#pragma unroll
    for (int v = 0; v < size; ++v) {
      const int i = j * size + v;
      if (i < count) {
        if (i == 0 && first_of_line) low.value[v] = 0;
        if (i == last_of_line) high.value[v] = 0;
        eliminate(elimination, i, low.value[v], beta[i], high.value[v], right.value[v]);
        beta[i] = elimination.beta;
        low.value[v] = elimination.gamma;
        high.value[v] = elimination.alpha;
      }
    }
    lower[move.own(j)] = low;
    upper[move.own(j)] = high;
  }

  T before = 0;
  T value = 0;
  solve_along(mine.team, mine.after(memory, 3), mine.pieces, bands.periodic, elimination, before, value);

#pragma unroll
  for (int j = units - 1; j >= 0; --j) {
    const Unit<T> gamma = lower[move.own(j)];
    Unit<T> alpha = upper[move.own(j)];
#pragma unroll
    for (int v = size - 1; v >= 0; --v) {
      const int i = j * size + v;
      if (i < count - 1) value = beta[i] - alpha.value[v] * value - gamma.value[v] * before;
      alpha.value[v] = value;
    }
    upper[move.own(j)] = alpha;
  }
  __syncwarp();
  move.store(upper, x + at);
  mine.team.leave();
}

template <class T, int M>
__global__ void __launch_bounds__(AlongMemory::max_threads, 2)
    along_memory_constant_kernel(Lines lines, const __grid_constant__ kernel::LineTables<T, M> tables,
                                 const T* d, T* x, bool aligned) {
  extern __shared__ uint4 memory[];  // right-hand side: [threads, units], then the warps' pieces

  const Along<T, M> mine(lines, aligned);
  const WarpRows<T, M>& move = mine.move;
  Unit<T>* const stage = mine.stage(memory, 0);
  const std::int64_t at =
      mine.line / lines.inner * lines.outer_stride + mine.line % lines.inner * lines.inner_stride;
  move.load_async(stage, d + at);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  // While pieces meet, beta waits in shared memory: registers are for more threads.
  T beta[M];
  move.take(beta, stage);
  const kernel::Elimination<T> elimination = tables.forward(beta, mine.begin, mine.count);
  move.put(beta, stage);
  T before = 0;
  T value = 0;
  solve_along(mine.team, mine.after(memory, 1), mine.pieces, tables.periodic, elimination, before, value);
  move.take(beta, stage);
  tables.back(beta, mine.begin, mine.count, before, value);
  move.put(beta, stage);
  __syncwarp();
  move.store(stage, x + at);
  mine.team.leave();
}

template <class T>
bool in_units(const Lines& lines, const kernel::Bands<T>& bands, const T* d, const T* x) {
  const auto whole = [](std::int64_t stride) { return stride % Unit<T>::size == 0; };
  const auto begins = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p) % sizeof(Unit<T>) == 0; };
  const bool values = begins(d) && begins(x) && (lines.outer == 1 || whole(lines.outer_stride)) &&
                      (lines.inner == 1 || whole(lines.inner_stride));
  return values && begins(bands.lower) && begins(bands.diagonal) && begins(bands.upper) &&
         (lines.outer == 1 || whole(bands.outer_stride)) && (lines.inner == 1 || whole(bands.inner_stride));
}

template <class T>
std::size_t bytes_of(const Geometry& geometry, bool constant) {
  const int per_thread = (constant ? 1 : 3) * geometry.rows;
  return sizeof(T) * (geometry.threads * per_thread + geometry.threads / warp * WarpPieces<T>::numbers);
}

template <class T, int M>
void launch_along(const exec::Stream& stream, const Geometry& geometry, const Lines& lines,
                  const kernel::Bands<T>& bands, const T* d, T* x) {
  const char* const name = "sweep along memory";
  const bool constant = bands.is_constant();
  const bool aligned = in_units(lines, bands, d, x);
  const std::size_t bytes = bytes_of<T>(geometry, constant);
  if (constant) {
    launch<along_memory_constant_kernel<T, M>>(
        stream, name, geometry, bytes, lines, kernel::LineTables<T, M>::of(bands, lines.rows), d, x, aligned);
  } else {
    launch<along_memory_kernel<T, M>>(stream, name, geometry, bytes, lines, bands, d, x, aligned);
  }
}

template <int M>
Room room_of_pieces(const exec::Stream& stream, const Geometry& geometry, bool constant) {
  const std::size_t bytes = bytes_of<double>(geometry, constant);
  if (constant) return room_of<along_memory_constant_kernel<double, M>>(stream, geometry, bytes);
  return room_of<along_memory_kernel<double, M>>(stream, geometry, bytes);
}

}  // namespace

template <class T>
bool sweep_along(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  constexpr int of_short = AlongMemory::rows_of_short_lines;
  constexpr int of_long = AlongMemory::rows_of_long_lines<T>;
  const auto geometry = AlongMemory::of<T>(lines, bands.is_constant());
  if (!fits(stream, geometry)) return false;
  if (geometry.rows == of_short) {
    launch_along<T, of_short>(stream, geometry, lines, bands, d, x);
  } else if (geometry.rows == of_long) {
    launch_along<T, of_long>(stream, geometry, lines, bands, d, x);
  } else {
    launch_along<T, AlongMemory::rows>(stream, geometry, lines, bands, d, x);
  }
  return true;
}

Room room_along(const exec::Stream& stream, const Geometry& geometry, bool constant) {
  constexpr int of_short = AlongMemory::rows_of_short_lines;
  return geometry.rows == of_short ? room_of_pieces<of_short>(stream, geometry, constant)
                                   : room_of_pieces<AlongMemory::rows>(stream, geometry, constant);
}

template bool sweep_along<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&, const float*,
                                 float*);
template bool sweep_along<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                  const double*, double*);

}  // namespace setka::grid::cuda
