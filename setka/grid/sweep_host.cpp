// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "setka/grid/sweep_host_groups.hpp"
#include "setka/grid/sweep_kernel.hpp"
#include "setka/grid/sweep_ways.hpp"

/// Sweeps on the CPU with coefficients in memory. What elimination leaves stays in a thread's cache until the
/// way back, so memory sees every coefficient once and the solution once. Division sets the pace of the
/// arithmetic, 2 cycles a row and line with AVX-512; two packs in turn hide its latency.
namespace setka::grid::host {
namespace {

constexpr int packs = 2;

/// What a thread works with: alpha, beta and gamma of all rows of a group, and tiles.
template <class T>
struct Work {
  T* alpha;
  T* beta;
  T* gamma;
  T* tile;  // [4, tile_rows, group_lines]

  static std::int64_t size(std::int64_t rows) {
    return (3 * rows + std::int64_t{4} * tile_rows) * group_lines<T, packs>;
  }
  Work(T* memory, std::int64_t rows)
      : alpha(memory),
        beta(alpha + rows * group_lines<T, packs>),
        gamma(beta + rows * group_lines<T, packs>),
        tile(gamma + rows * group_lines<T, packs>) {}
  T* tile_of(int array) const { return tile + std::int64_t{array} * tile_rows * group_lines<T, packs>; }
};

template <bool Periodic, class T>
void solve_group(const Lines& lines, const kernel::Bands<T>& bands, const T* d, T* x, std::int64_t first,
                 int count, const Work<T>& work) {
  using P = Pack<T>;
  const auto band = [&](const T* data) {
    return source_of<packs>(data, lines, bands.outer_stride, bands.row_stride, bands.inner_stride, first,
                            count);
  };
  const Source<T, packs> lower = band(bands.lower);
  const Source<T, packs> diagonal = band(bands.diagonal);
  const Source<T, packs> upper = band(bands.upper);
  const Source<T, packs> right =
      source_of<packs>(d, lines, lines.outer_stride, lines.row_stride, lines.inner_stride, first, count);

  kernel::Elimination<P> elimination[packs];
  for (std::int64_t begin = 0; begin < lines.rows; begin += tile_rows) {
    const int rows = static_cast<int>(std::min<std::int64_t>(tile_rows, lines.rows - begin));
    const Rows<T> low = fetch(lower, begin, rows, work.tile_of(0));
    const Rows<T> middle = fetch(diagonal, begin, rows, work.tile_of(1));
    const Rows<T> high = fetch(upper, begin, rows, work.tile_of(2));
    const Rows<T> given = fetch(right, begin, rows, work.tile_of(3));
    for (int i = 0; i < rows; ++i) {
      const std::int64_t at = (begin + i) * group_lines<T, packs>;
      for (int k = 0; k < packs; ++k) {
        if (right.direct) __builtin_prefetch(given.data + (i + rows_ahead) * given.stride + k * P::size);
        if (lower.direct) {
          __builtin_prefetch(low.data + (i + rows_ahead) * low.stride + k * P::size);
          __builtin_prefetch(middle.data + (i + rows_ahead) * middle.stride + k * P::size);
          __builtin_prefetch(high.data + (i + rows_ahead) * high.stride + k * P::size);
        }
        if (begin + i == 0) {
          const P before = Periodic ? low.pack(i, k) : P(T(0));
          elimination[k].first(before, middle.pack(i, k), high.pack(i, k), given.pack(i, k));
        } else {
          elimination[k].next(low.pack(i, k), middle.pack(i, k), high.pack(i, k), given.pack(i, k));
        }
        elimination[k].alpha.store(work.alpha + at + k * P::size);
        elimination[k].beta.store(work.beta + at + k * P::size);
        if constexpr (Periodic) elimination[k].gamma.store(work.gamma + at + k * P::size);
      }
    }
  }

  P before[packs];
  P value[packs];
  for (int k = 0; k < packs; ++k) {
    value[k] = Periodic ? elimination[k].closed() : elimination[k].beta;
    before[k] = value[k];
  }
  const std::int64_t last = lines.rows - 1;
  for (std::int64_t begin = last / tile_rows * tile_rows; begin >= 0; begin -= tile_rows) {
    const int rows = static_cast<int>(std::min<std::int64_t>(tile_rows, lines.rows - begin));
    T* const out = right.direct ? x + right.at[0] + begin * right.stride : work.tile;
    const std::int64_t stride = right.direct ? right.stride : group_lines<T, packs>;
    for (int i = rows - 1; i >= 0; --i) {
      const std::int64_t at = (begin + i) * group_lines<T, packs>;
      for (int k = 0; k < packs; ++k) {
        if (begin + i < last) {
          const P alpha = P::from(work.alpha + at + k * P::size);
          const P beta = P::from(work.beta + at + k * P::size);
          value[k] = beta - alpha * value[k];
          if constexpr (Periodic) value[k] = value[k] - P::from(work.gamma + at + k * P::size) * before[k];
        }
        value[k].store(out + i * stride + k * P::size);
      }
    }
    if (!right.direct) put(x, right, begin, rows, count, work.tile);
  }
}

}  // namespace

template <class T>
void sweep_fused(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  if (bands.is_constant()) return sweep_constant(stream, lines, bands, d, x);
  for_each_group<packs, T>(stream, lines, Work<T>::size(lines.rows),
                           [&](std::int64_t first, int count, T* memory) {
                             const Work<T> work(memory, lines.rows);
                             if (bands.periodic) {
                               solve_group<true>(lines, bands, d, x, first, count, work);
                             } else {
                               solve_group<false>(lines, bands, d, x, first, count, work);
                             }
                           });
}

template void sweep_fused<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&, const float*,
                                 float*);
template void sweep_fused<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                  const double*, double*);

}  // namespace setka::grid::host
