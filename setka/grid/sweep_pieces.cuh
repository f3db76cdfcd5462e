// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cooperative_groups.h>

#include "setka/grid/sweep_kernel.hpp"

/// The part that the fused kernels share: each thread has eliminated the rows of its piece but the last; here
/// the last values of all pieces of a line are found, among the threads of a block or of a cluster of blocks.
namespace setka::grid::cuda {

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

  /// A place in the shared memory of another block.
  template <class T>
  __device__ const T* in(const T* place, int block) const {
#if __CUDA_ARCH__ >= 900
    return cooperative_groups::this_cluster().map_shared_rank(place, block);
#else
    return place;
#endif
  }
};

/// Four numbers of a piece: an equation lower s[p-1] + s[p] + upper s[p+1] + ring z = right for the last
/// values s, z that of the last piece; or what Elimination says of a first value.
template <class T>
struct Equation {
  T lower;
  T upper;
  T right;
  T ring;
};

/// Where a thread's piece stands, and the shared memory, [2, 4, threads], through which pieces meet.
template <class T>
struct Pieces {
  Team team;
  T* memory;
  int index;      // of this piece in its line
  int count;      // pieces of a line
  int per_block;  // pieces of a line in a block
  int width;      // lines of a block
  int column;     // which of them

  static constexpr int values_per_thread = 8;

  __device__ void put(int buffer, const Equation<T>& e) const {
    T* const place = memory + 4 * buffer * blockDim.x + threadIdx.x;
    place[0] = e.lower;
    place[blockDim.x] = e.upper;
    place[2 * blockDim.x] = e.right;
    place[3 * blockDim.x] = e.ring;
  }

  __device__ Equation<T> of(int buffer, int piece) const {
    int local = piece - team.rank * per_block;
    const T* place = memory + 4 * buffer * blockDim.x + column;
    if (local < 0 || local >= per_block) {
      const int owner = piece / per_block;
      local = piece - owner * per_block;
      place = team.in(place, owner);
    }
    place += local * width;
    return {place[0], place[blockDim.x], place[2 * blockDim.x], place[3 * blockDim.x]};
  }
};

/// Parallel cyclic reduction of the pieces' equations. A ring costs one more column: the last piece's value
/// is a parameter z, as y0 in the paper, and its own equation comes at the end; so any number of pieces will
/// do. One division a step; log2(count) + 2 steps.
/// in: elimination, where `active` (the piece has rows). out: the value before the piece, and its last.
template <bool Periodic, class T>
__device__ void solve_pieces(const Pieces<T>& pieces, const kernel::Elimination<T>& elimination, bool active,
                             T& before, T& last) {
  const int p = pieces.index;
  const int end = pieces.count - 1;
  Equation<T> mine{0, 0, 0, 0};
  if (active) mine = {elimination.first_gamma, elimination.first_alpha, elimination.first_beta, 0};
  pieces.put(0, mine);
  pieces.team.synchronize();

  mine = {0, 0, 0, 0};
  Equation<T> closing{0, 0, 0, 0};
  if (active) {
    const Equation<T> next = pieces.of(0, p < end ? p + 1 : 0);  // its first value
    const T inverse = T(1) / (T(1) - elimination.alpha * next.lower);
    mine = {elimination.gamma * inverse, -(elimination.alpha * next.upper * inverse),
            (elimination.beta - elimination.alpha * next.right) * inverse, 0};
    if constexpr (Periodic) {
      if (p == end) {
        closing = mine;
        mine = {0, 0, 0, 0};
      } else {
        if (p == 0) {
          mine.ring += mine.lower;
          mine.lower = 0;
        }
        if (p == end - 1) {
          mine.ring += mine.upper;
          mine.upper = 0;
        }
      }
    }
  }

  const int unknowns = Periodic ? end : end + 1;
  int buffer = 1;
  for (int stride = 1; stride < unknowns; stride *= 2) {
    pieces.put(buffer, mine);
    pieces.team.synchronize();
    if (active && p < unknowns) {
      Equation<T> low{0, 0, 0, 0};
      Equation<T> high{0, 0, 0, 0};
      if (p >= stride) low = pieces.of(buffer, p - stride);
      if (p + stride < unknowns) high = pieces.of(buffer, p + stride);
      const T inverse = T(1) / (T(1) - mine.lower * low.upper - mine.upper * high.lower);
      mine.right = (mine.right - mine.lower * low.right - mine.upper * high.right) * inverse;
      if constexpr (Periodic)
        mine.ring = (mine.ring - mine.lower * low.ring - mine.upper * high.ring) * inverse;
      mine.lower = -(mine.lower * low.lower * inverse);
      mine.upper = -(mine.upper * high.upper * inverse);
    }
    buffer ^= 1;
  }
  if (Periodic && p == end) mine = closing;
  pieces.put(buffer, mine);
  pieces.team.synchronize();

  before = 0;
  last = mine.right;
  if (active) {
    if constexpr (Periodic) {
      T z = 0;
      const Equation<T> close = pieces.of(buffer, end);
      if (end == 0) {
        z = close.right / (T(1) + close.lower + close.upper);
      } else {
        const Equation<T> low = pieces.of(buffer, end - 1);
        const Equation<T> high = pieces.of(buffer, 0);
        z = (close.right - close.lower * low.right - close.upper * high.right) /
            (T(1) - close.lower * low.ring - close.upper * high.ring);
      }
      last = p == end ? z : mine.right - mine.ring * z;
      before = z;
      if (p > 0) {
        const Equation<T> previous = pieces.of(buffer, p - 1);
        before = previous.right - previous.ring * z;
      }
    } else if (p > 0) {
      before = pieces.of(buffer, p - 1).right;
    }
  }
  if (pieces.team.blocks > 1) pieces.team.synchronize();  // none ends while others read its memory
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

}  // namespace setka::grid::cuda
