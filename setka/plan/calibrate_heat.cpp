// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/calibrate_heat.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat.hpp"
#include "setka/grid/heat_ways.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::plan {
namespace {

using exec::Array;
using exec::Device;

std::int64_t cells_of(const ChangePoint& point) {
  return point.axes == 3 ? point.side * point.side * point.side : point.side * point.side;
}

}  // namespace

std::vector<ChangePoint> change_points(std::int64_t most_cells) {
  std::vector<ChangePoint> points;
  const auto add = [&](int axes, bool fields, bool of_all_axes) {
    constexpr std::int64_t of_planes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
    constexpr std::int64_t of_cubes[] = {8, 16, 32, 64, 96, 128, 160, 256, 384};
    for (const std::int64_t side : axes == 3 ? of_cubes : of_planes) {
      const ChangePoint point{axes, side, fields, of_all_axes};
      if (cells_of(point) <= most_cells) points.push_back(point);
    }
  };
  for (const int axes : {2, 3}) {
    add(axes, false, true);
    add(axes, true, true);
  }
  add(2, false, false);
  return points;
}

void measure_changes(Meter& meter, const std::vector<ChangePoint>& points, DeviceProfile& profile) {
  const Device& device = meter.device();
  std::int64_t most = 0;
  for (const ChangePoint& point : points) most = std::max(most, cells_of(point));
  std::array<Array<double>, 2> u{Array<double>(device, most), Array<double>(device, most)};
  Array<double> diffusivity(device, most);
  for (Array<double>* one : {&u[0], &u[1], &diffusivity}) exec::fill(device, *one, 1.0);
  for (const ChangePoint& point : points) {
    const std::vector<grid::HeatAxis> axes(static_cast<std::size_t>(point.axes),
                                           {point.side, 1.0, 1.0, grid::Ends::periodic});
    auto cells = grid::detail::cells_of<double>(axes);
    HeatFields fields;
    fields.diffusivity = point.fields;
    if (point.fields) cells.diffusivity = diffusivity.data();
    Curve& curve = profile.curves[change_curve(axes.size(), fields, point.of_all_axes)];
    meter.point(curve, static_cast<double>(cells_of(point)), [&](std::int64_t i) {
      const auto from = static_cast<std::size_t>(i % 2);
      const bool all = point.of_all_axes;
      grid::change_heat(device.stream(), cells_of(point),
                        grid::kernel::HeatChange<double>{cells,
                                                         {all || from == 0, all || from == 1, all},
                                                         1.0,
                                                         1.0,
                                                         0.1,
                                                         u[from].data(),
                                                         u[1 - from].data()});
    });
  }
}

std::vector<SweepPoint> sweep_points(std::int64_t most_values) {
  using grid::SweepMethod;
  std::vector<SweepPoint> points;
  // Strides of most sizes are not aligned: a few lines more than a power of two.
  const auto add = [&](SweepShape shape, SweepMethod method, std::int64_t rows, int more_lines,
                       bool aligned = false) {
    shape.rows = rows;
    for (std::int64_t lines = 64; lines * rows <= most_values; lines *= more_lines) {
      shape.lines = lines + (aligned ? 0 : 8);
      if (shape.is_aligned(8) == aligned) points.push_back({shape, method});
    }
  };
  for (const bool constant : {false, true}) {
    for (const bool along : {true, false}) {
      const SweepShape shape{lines_any, 0, along, constant};
      SweepShape open = shape;
      open.periodic = false;
      for (const std::int64_t rows : sweep_rows) add(shape, SweepMethod::fused, rows, 2);
      for (const std::int64_t rows : {60, 250, 1000, 4000, 16000}) {
        add(shape, SweepMethod::split, rows, 4);
        add(open, SweepMethod::fused, rows, 4);
      }
      for (const std::int64_t rows : aligned_sweep_rows) add(shape, SweepMethod::fused, rows, 2, true);
    }
  }
  return points;
}

void measure_sweeps(Meter& meter, const std::vector<SweepPoint>& points, DeviceProfile& profile) {
  const Device& device = meter.device();
  std::int64_t most = 0;
  for (const SweepPoint& point : points) most = std::max(most, point.shape.lines * point.shape.rows);
  // Rows add up to 1, so that u stays as it is, sweep after sweep; in place, as steps of heat are.
  constexpr double side = -1;
  constexpr double middle = 3;
  std::array<Array<double>, 4> v{Array<double>(device, most), Array<double>(device, most),
                                 Array<double>(device, most), Array<double>(device, most)};
  exec::fill(device, v[0], side);
  exec::fill(device, v[1], middle);
  exec::fill(device, v[2], side);
  for (const SweepPoint& point : points) {
    const SweepShape& shape = point.shape;
    const std::int64_t size = shape.lines * shape.rows;
    const auto part = [&](std::size_t k) { return v[k].view().part(0, size); };
    const auto matrix = shape.constant ? grid::Tridiagonal<double>::constant(side, middle, side)
                                       : grid::Tridiagonal<double>::each(part(0), part(1), part(2));
    const grid::Lines lines = shape.along ? grid::Lines::along(1, {shape.lines, shape.rows})
                                          : grid::Lines::along(0, {shape.rows, shape.lines});
    grid::SweepOptions options;
    options.periodic = shape.periodic;
    options.method = point.method;
    exec::fill(device, part(3), 1.0);
    meter.point(profile.curves[sweep_curve(shape, point.method)], static_cast<double>(shape.lines),
                [&](std::int64_t) { grid::sweep<double>(device, lines, matrix, part(3), part(3), options); });
  }
}

}  // namespace setka::plan
