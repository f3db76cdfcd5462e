// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/heat.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::grid {
namespace {

void check_axes(const char* who, const std::vector<HeatAxis>& axes, double step) {
  require(!axes.empty() && axes.size() <= 3,
          [&] { return fmt::format("{}: {} axes; a grid has one to three", who, axes.size()); });
  for (const HeatAxis& axis : axes) {
    require(axis.nodes >= 1 && axis.spacing > 0 && axis.diffusivity >= 0, [&] {
      return fmt::format(
          "{}: an axis of {} nodes, spacing {}, diffusivity {}; nodes and spacing must be positive", who,
          axis.nodes, axis.spacing, axis.diffusivity);
    });
  }
  require(step > 0, [&] { return fmt::format("{}: the step is {}; it must be positive", who, step); });
}

std::int64_t product(const std::vector<HeatAxis>& axes) {
  std::int64_t nodes = 1;
  for (const HeatAxis& axis : axes) nodes *= axis.nodes;
  return nodes;
}

void check_nodes(const char* who, const char* what, std::int64_t size, std::int64_t nodes) {
  require(size == nodes, [&] {
    return fmt::format("{}: {} has {} values but the grid has {} nodes", who, what, size, nodes);
  });
}

double ratio(const HeatAxis& axis, double step) {
  return axis.diffusivity * step / (axis.spacing * axis.spacing);
}

/// (1 - step diffusivity Lambda) of an axis.
template <class T>
Tridiagonal<T> implicit_rows(const HeatAxis& axis, double step) {
  const double r = ratio(axis, step);
  const double end = axis.ends == Ends::insulated ? 1 + r : 1 + 2 * r;
  ConstantRows<T> rows;
  rows.lower = rows.upper = rows.first_upper = rows.last_lower = T(-r);
  rows.diagonal = T(1 + 2 * r);
  // A single insulated node is an end on both sides: nothing flows.
  rows.first_diagonal = T(axis.ends == Ends::insulated && axis.nodes == 1 ? 1.0 : end);
  rows.last_diagonal = T(end);
  return Tridiagonal<T>::constant(rows);
}

}  // namespace

LodHeat::LodHeat(std::vector<HeatAxis> axes, double step) : axes_(std::move(axes)), step_(step) {
  check_axes("LodHeat", axes_, step_);
}

std::int64_t LodHeat::nodes() const {
  return product(axes_);
}

template <class T>
void LodHeat::advance(const exec::Stream& stream, exec::ViewOf<T> u, exec::ViewOf<const T> f) const {
  check_nodes("LodHeat", "u", u.size, nodes());
  if (!f.empty()) check_nodes("LodHeat", "f", f.size, nodes());
  Lines lines;
  lines.outer = 1;
  lines.inner = nodes();
  lines.inner_stride = 1;
  for (const HeatAxis& axis : axes_) {
    lines.inner /= axis.nodes;
    lines.rows = axis.nodes;
    lines.row_stride = lines.inner;
    lines.outer_stride = lines.inner * axis.nodes;
    if (!f.empty()) exec::axpy<T>(stream, T(step_ / static_cast<double>(axes_.size())), f, u);
    SweepOptions options;
    options.periodic = axis.ends == Ends::periodic;
    sweep<T>(stream, lines, implicit_rows<T>(axis, step_), u, u, options);
    lines.outer *= axis.nodes;
  }
}

ExplicitHeat::ExplicitHeat(std::vector<HeatAxis> axes, double step) : axes_(std::move(axes)), step_(step) {
  check_axes("ExplicitHeat", axes_, step_);
}

double ExplicitHeat::longest_step(const std::vector<HeatAxis>& axes) {
  double sum = 0;
  for (const HeatAxis& axis : axes) sum += ratio(axis, 1);
  return 1 / (2 * sum);
}

std::int64_t ExplicitHeat::nodes() const {
  return product(axes_);
}

template <class T>
void ExplicitHeat::advance(const exec::Stream& stream, exec::ViewOf<const T> u, exec::ViewOf<T> next) const {
  check_nodes("ExplicitHeat", "u", u.size, nodes());
  check_nodes("ExplicitHeat", "next", next.size, nodes());
  require(u.data != next.data, "ExplicitHeat: u and next are one array; give two");
  kernel::ExplicitHeat<T> body{};
  std::int64_t stride = nodes();
  for (int k = 0; k < 3; ++k) {
    if (k < static_cast<int>(axes_.size())) {
      const HeatAxis& axis = axes_[static_cast<std::size_t>(k)];
      stride /= axis.nodes;
      body.axis[k] = {axis.nodes, stride, T(ratio(axis, step_)), axis.ends};
    } else {
      body.axis[k] = {1, 1, T(0), Ends::insulated};
    }
  }
  body.u = u.data;
  body.next = next.data;
  exec::parallel_for(stream, nodes(), body);
}

template void LodHeat::advance<float>(const exec::Stream&, exec::View<float>, exec::View<const float>) const;
template void LodHeat::advance<double>(const exec::Stream&, exec::View<double>,
                                       exec::View<const double>) const;
template void ExplicitHeat::advance<float>(const exec::Stream&, exec::View<const float>,
                                           exec::View<float>) const;
template void ExplicitHeat::advance<double>(const exec::Stream&, exec::View<const double>,
                                            exec::View<double>) const;

}  // namespace setka::grid
