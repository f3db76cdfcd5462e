// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/calibrate_heat.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>

#include "setka/base/config.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat.hpp"
#include "setka/grid/heat_ways.hpp"
#include "setka/grid/sweep.hpp"
#include "setka/grid/sweep_ways.hpp"

namespace setka::plan {
namespace {

using exec::Array;
using exec::Device;

std::int64_t cells_of(const ChangePoint& point) {
  return point.axes == 3 ? point.side * point.side * point.side : point.side * point.side;
}

}  // namespace

std::vector<ChangePoint> change_points(std::int64_t max_cells) {
  std::vector<ChangePoint> points;
  const auto add = [&](int axes, bool fields, bool of_all_axes) {
    constexpr std::int64_t of_planes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
    constexpr std::int64_t of_cubes[] = {8, 16, 32, 64, 96, 128, 160, 256, 384};
    for (const std::int64_t side : axes == 3 ? of_cubes : of_planes) {
      const ChangePoint point{axes, side, fields, of_all_axes};
      if (cells_of(point) <= max_cells) points.push_back(point);
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

namespace {

using grid::SweepMethod;

/// Lines of one number of rows: every so many times as many, while they fit.
void add_lines(std::vector<SweepPoint>& points, SweepShape shape, SweepMethod method, std::int64_t max_values,
               int times, bool aligned = false) {
  // Strides of most sizes are not aligned: a few lines more than a power of two.
  for (std::int64_t lines = 64; lines * shape.rows <= max_values; lines *= times) {
    shape.lines = lines + (aligned ? 0 : 8);
    if (shape.is_aligned(8) == aligned) points.push_back({shape, method});
  }
}

/// Numbers of rows between which the time of a GPU goes smoothly: close to the first and the last of each way
/// in which it shares lines out, and some between where these are far apart. None fills the last thread of a
/// line, and few lines do.
std::vector<std::int64_t> rows_at_steps(bool along, bool constant) {
  constexpr std::int64_t least = 32;
  constexpr double alike = 1.25;
  constexpr double apart = 1.6;
  std::vector<std::int64_t> found;
  const auto add = [&](std::int64_t first, std::int64_t last) {
    const double ratio = static_cast<double>(last) / static_cast<double>(first);
    const int parts = ratio < alike ? 0 : static_cast<int>(std::ceil(std::log(ratio) / std::log(apart)));
    for (int k = 0; k < parts; ++k)
      found.push_back(std::llround(static_cast<double>(first) * std::pow(ratio, double(k) / parts)) / 4 * 4);
    found.push_back(last);
  };
  std::int64_t first = least;
  auto way = grid::cuda::fused_geometry(first, along, constant);
  for (std::int64_t rows = first + 1; way.teams > 0; ++rows) {
    const auto next = grid::cuda::fused_geometry(rows, along, constant);
    if (next.teams > 0 && next.is_like(way)) continue;
    add(first + 3, rows - 5);
    first = rows;
    way = next;
  }
  return found;
}

/// Numbers of teams between which it does so: a step begins where multiprocessors get one block more, or the
/// device one wave of teams more, and again where its cache ends.
std::vector<std::int64_t> teams_at_steps(const Device& device, const SweepShape& shape, std::int64_t most) {
  const auto way = grid::cuda::fused_geometry(shape.rows, shape.along, shape.constant);
  grid::cuda::Room room;
  if constexpr (with_cuda) room = grid::cuda::fused_room(device.stream(), way, shape.along, shape.constant);
  if (room.empty()) return {};
  std::set<std::int64_t> found;
  const auto add = [&](double teams) {
    const auto whole = static_cast<std::int64_t>(teams);
    if (whole > 0 && whole <= most) found.insert(whole);
  };
  const auto add_step = [&](std::int64_t teams) {
    add(static_cast<double>(teams));
    add(static_cast<double>(teams + 1));
  };
  const auto full = static_cast<double>(room.back());
  add(2);
  for (const double part : {0.06, 0.25, 0.5}) add(part * static_cast<double>(room.front()));
  for (std::size_t blocks = 1; blocks < room.size(); blocks *= 2) {
    // The more blocks a multiprocessor has, the less one more does.
    constexpr std::size_t few = 2;
    blocks <= few ? add_step(room[blocks - 1]) : add(static_cast<double>(room[blocks - 1]));
  }
  add_step(room.back());
  add_step(2 * room.back());
  for (double teams = 3 * full; teams <= static_cast<double>(most); teams *= 1.6) add(teams);
  // In place: u, and three coefficients of each row.
  const double team_bytes = 8.0 * static_cast<double>(way.width * shape.rows) * (shape.constant ? 1 : 4);
  for (const double part : {0.4, 0.5, 0.6, 0.7, 0.85, 1.1})
    add(part * static_cast<double>(device.info().cache) / team_bytes);
  return {found.begin(), found.end()};
}

void add_steps_of_a_gpu(std::vector<SweepPoint>& points, const Device& device, SweepShape shape,
                        std::int64_t max_values) {
  shape.stride = 1;  // aligned or not, they have one name
  for (const std::int64_t rows : rows_at_steps(shape.along, shape.constant)) {
    shape.rows = rows;
    const std::int64_t width = grid::cuda::fused_geometry(rows, shape.along, shape.constant).width;
    // Across memory the last group of lines is seldom whole, and rows begin at multiples of 64 bytes, seldom
    // of more.
    constexpr std::int64_t numbers_in_64_bytes = 8;
    const std::int64_t missing = width > numbers_in_64_bytes ? numbers_in_64_bytes : 0;
    for (const std::int64_t teams : teams_at_steps(device, shape, max_values / (rows * width))) {
      shape.lines = teams * width - missing;
      points.push_back({shape, SweepMethod::fused});
    }
  }
}

}  // namespace

std::vector<SweepPoint> sweep_points(const Device& device, std::int64_t max_values) {
  std::vector<SweepPoint> points;
  const auto add = [&](SweepShape shape, SweepMethod method, std::int64_t rows, int times,
                       bool aligned = false) {
    shape.rows = rows;
    add_lines(points, shape, method, max_values, times, aligned);
  };
  for (const bool constant : {false, true}) {
    for (const bool along : {true, false}) {
      const SweepShape shape{lines_any, 0, along, constant};
      SweepShape open = shape;
      open.periodic = false;
      for (const std::int64_t rows : {60, 1000, 16000}) add(shape, SweepMethod::split, rows, 4);
      if (device.is_cuda()) {  // neither open ends nor strides make a difference there
        add_steps_of_a_gpu(points, device, shape, max_values);
        continue;
      }
      for (const std::int64_t rows : sweep_rows) add(shape, SweepMethod::fused, rows, 2);
      for (const std::int64_t rows : {60, 250, 1000, 4000, 16000}) add(open, SweepMethod::fused, rows, 4);
      for (const std::int64_t rows : aligned_sweep_rows) add(shape, SweepMethod::fused, rows, 4, true);
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
