// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/grid/sweep_host_groups.hpp"
#include "setka/grid/sweep_table.hpp"
#include "setka/grid/sweep_ways.hpp"

/// Sweeps on the CPU with constant coefficients: all of the elimination but what the right-hand side makes is
/// the same in all lines, so it is done once, and no row of a line costs a division. Four packs in turn: rows
/// across memory are 256 bytes wide then, and what elimination leaves, one number a row, still fits the
/// cache.
namespace setka::grid::host {
namespace {

constexpr int packs = 4;
// Across memory a row lies pages after the one before, where few of them fit the first-level cache: rows to
// come are asked for in the second.
constexpr int rows_on_their_way = 24;

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

template <bool Periodic, class T>
void solve_group(const Lines& lines, const LineTable<T>& table, const T* d, T* x, std::int64_t first,
                 int count, T* memory) {
  using P = Pack<T>;
  constexpr int width = group_lines<T, packs>;
  T* const betas = memory;
  T* const tile = memory + lines.rows * width;
  const Source<T, packs> right =
      source_of<packs>(d, lines, lines.outer_stride, lines.row_stride, lines.inner_stride, first, count);
  P beta[packs];
  P first_beta[packs];
  for (int k = 0; k < packs; ++k) beta[k] = first_beta[k] = P(T(0));
  for (std::int64_t begin = 0; begin < lines.rows; begin += tile_rows) {
    const int rows = static_cast<int>(std::min<std::int64_t>(tile_rows, lines.rows - begin));
    const Rows<T> given = fetch(right, begin, rows, tile);
    for (int i = 0; i < rows; ++i) {
      const kernel::TableRow<T>& row = table.rows[static_cast<std::size_t>(begin + i)];
      for (int k = 0; k < packs; ++k) {
        if (right.direct)
          __builtin_prefetch(given.data + (i + rows_on_their_way) * given.stride + k * P::size, 0, 2);
        if constexpr (Periodic) first_beta[k] = first_beta[k] - P(row.reach) * beta[k];
        beta[k] = given.pack(i, k) * P(row.inverse) - P(row.carry) * beta[k];
        beta[k].store(betas + (begin + i) * width + k * P::size);
      }
    }
  }

  const kernel::Elimination<T>& end = table.end;
  P before[packs];
  P value[packs];
  for (int k = 0; k < packs; ++k) {
    const kernel::Elimination<P> line{P(end.alpha),       beta[k],       P(end.gamma),
                                      P(end.first_alpha), first_beta[k], P(end.first_gamma)};
    value[k] = Periodic ? line.closed() : beta[k];
    before[k] = value[k];
  }
  const std::int64_t last = lines.rows - 1;
  for (std::int64_t begin = last / tile_rows * tile_rows; begin >= 0; begin -= tile_rows) {
    const int rows = static_cast<int>(std::min<std::int64_t>(tile_rows, lines.rows - begin));
    T* const out = right.direct ? x + right.at[0] + begin * right.stride : tile;
    const std::int64_t stride = right.direct ? right.stride : width;
    for (int i = rows - 1; i >= 0; --i) {
      const kernel::TableRow<T>& row = table.rows[static_cast<std::size_t>(begin + i)];
      for (int k = 0; k < packs; ++k) {
        if (right.direct) __builtin_prefetch(out + (i - rows_on_their_way) * stride + k * P::size, 1, 2);
        if (begin + i < last) {
          value[k] = P::from(betas + (begin + i) * width + k * P::size) - P(row.alpha) * value[k];
          if constexpr (Periodic) value[k] = value[k] - P(row.gamma) * before[k];
        }
        value[k].store(out + i * stride + k * P::size);
      }
    }
    if (!right.direct) put(x, right, begin, rows, count, tile);
  }
}

}  // namespace

template <class T>
void sweep_constant(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                    T* x) {
  const LineTable<T> table(bands, lines.rows);
  const std::int64_t size = (lines.rows + tile_rows) * group_lines<T, packs>;
  for_each_group<packs, T>(stream, lines, size, [&](std::int64_t first, int count, T* memory) {
    if (bands.periodic) {
      solve_group<true>(lines, table, d, x, first, count, memory);
    } else {
      solve_group<false>(lines, table, d, x, first, count, memory);
    }
  });
}

template void sweep_constant<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&,
                                    const float*, float*);
template void sweep_constant<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                     const double*, double*);

}  // namespace setka::grid::host
