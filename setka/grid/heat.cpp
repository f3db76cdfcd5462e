// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/heat.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat_ways.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::grid {
namespace {

void check_nodes(const char* who, const char* what, std::int64_t size, std::int64_t nodes) {
  require(size == nodes, [&] {
    return fmt::format("{}: {} has {} values but the grid has {} nodes", who, what, size, nodes);
  });
}

double ratio(const HeatAxis& axis, double step) {
  return axis.diffusivity * step / (axis.spacing * axis.spacing);
}

/// In numbers of the end's own cell: half a cell conducts twice as well as a whole one.
kernel::HeatEnd<double> end_of(const HeatAxis& axis, const HeatSide& side) {
  const double scale = ratio(axis, 1);
  if (axis.ends == Ends::fixed) return {scale, 0, 0, 0};
  if (axis.ends != Ends::sides) return {0, 0, 0, 0};
  switch (side.kind) {
    case HeatSide::Kind::dirichlet:
      return {2 * scale, 0, side.value, 0};
    case HeatSide::Kind::robin:
      return {2 * scale, 2 * axis.diffusivity / (axis.spacing * side.coefficient), side.value, 0};
    default:
      return {0, 0, 0, side.value / axis.spacing};
  }
}

template <class T>
kernel::HeatEnd<T> rounded(const kernel::HeatEnd<double>& end) {
  return {T(end.near), T(end.resist), T(end.beyond), T(end.supply)};
}

}  // namespace

namespace detail {

void check_heat_axes(const char* who, const std::vector<HeatAxis>& axes, double step) {
  require(!axes.empty() && axes.size() <= 3,
          [&] { return fmt::format("{}: {} axes; a grid has one to three", who, axes.size()); });
  for (const HeatAxis& axis : axes) {
    require(axis.nodes >= 1 && axis.spacing > 0 && axis.diffusivity >= 0, [&] {
      return fmt::format(
          "{}: an axis of {} nodes, spacing {}, diffusivity {}; nodes and spacing must be positive", who,
          axis.nodes, axis.spacing, axis.diffusivity);
    });
    for (const HeatSide& side : {axis.low, axis.high}) {
      require(axis.ends != Ends::sides || side.kind != HeatSide::Kind::robin || side.coefficient > 0, [&] {
        return fmt::format("{}: a Robin side has the coefficient {}; it must be positive", who,
                           side.coefficient);
      });
    }
  }
  require(step > 0, [&] { return fmt::format("{}: the step is {}; it must be positive", who, step); });
}

std::int64_t nodes_of(const std::vector<HeatAxis>& axes) {
  std::int64_t nodes = 1;
  for (const HeatAxis& axis : axes) nodes *= axis.nodes;
  return nodes;
}

Lines lines_along(const std::vector<HeatAxis>& axes, std::size_t axis) {
  std::int64_t extents[3] = {1, 1, 1};
  for (std::size_t k = 0; k < axes.size(); ++k) extents[k] = axes[k].nodes;
  return Lines::along(static_cast<int>(axis), {extents[0], extents[1], extents[2]});
}

template <class T>
kernel::HeatCells<T> cells_of(const std::vector<HeatAxis>& axes) {
  kernel::HeatCells<T> cells;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const HeatAxis& axis = axes[k];
    cells.axis[k].cells = axis.nodes;
    cells.axis[k].stride = lines_along(axes, k).row_stride;
    cells.axis[k].periodic = axis.ends == Ends::periodic;
    cells.axis[k].used = true;
    cells.axis[k].scale = T(ratio(axis, 1));
    cells.axis[k].low = rounded<T>(end_of(axis, axis.low));
    cells.axis[k].high = rounded<T>(end_of(axis, axis.high));
  }
  return cells;
}

template <class T>
Tridiagonal<T> implicit_rows(const HeatAxis& axis, double step, double reaction) {
  const double r = ratio(axis, step);
  const double middle = 1 + step * reaction + 2 * r;
  const double low = step * end_of(axis, axis.low).exchange(1) - r;
  const double high = step * end_of(axis, axis.high).exchange(1) - r;
  ConstantRows<T> rows;
  rows.lower = rows.upper = rows.first_upper = rows.last_lower = T(-r);
  rows.diagonal = T(middle);
  // A single row is an end on both sides; its diagonal is the first one's.
  rows.first_diagonal =
      T(axis.nodes == 1 && axis.ends != Ends::periodic ? middle + low + high : middle + low);
  rows.last_diagonal = T(middle + high);
  return Tridiagonal<T>::constant(rows);
}

bool supplies(const HeatAxis& axis) {
  const auto any = [](const HeatSide& side) { return side.value != 0; };
  return axis.ends == Ends::sides && (any(axis.low) || any(axis.high));
}

template kernel::HeatCells<float> cells_of<float>(const std::vector<HeatAxis>&);
template kernel::HeatCells<double> cells_of<double>(const std::vector<HeatAxis>&);
template Tridiagonal<float> implicit_rows<float>(const HeatAxis&, double, double);
template Tridiagonal<double> implicit_rows<double>(const HeatAxis&, double, double);

}  // namespace detail

LodHeat::LodHeat(std::vector<HeatAxis> axes, double step) : axes_(std::move(axes)), step_(step) {
  detail::check_heat_axes("LodHeat", axes_, step_);
}

std::int64_t LodHeat::nodes() const {
  return detail::nodes_of(axes_);
}

template <class T>
void LodHeat::advance(const exec::Stream& stream, exec::ViewOf<T> u, exec::ViewOf<const T> f) const {
  check_nodes("LodHeat", "u", u.size, nodes());
  if (!f.empty()) check_nodes("LodHeat", "f", f.size, nodes());
  const kernel::HeatCells<T> cells = detail::cells_of<T>(axes_);
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const Lines lines = detail::lines_along(axes_, k);
    if (!f.empty()) exec::axpy<T>(stream, T(step_ / static_cast<double>(axes_.size())), f, u);
    if (detail::supplies(axes_[k])) {
      exec::parallel_for(stream, lines.count(),
                         kernel::HeatSupply<T>{cells, lines, static_cast<int>(k), T(step_), u.data});
    }
    SweepOptions options;
    options.periodic = axes_[k].ends == Ends::periodic;
    sweep<T>(stream, lines, detail::implicit_rows<T>(axes_[k], step_), u, u, options);
  }
}

ExplicitHeat::ExplicitHeat(std::vector<HeatAxis> axes, double step) : axes_(std::move(axes)), step_(step) {
  detail::check_heat_axes("ExplicitHeat", axes_, step_);
}

double ExplicitHeat::longest_step(const std::vector<HeatAxis>& axes) {
  double sum = 0;
  for (const HeatAxis& axis : axes) sum += ratio(axis, 1);
  return 1 / (2 * sum);
}

std::int64_t ExplicitHeat::nodes() const {
  return detail::nodes_of(axes_);
}

template <class T>
void ExplicitHeat::advance(const exec::Stream& stream, exec::ViewOf<const T> u, exec::ViewOf<T> next) const {
  check_nodes("ExplicitHeat", "u", u.size, nodes());
  check_nodes("ExplicitHeat", "next", next.size, nodes());
  require(u.data != next.data, "ExplicitHeat: u and next are one array; give two");
  change_heat(stream, nodes(),
              kernel::HeatChange<T>{
                  detail::cells_of<T>(axes_), {true, true, true}, T(1), T(1), T(step_), u.data, next.data});
}

template void LodHeat::advance<float>(const exec::Stream&, exec::View<float>, exec::View<const float>) const;
template void LodHeat::advance<double>(const exec::Stream&, exec::View<double>,
                                       exec::View<const double>) const;
template void ExplicitHeat::advance<float>(const exec::Stream&, exec::View<const float>,
                                           exec::View<float>) const;
template void ExplicitHeat::advance<double>(const exec::Stream&, exec::View<const double>,
                                            exec::View<double>) const;

}  // namespace setka::grid
