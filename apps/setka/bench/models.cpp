// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/models.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>

#include <fmt/core.h>

#include "bench/model_rounds.hpp"
#include "bench/timing.hpp"
#include "setka/base/text.hpp"
#include "setka/base/time_budget.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/long_vector.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/plan/decide.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;

void add_point(ModelTable& table, const ModelPoint& point, const ModelRun& run) {
  table.points.push_back(point);
  run.so_far(table);
  run.show(table, point);
}

/// The paper's 10 to 100 and on to 7000, thinned out.
std::vector<std::int64_t> long_vector_sizes(bool gpu, bool quick) {
  if (quick) return {10, 30};
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 10; n <= 100; n += 6) sizes.push_back(n);
  for (std::int64_t n = 120; n <= (gpu ? 7000 : 1200); n += gpu ? 80 : 60) sizes.push_back(n);
  return sizes;
}

struct PyramidPoint {
  grid::PyramidOptions options;
  grid::PyramidLayout layout;
};

/// Both shapes at heights about the best one of each; those that do not fit are left out.
std::vector<PyramidPoint> pyramid_points(const ModelRun& run, const grid::StationaryHeat& heat,
                                         std::uint64_t memory, ModelTable& table) {
  std::vector<PyramidPoint> points;
  for (const grid::PyramidShape shape : {grid::PyramidShape::skewed, grid::PyramidShape::overlapping}) {
    int chosen = 0;
    const std::string lack = unless_out_of_memory(
        [&] { chosen = plan::best_pyramid(run.profile, heat, 8, memory, shape).height; });
    if (!lack.empty()) {
      table.left_out.push_back(fmt::format("{} pyramids: {}", name(shape), lack));
      continue;
    }
    if (shape == grid::PyramidShape::skewed) table.chosen = chosen;
    std::vector<int> heights = heights_around(chosen, static_cast<int>(heat.planes()));
    if (run.quick) heights = {1, chosen == 1 ? 2 : chosen};
    for (const int height : heights) {
      PyramidPoint point;
      point.options.shape = shape;
      point.options.height = height;
      point.options.memory = memory;
      const std::string why =
          unless_out_of_memory([&] { point.layout = grid::pyramid_layout(heat, 8, memory, point.options); });
      if (why.empty()) {
        points.push_back(point);
      } else {
        table.left_out.push_back(fmt::format("{}, height {}: {}", name(shape), height, why));
      }
    }
  }
  return points;
}

/// Passes a run and runs that a point's time is enough for, by the prediction; none: not even one pass.
struct Passes {
  std::int64_t passes;
  int runs;
};

Passes affordable(double pass_seconds, int height, double seconds, bool quick) {
  // Few sweeps tell enough: passes are alike but for the first and the last.
  const std::int64_t enough = std::max(3, (quick ? 4 : 12) / height);
  if (quick) return {enough, 1};
  for (const int runs : {3, 1}) {
    const auto passes = static_cast<std::int64_t>(seconds / (runs * pass_seconds));
    if (passes >= 3 || (runs == 1 && passes >= 1)) return {std::min(passes, enough), runs};
  }
  return {0, 0};
}

}  // namespace

void sum_up(ModelTable& table) {
  if (table.points.empty()) return;
  std::vector<double> measured;
  std::vector<double> predicted;
  std::vector<double> of_printed;
  std::vector<double> printed;
  std::vector<double> off;
  for (const ModelPoint& point : table.points) {
    measured.push_back(point.measured);
    predicted.push_back(point.predicted);
    off.push_back(std::abs(point.measured - point.predicted) / point.measured);
    if (point.printed > 0) {
      of_printed.push_back(point.measured);
      printed.push_back(point.printed);
    }
  }
  table.error = plan::normalised_error(measured, predicted);
  table.median_error = median(off);
  if (!printed.empty()) table.printed_error = plan::normalised_error(of_printed, printed);
}

ModelTable long_vector_model(const ModelRun& run, double max_seconds, Monitor& monitor) {
  ModelTable table;
  table.name = "long vectors";
  table.x_label = "inner nodes a side";
  const std::int64_t steps = run.quick ? 5 : 100;
  table.unit = fmt::format("{} steps with both transfers", steps);
  const Device& device = run.device;
  const std::vector<std::int64_t> sizes = long_vector_sizes(device.is_cuda(), run.quick);
  const Device cpu = Device::cpu();
  // Pinned once: that takes longer than many steps do.
  Array<double> host = exec::pinned_array<double>(cpu, (sizes.back() + 2) * (sizes.back() + 2));
  exec::fill(cpu, host, 0.5);
  ModelRounds rounds(run, table, max_seconds, std::ssize(sizes), monitor);
  rounds.run([&] {
    for (const std::int64_t n : sizes) {
      grid::LongVectorHeat<double> heat(device, n, 0.2);
      Array<double> u(device, heat.size());
      const exec::Stream stream = device.stream();
      const auto part = host.view().part(0, heat.size());
      rounds.point({fmt::format("{} nodes a side", n),
                    {},
                    static_cast<double>(n),
                    0,
                    plan::long_vectors(run.profile, n, steps).seconds(),
                    plan::long_vectors_as_printed(run.profile, n, steps).seconds()},
                   [&] {
                     exec::copy_async<double>(stream, part, u.view());
                     heat.advance(u, steps);
                     exec::copy_async<double>(stream, u, part);
                     stream.synchronize();
                   });
    }
  });
  sum_up(table);
  return table;
}

std::vector<int> heights_around(int chosen, int most) {
  std::set<int> heights{1, std::min(chosen, most)};
  // Odd heights leave the two levels of u in the other order; above a few, even ones tell the same.
  const auto add = [&](double height) {
    const int whole = height < 5 ? static_cast<int>(height) : 2 * static_cast<int>(std::lround(height / 2));
    if (whole >= 1 && whole <= most) heights.insert(whole);
  };
  for (int height = 2; height < chosen / 2; height *= 2) add(height);
  for (const double part : {0.65, 0.8, 0.9, 1.1, 1.25, 1.5}) add(part * chosen);
  return {heights.begin(), heights.end()};
}

ModelTable pyramid_model(const ModelRun& run, double max_seconds, Monitor& monitor) {
  const TimeBudget all(max_seconds, 1);
  const bool gpu = run.device.is_cuda();
  const std::int64_t n = run.quick ? 24 : gpu ? 800 : 160;
  const std::uint64_t memory = run.quick ? std::uint64_t{40} * 24 * 24 * 8
                               : gpu     ? std::uint64_t{2} << 30
                                         : std::uint64_t{16} << 20;
  ModelTable table;
  table.name = "pyramids";
  table.x_label = "height";
  table.unit = fmt::format("a sweep of {}^3 nodes", n);
  const grid::StationaryHeat heat({{n, 1, 1}, {n, 1, 1}, {n, 1, 1}});
  const Device cpu = Device::cpu();
  table.skipped = lack_of_memory(cpu, 17.0 * static_cast<double>(heat.nodes()));
  if (!table.skipped.empty()) return table;
  const std::vector<PyramidPoint> points = pyramid_points(run, heat, memory, table);
  Stage stage = monitor.stage("pyramids", std::ssize(points));
  Array<double> u = exec::pinned_array<double>(cpu, heat.nodes());
  Array<double> f = exec::pinned_array<double>(cpu, heat.nodes());
  exec::fill(cpu, u, 0.5);
  exec::fill(cpu, f, 0.25);
  TimeBudget time(all.left(), std::ssize(points));
  for (const PyramidPoint& point : points) {
    const int height = point.options.height;
    const bool skewed = point.options.shape == grid::PyramidShape::skewed;
    const double pass = plan::pyramid_passes(run.profile, heat, 8, point.layout, 4).seconds() / 4;
    const Passes afford = affordable(pass, height, 0.9 * time.limit(), run.quick);
    if (afford.passes == 0) {
      table.left_out.push_back(fmt::format("{}, height {}: one pass would take {}", name(point.options.shape),
                                           height, format_seconds(pass)));
    } else {
      grid::StationaryOptions sweeps;
      sweeps.sweeps = afford.passes * height;
      stage.note(fmt::format("{}, height {}, {} sweeps", name(point.options.shape), height, sweeps.sweeps));
      const double whole = median_seconds(
          run.device,
          [&] { grid::pyramid_jacobi<double>(run.device, heat, u.host(), f.host(), sweeps, point.options); },
          afford.runs, 0);
      const auto of_a_sweep = [&](double seconds) { return seconds / static_cast<double>(sweeps.sweeps); };
      const double seconds = of_a_sweep(whole);
      if (skewed && height == table.chosen) table.chosen_seconds = seconds;
      if (skewed && (table.best == 0 || seconds < table.best_seconds)) {
        table.best = height;
        table.best_seconds = seconds;
      }
      add_point(
          table,
          {std::string(name(point.options.shape)), std::string(name(point.options.shape)),
           static_cast<double>(height), seconds,
           of_a_sweep(plan::pyramid_passes(run.profile, heat, 8, point.layout, afford.passes).seconds()),
           skewed ? 0 : plan::pyramid_as_printed(run.profile, heat, 8, point.layout).seconds() / height},
          run);
    }
    time.done();
    stage.advance();
  }
  sum_up(table);
  return table;
}

std::span<const ModelPart> model_parts() {
  static constexpr ModelPart parts[] = {{"long-vectors", long_vector_model, 40},
                                        {"pyramids", pyramid_model, 100},
                                        {"sweeps", sweep_model, 40},
                                        {"steps", step_model, 30}};
  return parts;
}

}  // namespace setka::bench
