// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cooperative_groups.h>

#include "setka/grid/sweep_geometry.hpp"
#include "setka/grid/sweep_kernel.hpp"

/// The part that the fused kernels share: each thread has eliminated the rows of its piece but the last; here
/// the last values of all pieces of a line are found. The 32 pieces of a warp become one by shuffles, and
/// then the warps of a line, 32 at most, do so once more, in every warp at the same time: one barrier in all.
namespace setka::grid::cuda {

constexpr unsigned all_lanes = 0xffffffffU;

/// Blocks that share lines: one, or a cluster (of compute capability 9.0 on).
struct Team {
  int rank = 0;
  int blocks = 1;

  __device__ static Team mine() {
#if __CUDA_ARCH__ >= 900
    const auto cluster = cooperative_groups::this_cluster();
    return {static_cast<int>(cluster.block_rank()), static_cast<int>(cluster.num_blocks())};
#else
    return {};
#endif
  }

  __device__ void synchronize() const {
#if __CUDA_ARCH__ >= 900
    if (blocks > 1) return cooperative_groups::this_cluster().sync();
#endif
    __syncthreads();
  }

  /// None ends while others read its memory: done() after a thread's last read, leave() before its end.
  __device__ void done() const {
#if __CUDA_ARCH__ >= 900
    __syncwarp();
    if (blocks > 1) cooperative_groups::this_cluster().barrier_arrive();
#endif
  }
  __device__ void leave() const {
#if __CUDA_ARCH__ >= 900
    __syncwarp();
    if (blocks > 1) cooperative_groups::this_cluster().barrier_wait();
#endif
  }

  /// A place in the shared memory of another block.
  template <class T>
  __device__ const T* in(const T* place, int block) const {
#if __CUDA_ARCH__ >= 900
    if (blocks > 1) return cooperative_groups::this_cluster().map_shared_rank(place, block);
#endif
    return place;
  }
};

/// A last value by those around it: right - lower * (before the warp) - upper * (last of the warp).
template <class T>
struct Between {
  T right;
  T lower;
  T upper;

  __device__ T value(T before, T last) const { return right - lower * before - upper * last; }
  __device__ Between up(int lanes, int span) const {
    return {__shfl_up_sync(all_lanes, right, lanes, span), __shfl_up_sync(all_lanes, lower, lanes, span),
            __shfl_up_sync(all_lanes, upper, lanes, span)};
  }
  __device__ Between down(int lanes, int span) const {
    return {__shfl_down_sync(all_lanes, right, lanes, span), __shfl_down_sync(all_lanes, lower, lanes, span),
            __shfl_down_sync(all_lanes, upper, lanes, span)};
  }
};

/// Parallel cyclic reduction of the pieces of lanes 0 .. count - 1 to one piece.
/// in: the elimination of each lane. out: that of all, its first_ numbers in lane 0, the others in lane
/// count - 1. Short lines share a warp: lanes are counted within the `span` lanes, a power of two, of a line.
template <class T>
__device__ Between<T> join_lanes(kernel::Elimination<T>& e, int lane, int count, int span) {
  const Between<T> is_before{0, -1, 0};
  const Between<T> is_last{0, 0, -1};
  const T next_alpha = __shfl_down_sync(all_lanes, e.first_alpha, 1, span);
  const T next_beta = __shfl_down_sync(all_lanes, e.first_beta, 1, span);
  const T next_gamma = __shfl_down_sync(all_lanes, e.first_gamma, 1, span);
  const bool inner = lane < count - 1;
  Between<T> mine = is_last;
  if (inner) {
    const T inverse = exec::reciprocal(T(1) - e.alpha * next_gamma);
    mine = {(e.beta - e.alpha * next_beta) * inverse, e.gamma * inverse, -(e.alpha * next_alpha * inverse)};
  }
  if (count <= 1) return mine;
  // From here on lane 0 needs the numbers of its first value alone, other lanes those of their last.
  const T alpha = lane == 0 ? e.first_alpha : e.alpha;
  const T beta = lane == 0 ? e.first_beta : e.beta;
  const T gamma = lane == 0 ? e.first_gamma : e.gamma;
  for (int stride = 1; stride < count - 1; stride *= 2) {
    Between<T> low = mine.up(stride, span);
    Between<T> high = mine.down(stride, span);
    if (lane < stride) low = is_before;
    if (lane + stride >= count - 1) high = is_last;
    if (inner) {
      const T inverse = exec::reciprocal(T(1) - mine.lower * low.upper - mine.upper * high.lower);
      mine = {(mine.right - mine.lower * low.right - mine.upper * high.right) * inverse,
              -(mine.lower * low.lower * inverse), -(mine.upper * high.upper * inverse)};
    }
  }
  const Between<T> previous = mine.up(1, span);
  if (lane == 0) {
    e = {0, 0, 0, -(alpha * mine.upper), beta - alpha * mine.right, gamma - alpha * mine.lower};
  } else {
    const T inverse = exec::reciprocal(T(1) - gamma * previous.upper);
    e = {alpha * inverse,
         (beta - gamma * previous.right) * inverse,
         -(gamma * previous.lower * inverse),
         0,
         0,
         0};
  }
  return mine;
}

/// The warps' pieces of a line, and the shared memory, [6, size], in which the warps of a block put theirs.
template <class T>
struct WarpPieces {
  Team team;
  T* memory;
  int size;       // places
  int per_block;  // warps of a line in a block
  int count;      // warps of a line
  int span;       // lanes of a line
  bool periodic;

  static constexpr int numbers = 6;

  /// What join_lanes() left in the first and the last of `lanes`.
  __device__ void put(int place, const kernel::Elimination<T>& e, int lane, int lanes) const {
    T* const to = memory + place;
    if (lane == 0 && lanes > 0) {
      to[0] = e.first_alpha;
      to[size] = e.first_beta;
      to[2 * size] = e.first_gamma;
    }
    if (lane == lanes - 1) {
      to[3 * size] = e.alpha;
      to[4 * size] = e.beta;
      to[5 * size] = e.gamma;
    }
  }

  /// By all lanes: the values before warp `index` of a line and its last, the line's places in each
  /// block beginning at `place`.
  __device__ void solve(int place, int index, int lane, T& before, T& last) const {
    kernel::Elimination<T> e{};
    if (lane < count) {
      const int owner = lane / per_block;
      const T* const from = team.in(memory + place + (lane - owner * per_block), owner);
      e = {from[3 * size], from[4 * size], from[5 * size], from[0], from[size], from[2 * size]};
    }
    const Between<T> mine = join_lanes(e, lane, count, span);
    const auto of = [this](T value, int from) { return __shfl_sync(all_lanes, value, from, span); };
    const kernel::Elimination<T> line{of(e.alpha, count - 1), of(e.beta, count - 1), of(e.gamma, count - 1),
                                      of(e.first_alpha, 0),   of(e.first_beta, 0),   of(e.first_gamma, 0)};
    const T end = periodic ? line.closed() : line.beta;
    const T begin = periodic ? end : T(0);
    const T value = mine.value(begin, end);
    const T previous = of(value, index > 0 ? index - 1 : 0);
    last = of(value, index);
    before = index > 0 ? previous : begin;
  }
};

/// The value before a lane's piece and its last, from those of the warp.
template <class T>
__device__ void within_warp(const Between<T>& mine, int lane, int span, T& before, T& last) {
  const T value = mine.value(before, last);
  const T previous = __shfl_up_sync(all_lanes, value, 1, span);
  last = value;
  if (lane > 0) before = previous;
}

/// Row i of a piece is taken into the elimination. Coefficients that lead out of the line are zeroed.
template <class T>
__device__ void eliminate(kernel::Elimination<T>& elimination, int i, T lower, T diagonal, T upper, T right) {
  if (i == 0) {
    elimination.first(lower, diagonal, upper, right);
  } else {
    elimination.next(lower, diagonal, upper, right);
  }
}

/// Of a thread whose warp has consecutive pieces of one line: the value before its piece, and its last.
/// memory: [6, warps of a block].
template <class T>
__device__ void solve_along(const Team& team, T* memory, int pieces, bool periodic,
                            kernel::Elimination<T> elimination, T& before, T& last) {
  const int lane = static_cast<int>(threadIdx.x) % warp;
  const int mine = static_cast<int>(threadIdx.x) / warp;
  const int warps = static_cast<int>(blockDim.x) / warp;
  const int index = team.rank * warps + mine;
  const int lanes = min(warp, pieces - index * warp);
  const WarpPieces<T> line{team, memory, warps, warps, (pieces + warp - 1) / warp, warp, periodic};
  const Between<T> between = join_lanes(elimination, lane, lanes, warp);
  line.put(mine, elimination, lane, lanes);
  team.synchronize();
  line.solve(0, min(index, warp - 1), lane, before, last);
  team.done();
  within_warp(between, lane, warp, before, last);
}

/// Of a thread whose neighbours have pieces of `width` neighbouring lines, `per_block` of each in a block, a
/// power of two: the pieces go through shared memory to lanes next to those of the same line.
/// memory: [6, width, per_block + 1], then [6, width, warps of a line].
template <class T>
__device__ void solve_across(const Team& team, T* memory, int pieces, bool periodic, int width, int per_block,
                             const kernel::Elimination<T>& elimination, T& before, T& last) {
  const int thread = static_cast<int>(threadIdx.x);
  const int pitch = per_block + 1;
  const int size = width * pitch;
  T* const own = memory + thread % width * pitch + thread / width;
  own[0] = elimination.alpha;
  own[size] = elimination.beta;
  own[2 * size] = elimination.gamma;
  own[3 * size] = elimination.first_alpha;
  own[4 * size] = elimination.first_beta;
  own[5 * size] = elimination.first_gamma;
  __syncthreads();

  const int span = min(warp, per_block);
  const int per_line = per_block / span;
  const int place = thread / span;
  const int lane = thread % span;
  const int part = place % per_line;
  const int index = team.rank * per_line + part;
  const int lanes = min(span, pieces - index * span);
  T* const at = memory + thread / per_block * pitch + thread % per_block;
  kernel::Elimination<T> e{at[0], at[size], at[2 * size], at[3 * size], at[4 * size], at[5 * size]};
  const WarpPieces<T> lines{team, memory + 6 * size, width * per_line, per_line, (pieces + span - 1) / span,
                            span, periodic};
  const Between<T> between = join_lanes(e, lane, lanes, span);
  lines.put(place, e, lane, lanes);
  team.synchronize();
  T start = 0;
  T value = 0;
  lines.solve(place - part, min(index, span - 1), lane, start, value);
  team.done();
  within_warp(between, lane, span, start, value);
  at[0] = start;
  at[size] = value;
  __syncthreads();
  before = own[0];
  last = own[size];
}

/// How many numbers solve_across() needs.
inline int numbers_across(int width, int per_block) {
  return 6 * width * (per_block + 1 + (per_block + warp - 1) / warp);
}

}  // namespace setka::grid::cuda
