// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/grid/sweep_host_groups.hpp"
#include "setka/grid/sweep_table.hpp"
#include "setka/grid/sweep_ways.hpp"

/// Sweeps on the CPU with constant coefficients: all of the elimination but what the right-hand side makes is
/// the same in all lines, so it is done once, and no row of a line costs a division.
namespace setka::grid::host {
namespace {

template <class T>
struct LineTable {
  std::vector<kernel::TableRow<T>> rows;
  kernel::Elimination<T> end;

  LineTable(const kernel::Bands<T>& bands, std::int64_t count) {
    rows.reserve(static_cast<std::size_t>(count));
    end = kernel::tabulate(bands, 0, count, count,
                           [&](std::int64_t, const kernel::TableRow<T>& row) { rows.push_back(row); });
  }
};

template <bool Periodic, int Packs, class T>
void solve_group(const Lines& lines, const LineTable<T>& table, const T* d, T* x, std::int64_t first,
                 int count, T* betas) {
  using P = Pack<T>;
  constexpr int width = group_lines<T, Packs>;
  const Source<T, Packs> right =
      source_of<Packs>(d, lines, lines.outer_stride, lines.row_stride, lines.inner_stride, first, count);
  P beta[Packs];
  P first_beta[Packs];
  for (int k = 0; k < Packs; ++k) beta[k] = first_beta[k] = P(T(0));
  for_each_block<T>(lines.rows, [&](std::int64_t begin, int rows) {
    for (int r = 0; r < rows; ++r) ask_for(right, begin + r + rows_ahead);
    for (int k = 0; k < Packs; ++k) {
      if (k == right.packs) break;
      Block<T> given;
      read(right, begin, rows, k, given);
      for (int r = 0; r < rows; ++r) {
        const kernel::TableRow<T>& row = table.rows[static_cast<std::size_t>(begin + r)];
        if constexpr (Periodic) first_beta[k] = first_beta[k] - P(row.reach) * beta[k];
        beta[k] = given[r] * P(row.inverse) - P(row.carry) * beta[k];
        beta[k].store(betas + (begin + r) * width + k * P::count);
      }
    }
  });

  const kernel::Elimination<T>& end = table.end;
  P before[Packs];
  P value[Packs];
  for (int k = 0; k < Packs; ++k) {
    const kernel::Elimination<P> line{P(end.alpha),       beta[k],       P(end.gamma),
                                      P(end.first_alpha), first_beta[k], P(end.first_gamma)};
    value[k] = Periodic ? line.closed() : beta[k];
    before[k] = value[k];
  }
  go_back(
      target_of(x, lines, right, count), lines.rows,
      value, [&](std::int64_t i, int k, const P& later) __attribute__((always_inline)) {
        const kernel::TableRow<T>& row = table.rows[static_cast<std::size_t>(i)];
        const P here = P::from(betas + i * width + k * P::count) - P(row.alpha) * later;
        return Periodic ? here - P(row.gamma) * before[k] : here;
      });
}

template <int Packs, class T>
void sweep_groups(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                  T* x) {
  const LineTable<T> table(bands, lines.rows);
  for_each_group<Packs, T>(stream, lines, lines.rows * group_lines<T, Packs>,
                           [&](std::int64_t first, int count, T* memory) {
                             if (bands.periodic) {
                               solve_group<true, Packs>(lines, table, d, x, first, count, memory);
                             } else {
                               solve_group<false, Packs>(lines, table, d, x, first, count, memory);
                             }
                           });
}

}  // namespace

template <class T>
void sweep_constant(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                    T* x) {
  if (lines.row_stride == 1) return sweep_groups<packs_along>(stream, lines, bands, d, x);
  sweep_groups<packs_across>(stream, lines, bands, d, x);
}

template void sweep_constant<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&,
                                    const float*, float*);
template void sweep_constant<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                     const double*, double*);

}  // namespace setka::grid::host
