// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cstdint>

#include <cuda_pipeline.h>

#include "setka/exec/cuda.cuh"
#include "setka/grid/sweep_pieces.cuh"
#include "setka/grid/sweep_ways.hpp"

/// Sweeps with the whole line on the chip: every thread has a piece of 16 consecutive rows. Floor: the bytes
/// of coefficients, right-hand side and solution, each moved once: five numbers a row, or two with constant
/// coefficients. To come near it a multiprocessor must load one line while it computes another, so a block of
/// 256 threads, 4096 rows of doubles, takes less than half of its shared memory and registers: three of the
/// four numbers of a row lie in shared memory (96 KB, and 16 KB for the pieces' equations), the fourth in 32
/// registers. Elimination writes alpha and gamma over upper and lower.
namespace setka::grid::cuda {
namespace {

constexpr int warp = 32;
constexpr int most_threads = 256;
constexpr int most_blocks = 8;  // of a cluster, without asking for more
constexpr int rows_per_thread = 16;
constexpr int rows_per_thread_of_short_lines = 4;
constexpr int short_line = rows_per_thread_of_short_lines * warp;

// ---- lines along memory: through shared memory, where a warp turns its rows around by itself

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
  std::int64_t first;  // row of the warp
  std::int64_t rows;   // of the line
  bool aligned;

  __device__ std::int64_t row(int j) const { return first + (j * warp + lane) * Unit<T>::size; }
  __device__ bool whole(int j) const { return aligned && row(j) + Unit<T>::size <= rows; }
  __device__ int moved(int j) const { return swizzled(j * warp + lane); }
  __device__ int own(int j) const { return swizzled(lane * units + j); }

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

template <class T, int M, bool Constant>
__global__ void __launch_bounds__(most_threads, 2)
    along_memory_kernel(Lines lines, kernel::Bands<T> bands, const T* d, T* x, bool aligned) {
  using Rows = WarpRows<T, M>;
  constexpr int units = Rows::units;
  constexpr int size = Unit<T>::size;
  extern __shared__ uint4 memory[];  // lower, middle, upper: [3, threads, units], then the pieces' equations

  const Team team = Team::mine();
  const std::int64_t line = blockIdx.x / team.blocks;
  const int thread = static_cast<int>(threadIdx.x);
  const int piece = team.rank * static_cast<int>(blockDim.x) + thread;
  const std::int64_t begin = std::int64_t{piece} * M;
  const Rows move{thread % warp, begin - thread % warp * M, lines.rows, aligned};
  Unit<T>* const stage = reinterpret_cast<Unit<T>*>(memory);
  Unit<T>* const lower = stage + thread / warp * warp * units;
  Unit<T>* const middle = lower + blockDim.x * units;
  Unit<T>* const upper = middle + blockDim.x * units;

  const std::int64_t o = line / lines.inner;
  const std::int64_t j_line = line % lines.inner;
  const std::int64_t at = o * lines.outer_stride + j_line * lines.inner_stride;
  T beta[M];  // the diagonal, then what elimination makes of the right-hand side
  if constexpr (Constant) {
    move.load_async(middle, d + at);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
  } else {
    const std::int64_t band = o * bands.outer_stride + j_line * bands.inner_stride;
    move.load_async(middle, bands.diagonal + band);
    move.load_async(lower, bands.lower + band);
    move.load_async(upper, bands.upper + band);
    __pipeline_commit();
    Unit<T> right[units];
    move.load(right, d + at);
    __pipeline_wait_prior(0);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < units; ++j) {
      const Unit<T> from = middle[move.own(j)];
#pragma unroll
      for (int v = 0; v < size; ++v) beta[j * size + v] = from.value[v];
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < units; ++j) middle[move.moved(j)] = right[j];
    __syncwarp();
  }

  const int count = static_cast<int>(min(std::int64_t{M}, lines.rows - begin));  // of rows; none if <= 0
  const bool first_of_line = !bands.periodic && begin == 0;
  const int last_of_line =
      bands.periodic || count <= 0 ? -1 : static_cast<int>(min(std::int64_t{M}, lines.rows - 1 - begin));
  kernel::Elimination<T> elimination{};
#pragma unroll
  for (int j = 0; j < units; ++j) {
    const Unit<T> right = middle[move.own(j)];
    Unit<T> low{};
    Unit<T> high{};
    if constexpr (!Constant) {
      low = lower[move.own(j)];
      high = upper[move.own(j)];
    }
#pragma unroll
    for (int v = 0; v < size; ++v) {
      const int i = j * size + v;
      if (i < count) {
        kernel::Row<T> row{low.value[v], beta[i], high.value[v]};
        if constexpr (Constant) {
          row = bands.constant_row(begin + i, lines.rows);
        } else {
          if (i == 0 && first_of_line) row.lower = 0;
          if (i == last_of_line) row.upper = 0;
        }
        eliminate(elimination, i, row.lower, row.diagonal, row.upper, right.value[v]);
        beta[i] = elimination.beta;
        low.value[v] = elimination.gamma;
        high.value[v] = elimination.alpha;
      }
    }
    lower[move.own(j)] = low;
    upper[move.own(j)] = high;
  }

  const auto pieces_of_line = static_cast<int>((lines.rows + M - 1) / M);
  const Pieces<T> pieces{team,
                         reinterpret_cast<T*>(stage + 3 * blockDim.x * units),
                         piece,
                         pieces_of_line,
                         static_cast<int>(blockDim.x),
                         1,
                         0};
  T before = 0;
  T value = 0;
  if (bands.periodic) {
    solve_pieces<true>(pieces, elimination, count > 0, before, value);
  } else {
    solve_pieces<false>(pieces, elimination, count > 0, before, value);
  }

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
}

// ---- lines across memory: neighbouring lines in neighbouring lanes, every thread loads its own rows

template <class T, bool Constant>
__global__ void __launch_bounds__(most_threads, 2)
    across_memory_kernel(Lines lines, kernel::Bands<T> bands, const T* d, T* x, int width) {
  constexpr int M = rows_per_thread;
  extern __shared__ uint4 memory[];  // lower, upper, diagonal: [3, M, threads], then the pieces' equations

  const Team team = Team::mine();
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const int column = thread & (width - 1);
  const int per_block = threads / width;
  const int piece = team.rank * per_block + thread / width;
  const std::int64_t begin = std::int64_t{piece} * M;
  const std::int64_t group = blockIdx.x / team.blocks;
  const std::int64_t groups = (lines.inner + width - 1) / width;
  const std::int64_t o = group / groups;
  const std::int64_t j = group % groups * width + column;
  const int count = j < lines.inner ? static_cast<int>(min(std::int64_t{M}, lines.rows - begin)) : 0;

  T* const lower = reinterpret_cast<T*>(memory) + thread;
  T* const upper = lower + M * threads;
  T* const diagonal = upper + M * threads;
  const std::int64_t at = o * lines.outer_stride + j * lines.inner_stride + begin * lines.row_stride;
  if constexpr (!Constant) {
    const std::int64_t band = o * bands.outer_stride + j * bands.inner_stride + begin * bands.row_stride;
#pragma unroll
    for (int i = 0; i < M; ++i) {
      if (i < count) {
        const std::int64_t from = band + i * bands.row_stride;
        __pipeline_memcpy_async(lower + i * threads, bands.lower + from, sizeof(T));
        __pipeline_memcpy_async(upper + i * threads, bands.upper + from, sizeof(T));
        __pipeline_memcpy_async(diagonal + i * threads, bands.diagonal + from, sizeof(T));
      }
    }
    __pipeline_commit();
  }
  T beta[M];  // the right-hand side, then what elimination makes of it
#pragma unroll
  for (int i = 0; i < M; ++i) beta[i] = i < count ? d[at + i * lines.row_stride] : T(0);
  if constexpr (!Constant) __pipeline_wait_prior(0);

  kernel::Elimination<T> elimination{};
#pragma unroll
  for (int i = 0; i < M; ++i) {
    if (i < count) {
      kernel::Row<T> row{};
      if constexpr (Constant) {
        row = bands.constant_row(begin + i, lines.rows);
      } else {
        row = {lower[i * threads], diagonal[i * threads], upper[i * threads]};
        if (!bands.periodic && begin + i == 0) row.lower = 0;
        if (!bands.periodic && begin + i == lines.rows - 1) row.upper = 0;
      }
      eliminate(elimination, i, row.lower, row.diagonal, row.upper, beta[i]);
      beta[i] = elimination.beta;
      lower[i * threads] = elimination.gamma;
      upper[i * threads] = elimination.alpha;
    }
  }

  T* const equations = reinterpret_cast<T*>(memory) + (Constant ? 2 : 3) * M * threads;
  const auto pieces_of_line = static_cast<int>((lines.rows + M - 1) / M);
  const Pieces<T> pieces{team, equations, piece, pieces_of_line, per_block, width, column};
  T before = 0;
  T value = 0;
  if (bands.periodic) {
    solve_pieces<true>(pieces, elimination, count > 0, before, value);
  } else {
    solve_pieces<false>(pieces, elimination, count > 0, before, value);
  }

#pragma unroll
  for (int i = M - 1; i >= 0; --i) {
    if (i < count - 1) value = beta[i] - upper[i * threads] * value - lower[i * threads] * before;
    if (i < count) x[at + i * lines.row_stride] = value;
  }
}

// ---- launches

/// How many blocks of how many threads share a line, or a group of neighbouring lines.
struct Geometry {
  std::int64_t groups = 0;
  int blocks = 1;  // a cluster's
  int threads = 0;
  int width = 1;
};

template <class... Parameters, class... Arguments>
void launch(const exec::Stream& stream, const char* name, void (*kernel)(Parameters...),
            const Geometry& geometry, std::size_t shared_bytes, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.stream = exec::cuda::enter(stream);
  config.gridDim = dim3(static_cast<unsigned>(geometry.groups * geometry.blocks));
  config.blockDim = dim3(static_cast<unsigned>(geometry.threads));
  config.dynamicSmemBytes = shared_bytes;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = static_cast<unsigned>(geometry.blocks);
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = geometry.blocks > 1 ? 1 : 0;
  const void* const symbol = reinterpret_cast<const void*>(kernel);
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(symbol, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes)));
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(symbol, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxShared));
  SETKA_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
  SETKA_CUDA_CHECK_LAUNCH(stream, name);
}

bool has_clusters(const exec::Stream& stream) {
  int major = 0;
  exec::cuda::enter(stream);
  SETKA_CUDA_CHECK(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, stream.device().ordinal()));
  return major >= 9;
}

int up_to_warps(std::int64_t threads) {
  return static_cast<int>((threads + warp - 1) / warp * warp);
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

template <class T, int M>
void launch_along(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                  T* x, const Geometry& geometry) {
  const std::size_t bytes = geometry.threads * sizeof(T) * (3 * M + Pieces<T>::values_per_thread);
  auto* const kernel =
      bands.is_constant() ? along_memory_kernel<T, M, true> : along_memory_kernel<T, M, false>;
  launch(stream, "sweep along memory", kernel, geometry, bytes, lines, bands, d, x,
         in_units(lines, bands, d, x));
}

template <class T>
bool sweep_along(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  Geometry geometry;
  geometry.groups = lines.count();
  if (lines.rows <= short_line) {
    geometry.threads = warp;
    launch_along<T, rows_per_thread_of_short_lines>(stream, lines, bands, d, x, geometry);
    return true;
  }
  const std::int64_t pieces = (lines.rows + rows_per_thread - 1) / rows_per_thread;
  const std::int64_t blocks = (pieces + most_threads - 1) / most_threads;
  if (blocks > 1 && (blocks > most_blocks || !has_clusters(stream))) return false;
  geometry.blocks = static_cast<int>(blocks);
  geometry.threads = up_to_warps((pieces + blocks - 1) / blocks);
  launch_along<T, rows_per_thread>(stream, lines, bands, d, x, geometry);
  return true;
}

template <class T>
bool sweep_across(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                  T* x) {
  constexpr std::int64_t least_width = 4;  // a sector of doubles
  constexpr std::int64_t good_width = 8;
  const std::int64_t pieces = (lines.rows + rows_per_thread - 1) / rows_per_thread;
  if (pieces > most_blocks * most_threads / least_width) return false;
  const auto power = [](std::int64_t n) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  };
  const std::int64_t width = pieces > most_blocks * most_threads / good_width ? least_width : good_width;
  const std::int64_t per_block = std::min(power(pieces), most_threads / width);
  Geometry geometry;
  geometry.width = static_cast<int>(std::min(most_threads / per_block, std::max(width, power(lines.inner))));
  geometry.blocks = static_cast<int>((pieces + per_block - 1) / per_block);
  if (geometry.blocks > 1 && !has_clusters(stream)) return false;
  geometry.threads = static_cast<int>(per_block) * geometry.width;
  geometry.groups = lines.outer * ((lines.inner + geometry.width - 1) / geometry.width);
  const int arrays = bands.is_constant() ? 2 : 3;
  const std::size_t bytes =
      geometry.threads * sizeof(T) * (arrays * rows_per_thread + Pieces<T>::values_per_thread);
  auto* const kernel = bands.is_constant() ? across_memory_kernel<T, true> : across_memory_kernel<T, false>;
  launch(stream, "sweep across memory", kernel, geometry, bytes, lines, bands, d, x, geometry.width);
  return true;
}

}  // namespace

template <class T>
bool sweep_fused(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  if (lines.row_stride == 1 && (bands.is_constant() || bands.row_stride == 1))
    return sweep_along(stream, lines, bands, d, x);
  return sweep_across(stream, lines, bands, d, x);
}

template bool sweep_fused<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&, const float*,
                                 float*);
template bool sweep_fused<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                  const double*, double*);

}  // namespace setka::grid::cuda
