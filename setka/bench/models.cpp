// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/bench/models.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <fmt/core.h>

#include "setka/base/system.hpp"
#include "setka/bench/timing.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/long_vector.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/plan/decide.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;

void add_point(ModelTable& table, const ModelPoint& point, const ShowPoint& show) {
  table.points.push_back(point);
  show(table, point);
}

void sum_up(ModelTable& table) {
  if (table.points.empty()) return;
  std::vector<double> measured;
  std::vector<double> predicted;
  std::vector<double> of_printed;
  std::vector<double> printed;
  for (const ModelPoint& point : table.points) {
    measured.push_back(point.measured);
    predicted.push_back(point.predicted);
    if (point.printed > 0) {
      of_printed.push_back(point.measured);
      printed.push_back(point.printed);
    }
  }
  table.error = plan::normalised_error(measured, predicted);
  if (!printed.empty()) table.printed_error = plan::normalised_error(of_printed, printed);
}

/// The paper's 10 to 100 and on to 7000, thinned out.
std::vector<std::int64_t> long_vector_sizes(bool gpu, bool quick) {
  if (quick) return {10, 30};
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 10; n <= 100; n += 6) sizes.push_back(n);
  for (std::int64_t n = 120; n <= (gpu ? 7000 : 1200); n += gpu ? 80 : 60) sizes.push_back(n);
  return sizes;
}

}  // namespace

ModelTable long_vector_model(const Device& device, const plan::DeviceProfile& profile, bool quick,
                             const ShowPoint& show, Monitor& monitor) {
  ModelTable table;
  table.name = "long vectors";
  table.x_label = "inner nodes a side";
  table.unit = "100 steps with both transfers";
  const std::int64_t steps = quick ? 5 : 100;
  const std::vector<std::int64_t> sizes = long_vector_sizes(device.is_cuda(), quick);
  Stage stage = monitor.stage("long vectors", static_cast<std::int64_t>(sizes.size()));
  const Device cpu = Device::cpu();
  for (const std::int64_t n : sizes) {
    grid::LongVectorHeat<double> heat(device, n, 0.2);
    Array<double> host = exec::pinned_array<double>(cpu, heat.size());
    Array<double> v(device, heat.size());
    exec::fill(cpu, host, 0.5);
    const exec::Stream stream = device.stream();
    const double measured = median_seconds(
        device,
        [&] {
          exec::copy_async<double>(stream, host, v.view());
          heat.advance(v, steps);
          exec::copy_async<double>(stream, v, host.view());
          stream.synchronize();
        },
        quick ? 1 : 5, 1);
    add_point(table,
              {{},
               static_cast<double>(n),
               measured,
               plan::long_vectors(profile, n, steps).seconds(),
               plan::long_vectors_as_printed(profile, n, steps).seconds()},
              show);
    stage.advance();
  }
  sum_up(table);
  return table;
}

ModelTable pyramid_model(const Device& device, const plan::DeviceProfile& profile, bool quick,
                         const ShowPoint& show, Monitor& monitor) {
  const bool gpu = device.is_cuda();
  const std::int64_t n = quick ? 24 : gpu ? 800 : 160;
  const std::uint64_t memory = quick ? std::uint64_t{40} * 24 * 24 * 8
                               : gpu ? std::uint64_t{2} << 30
                                     : std::uint64_t{16} << 20;
  ModelTable table;
  table.name = "pyramids";
  table.x_label = "height";
  table.unit = fmt::format("a sweep of {}^3 nodes", n);
  const grid::StationaryHeat heat({{n, 1, 1}, {n, 1, 1}, {n, 1, 1}});
  const Device cpu = Device::cpu();
  table.skipped = lack_of_memory(cpu, 17.0 * static_cast<double>(heat.nodes()));
  if (!table.skipped.empty()) return table;
  Array<double> u = exec::pinned_array<double>(cpu, heat.nodes());
  Array<double> f = exec::pinned_array<double>(cpu, heat.nodes());
  exec::fill(cpu, u, 0.5);
  exec::fill(cpu, f, 0.25);
  const auto best_of = [&](grid::PyramidShape shape) {
    return plan::best_pyramid(profile, heat, 8, memory, shape).height;
  };
  table.chosen = best_of(grid::PyramidShape::skewed);
  std::vector<int> heights = quick ? std::vector<int>{1, 2}
                             : gpu ? std::vector<int>{1, 2, 4, 6, 10, 16, 24, 32, 40, 50, 60, 70, 80, 96, 110}
                                   : std::vector<int>{1, 2, 3, 4, 6, 8, 10, 12, 16};
  if (std::find(heights.begin(), heights.end(), table.chosen) == heights.end())
    heights.push_back(table.chosen);
  std::sort(heights.begin(), heights.end());
  Stage stage = monitor.stage("pyramids", static_cast<std::int64_t>(heights.size()));
  for (const grid::PyramidShape shape : {grid::PyramidShape::skewed, grid::PyramidShape::overlapping}) {
    for (const int height : heights) {
      grid::PyramidOptions options;
      options.shape = shape;
      options.height = height;
      options.memory = memory;
      const bool skewed = shape == grid::PyramidShape::skewed;
      grid::PyramidLayout layout;
      if (!unless_out_of_memory([&] { layout = grid::pyramid_layout(heat, 8, memory, options); }).empty())
        continue;
      grid::StationaryOptions sweeps;
      const std::int64_t passes = std::max(3, (quick ? 4 : 60) / height);
      sweeps.sweeps = passes * height;
      const double all = median_seconds(
          device, [&] { grid::pyramid_jacobi<double>(device, heat, u.host(), f.host(), sweeps, options); },
          quick ? 1 : 3, 1);
      const auto of_a_sweep = [&](double seconds) { return seconds / static_cast<double>(sweeps.sweeps); };
      const double seconds = of_a_sweep(all);
      if (skewed && height == table.chosen) table.chosen_seconds = seconds;
      if (skewed && (table.best == 0 || seconds < table.best_seconds)) {
        table.best = height;
        table.best_seconds = seconds;
      }
      add_point(table,
                {std::string(name(shape)), static_cast<double>(height), seconds,
                 of_a_sweep(plan::pyramid_passes(profile, heat, 8, layout, passes).seconds()),
                 skewed ? 0 : plan::pyramid_as_printed(profile, heat, 8, layout).seconds() / height},
                show);
      if (skewed) stage.advance();
    }
  }
  sum_up(table);
  return table;
}

ModelTable sweep_model(const Device& device, const plan::DeviceProfile& profile, bool quick,
                       const ShowPoint& show, Monitor& monitor) {
  const bool gpu = device.is_cuda();
  ModelTable table;
  table.name = "sweeps";
  table.x_label = "lines";
  table.unit = "one sweep, periodic";
  using Size = std::pair<std::int64_t, std::int64_t>;
  const std::vector<Size> sizes =
      quick ? std::vector<Size>{{80, 100}}
      : gpu ? std::vector<Size>{{512, 512},   {1000, 1000}, {1536, 1536}, {2048, 2048}, {3000, 3000},
                                {4096, 4096}, {6000, 3000}, {3000, 6000}, {1000, 8000}, {8000, 1000}}
            : std::vector<Size>{{100, 300}, {300, 100}, {500, 500}, {700, 1000}, {1000, 700}, {1200, 1200}};
  Stage stage = monitor.stage("sweeps", static_cast<std::int64_t>(sizes.size()));
  for (const auto& [line_count, row_count] : sizes) {
    const std::int64_t lines = line_count;
    const std::int64_t rows = row_count;
    std::vector<Array<double>> v;
    for (const double value : {-1.0, 4.0, -1.0, 1.0, 0.0}) {
      v.emplace_back(device, lines * rows);
      exec::fill(device, v.back(), value);
    }
    for (const bool constant : {false, true}) {
      for (const bool along : {true, false}) {
        const auto matrix = constant ? grid::Tridiagonal<double>::constant(-1.0, 4.0, -1.0)
                                     : grid::Tridiagonal<double>::each(v[0], v[1], v[2]);
        const grid::Lines shape =
            along ? grid::Lines::along(1, {lines, rows}) : grid::Lines::along(0, {rows, lines});
        grid::SweepOptions options;
        options.periodic = true;
        const double measured = median_seconds(
            device, [&] { grid::sweep<double>(device, shape, matrix, v[3], v[4], options); }, quick ? 1 : 9);
        const plan::Decision decision = plan::decide_sweep(profile, {lines, rows, along, constant}, 8);
        const plan::Choice& fused = decision.choices.front();
        const double predicted =
            fused.lacks.empty() ? fused.cost.seconds() : decision.choice().cost.seconds();
        add_point(
            table,
            {fmt::format("{} rows, {}, {}", rows, along ? "along" : "across", constant ? "constant" : "each"),
             static_cast<double>(lines), measured, predicted, 0},
            show);
      }
    }
    stage.advance();
  }
  sum_up(table);
  return table;
}

}  // namespace setka::bench
