// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "setka/exec/parallel.hpp"
#include "setka/grid/heat_uniform_kernel.hpp"
#include "setka/grid/heat_ways.hpp"

namespace setka::grid {
namespace {

using kernel::UniformChange;

/// One row of cells.
template <class T, int Axes>
void change_row(const UniformChange<T, Axes>& grid, std::int64_t plane, std::int64_t row) {
  const kernel::UniformAxis<T>& over_columns = grid.axis[Axes - 1];
  const std::int64_t columns = over_columns.cells;
  const std::int64_t rows = Axes == 3 ? grid.axis[1].cells : 1;
  const std::int64_t at = (plane * rows + row) * columns;
  const T* const u = grid.u + at;
  const T* const before = u + grid.axis[0].before(plane) * rows * columns;
  const T* const after = u + grid.axis[0].after(plane) * rows * columns;
  const T* const low_row = Axes == 3 ? u + grid.axis[1].before(row) * columns : u;
  const T* const high_row = Axes == 3 ? u + grid.axis[1].after(row) * columns : u;
  const T* const source = grid.source == nullptr ? nullptr : grid.source + at;
  T* const next = grid.next + at;
  const auto at_end = [&](std::int64_t i) {
    const T value = u[i];
    T rate = source == nullptr ? T(0) : source[i];
    rate += grid.axis[0].rate(plane, value, before[i], after[i]);
    if constexpr (Axes == 3) rate += grid.axis[1].rate(row, value, low_row[i], high_row[i]);
    rate += over_columns.rate(i, value, u[i + over_columns.before(i)], u[i + over_columns.after(i)]);
    next[i] = grid.changed(value, rate);
  };
  if (!grid.axis[0].is_inner(plane) || (Axes == 3 && !grid.axis[1].is_inner(row))) {
    for (std::int64_t i = 0; i < columns; ++i) at_end(i);
    return;
  }
  const auto inner = [&](auto source_at) {
#pragma omp simd
    for (std::int64_t i = 1; i < columns - 1; ++i) {
      const T value = u[i];
      T rate = source_at(i);
      rate += grid.axis[0].inner_rate(value, before[i], after[i]);
      if constexpr (Axes == 3) rate += grid.axis[1].inner_rate(value, low_row[i], high_row[i]);
      rate += over_columns.inner_rate(value, u[i - 1], u[i + 1]);
      next[i] = grid.changed(value, rate);
    }
  };
  at_end(0);
  source == nullptr ? inner([](std::int64_t) { return T(0); })
                    : inner([=](std::int64_t i) { return source[i]; });
  if (columns > 1) at_end(columns - 1);
}

template <class T, int Axes>
void change_rows(const exec::Stream& stream, const UniformChange<T, Axes>& grid) {
  const std::int64_t rows = Axes == 3 ? grid.axis[1].cells : 1;
  const std::int64_t few = exec::host::serial_below / grid.axis[Axes - 1].cells;
  exec::host::for_each(stream.device().threads(), grid.planes() * rows, few,
                       [&](std::int64_t i) { change_row(grid, grid.first_plane + i / rows, i % rows); });
}

/// What cells have by themselves: `count` of them from `at` on.
template <class T>
void change_alone(const kernel::HeatChange<T>& change, std::int64_t at, std::int64_t count) {
  const T* const u = change.u + at;
  T* const next = change.next + at;
  const T decay = change.step * change.reaction_share;
  if (change.grid.reaction != nullptr) {
    const T* const reaction = change.grid.reaction + at;
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) next[i] = (change.keep - decay * reaction[i]) * u[i];
  } else {
    const T factor = change.keep - decay * change.grid.uniform_reaction;
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) next[i] = factor * u[i];
  }
  if (change.grid.source == nullptr) return;
  const T* const source = change.grid.source + at;
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) next[i] += change.step * source[i];
}

/// What they exchange with the neighbours along an axis, of whose ends none is theirs.
template <class T>
void exchange_along(const kernel::HeatChange<T>& change, const kernel::HeatAxisCells<T>& axis,
                    std::int64_t at, std::int64_t count, std::int64_t before, std::int64_t after) {
  const T* const u = change.u + at;
  T* const next = change.next + at;
  const T weight = change.step * axis.scale;
  if (change.grid.diffusivity == nullptr) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i)
      next[i] += weight * ((u[i + before] - u[i]) + (u[i + after] - u[i]));
    return;
  }
  const T* const d = change.grid.diffusivity + at;
  const auto mean = [](T a, T b) { return kernel::HeatCells<T>::mean(a, b); };
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    next[i] += weight * (mean(d[i], d[i + before]) * (u[i + before] - u[i]) +
                         mean(d[i], d[i + after]) * (u[i + after] - u[i]));
  }
}

/// Cells that differ, row by row as well: term after term while a row is in the cache, and one by one at
/// ends.
template <class T>
void change_cells(const exec::Stream& stream, std::int64_t cells, const kernel::HeatChange<T>& change) {
  const auto& axes = change.grid.axis;
  const int along = axes[2].used ? 2 : axes[1].used ? 1 : 0;
  const std::int64_t columns = axes[along].cells;
  // Of the row that begins with that cell.
  const auto change_columns = [&](std::int64_t first, std::int64_t begin, std::int64_t end) {
    std::int64_t places[3] = {axes[0].place(first), axes[1].place(first), 0};
    const auto one_by_one = [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; ++i) {
        places[along] = i;
        change.change(first + i, places);
      }
    };
    for (int k = 0; k < along; ++k) {
      if (!axes[k].periodic && (places[k] == 0 || places[k] == axes[k].cells - 1))
        return one_by_one(begin, end);
    }
    if (columns < 3) return one_by_one(begin, end);
    const std::int64_t inner = std::max<std::int64_t>(begin, 1);
    const std::int64_t count = std::max<std::int64_t>(std::min(end, columns - 1) - inner, 0);
    change_alone(change, first + inner, count);
    for (int k = 0; k <= along; ++k) {
      if (!change.of_axis[k]) continue;
      const std::int64_t stride = axes[k].stride;
      const std::int64_t round = (axes[k].cells - 1) * stride;
      const std::int64_t before = k < along && places[k] == 0 ? round : -stride;
      const std::int64_t after = k < along && places[k] == axes[k].cells - 1 ? -round : stride;
      exchange_along(change, axes[k], first + inner, count, before, after);
    }
    if (begin == 0) one_by_one(0, 1);
    if (end == columns) one_by_one(columns - 1, columns);
  };
  if (along == 0) return change_columns(0, change.first, change.first + cells);
  exec::host::for_each(stream.device().threads(), cells / columns, exec::host::serial_below / columns,
                       [&](std::int64_t row) { change_columns(change.first + row * columns, 0, columns); });
}

}  // namespace

template <class T>
void change_heat(const exec::Stream& stream, std::int64_t cells, const kernel::HeatChange<T>& change) {
  const bool uniform = kernel::is_uniform(change);
  if (!stream.is_cuda()) {
    if (!uniform) return change_cells(stream, cells, change);
    if (change.grid.axis[2].used) return change_rows(stream, UniformChange<T, 3>::of(change, cells));
    return change_rows(stream, UniformChange<T, 2>::of(change, cells));
  }
  if constexpr (with_cuda) {
    if (uniform && cuda::uniform_change(stream, cells, change)) return;
  }
  exec::parallel_for(stream, cells, change);
}

template void change_heat<float>(const exec::Stream&, std::int64_t, const kernel::HeatChange<float>&);
template void change_heat<double>(const exec::Stream&, std::int64_t, const kernel::HeatChange<double>&);

}  // namespace setka::grid
