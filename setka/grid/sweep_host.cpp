// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>

#include "setka/grid/sweep_host_groups.hpp"
#include "setka/grid/sweep_kernel.hpp"
#include "setka/grid/sweep_ways.hpp"

/// Sweeps on the CPU with coefficients in memory. What elimination leaves stays in a thread's cache until the
/// way back, so memory sees every coefficient once and the solution once.
namespace setka::grid::host {
namespace {

/// alpha, beta and gamma of all rows of a group.
template <class T, int Packs>
struct Work {
  static constexpr int width = group_lines<T, Packs>;
  T* alpha;
  T* beta;
  T* gamma;

  static std::int64_t size(std::int64_t rows) { return 3 * rows * width; }
  Work(T* memory, std::int64_t rows)
      : alpha(memory), beta(alpha + rows * width), gamma(beta + rows * width) {}
};

template <bool Periodic, int Packs, class T>
void solve_group(const Lines& lines, const kernel::Bands<T>& bands, const T* d, T* x, std::int64_t first,
                 int count, const Work<T, Packs>& work) {
  using P = Pack<T>;
  constexpr int width = group_lines<T, Packs>;
  const auto band = [&](const T* data) {
    return source_of<Packs>(data, lines, bands.outer_stride, bands.row_stride, bands.inner_stride, first,
                            count);
  };
  const Source<T, Packs> lower = band(bands.lower);
  const Source<T, Packs> diagonal = band(bands.diagonal);
  const Source<T, Packs> upper = band(bands.upper);
  const Source<T, Packs> right =
      source_of<Packs>(d, lines, lines.outer_stride, lines.row_stride, lines.inner_stride, first, count);

  kernel::Elimination<P> elimination[Packs];
  for_each_block<T>(lines.rows, [&](std::int64_t begin, int rows) {
    for (const Source<T, Packs>* source : {&lower, &diagonal, &upper, &right}) {
      for (int r = 0; r < rows; ++r) ask_for(*source, begin + r + rows_ahead);
    }
    for (int k = 0; k < Packs; ++k) {
      if (k == right.packs) break;
      Block<T> low;
      Block<T> middle;
      Block<T> high;
      Block<T> given;
      read(lower, begin, rows, k, low);
      read(diagonal, begin, rows, k, middle);
      read(upper, begin, rows, k, high);
      read(right, begin, rows, k, given);
      for (int r = 0; r < rows; ++r) {
        if (begin + r == 0) {
          elimination[k].first(Periodic ? low[r] : P(T(0)), middle[r], high[r], given[r]);
        } else {
          elimination[k].next(low[r], middle[r], high[r], given[r]);
        }
        const std::int64_t at = (begin + r) * width + k * P::count;
        elimination[k].alpha.store(work.alpha + at);
        elimination[k].beta.store(work.beta + at);
        if constexpr (Periodic) elimination[k].gamma.store(work.gamma + at);
      }
    }
  });

  P before[Packs];
  P value[Packs];
  for (int k = 0; k < Packs; ++k) {
    value[k] = Periodic ? elimination[k].closed() : elimination[k].beta;
    before[k] = value[k];
  }
  go_back(
      target_of(x, lines, right, count), lines.rows,
      value, [&](std::int64_t i, int k, const P& later) __attribute__((always_inline)) {
        const std::int64_t at = i * width + k * P::count;
        const P here = P::from(work.beta + at) - P::from(work.alpha + at) * later;
        return Periodic ? here - P::from(work.gamma + at) * before[k] : here;
      });
}

template <int Packs, class T>
void sweep_groups(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                  T* x) {
  for_each_group<Packs, T>(stream, lines, Work<T, Packs>::size(lines.rows),
                           [&](std::int64_t first, int count, T* memory) {
                             const Work<T, Packs> work(memory, lines.rows);
                             if (bands.periodic) {
                               solve_group<true, Packs>(lines, bands, d, x, first, count, work);
                             } else {
                               solve_group<false, Packs>(lines, bands, d, x, first, count, work);
                             }
                           });
}

}  // namespace

template <class T>
void sweep_fused(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  if (bands.is_constant()) return sweep_constant(stream, lines, bands, d, x);
  if (lines.row_stride == 1) return sweep_groups<packs_along>(stream, lines, bands, d, x);
  sweep_groups<packs_across>(stream, lines, bands, d, x);
}

template void sweep_fused<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&, const float*,
                                 float*);
template void sweep_fused<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                  const double*, double*);

}  // namespace setka::grid::host
