// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include <fmt/core.h>

#include "bench/model_rounds.hpp"
#include "bench/models.hpp"
#include "bench/timing.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat_steps.hpp"
#include "setka/grid/sweep.hpp"
#include "setka/plan/decide.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;

/// Small sizes take as long as their launches do, which are disturbed for seconds at a time.
constexpr int many_rounds = 10;

std::vector<plan::SweepShape> sweep_shapes(bool gpu, bool quick) {
  using Sizes = std::vector<std::int64_t>;
  const Sizes sizes = quick ? Sizes{90}
                      : gpu ? Sizes{100, 300, 1000, 3000, 7680}
                            : Sizes{100, 300, 800, 1200};
  std::vector<plan::SweepShape> shapes;
  for (const std::int64_t lines : sizes) {
    for (const std::int64_t rows : sizes) {
      for (const bool constant : {false, true}) {
        for (const bool along : {true, false}) shapes.push_back({lines, rows, along, constant});
      }
    }
  }
  return shapes;
}

/// What sweep() does when it is left to itself.
double predicted_sweep(const plan::DeviceProfile& profile, const plan::SweepShape& shape) {
  const bool fits = plan::fused_fits(profile, shape, 8);
  return plan::sweep_cost(profile, shape, fits ? grid::SweepMethod::fused : grid::SweepMethod::split, 8)
      .seconds();
}

struct StepPoint {
  grid::HeatScheme scheme;
  int axes;
  std::int64_t side;
  bool fields;
};

std::vector<StepPoint> step_points(bool gpu, bool quick) {
  using grid::HeatScheme;
  using Sizes = std::vector<std::int64_t>;
  const Sizes planes = quick ? Sizes{24} : gpu ? Sizes{500, 1500, 4000} : Sizes{200, 500, 1200};
  const Sizes cubes = quick ? Sizes{8} : gpu ? Sizes{64, 150, 320} : Sizes{40, 80, 128};
  std::vector<StepPoint> points;
  for (const bool fields : {false, true}) {
    for (const HeatScheme scheme :
         {HeatScheme::lod, HeatScheme::peaceman_rachford, HeatScheme::douglas, HeatScheme::explicit_euler}) {
      for (const std::int64_t side : planes) points.push_back({scheme, 2, side, fields});
      if (scheme == HeatScheme::peaceman_rachford) continue;
      for (const std::int64_t side : cubes) points.push_back({scheme, 3, side, fields});
    }
  }
  return points;
}

const char* name_of(grid::HeatScheme scheme) {
  switch (scheme) {
    case grid::HeatScheme::lod:
      return "LOD";
    case grid::HeatScheme::peaceman_rachford:
      return "Peaceman-Rachford";
    case grid::HeatScheme::douglas:
      return "Douglas";
    default:
      return "explicit";
  }
}

grid::HeatProblem problem_of(const StepPoint& point) {
  grid::HeatProblem problem;
  // One axis is closed, the others are not.
  problem.axes.assign(static_cast<std::size_t>(point.axes), {point.side, 1.0, 1.0, grid::Ends::insulated});
  problem.axes.front().ends = grid::Ends::periodic;
  if (point.fields) problem.diffusivity.assign(static_cast<std::size_t>(problem.nodes()), 1.0);
  return problem;
}

}  // namespace

ModelTable sweep_model(const ModelRun& run, double max_seconds, Monitor& monitor) {
  ModelTable table;
  table.name = "sweeps";
  table.x_label = "values";
  table.unit = "one periodic sweep in place";
  const Device& device = run.device;
  const std::vector<plan::SweepShape> shapes = sweep_shapes(device.is_cuda(), run.quick);
  const std::int64_t most = shapes.back().lines * shapes.back().rows;
  // Rows add up to 1: the solution stays what it is.
  std::vector<Array<double>> v;
  table.skipped = unless_out_of_memory([&] {
    for (const double value : {-1.0, 3.0, -1.0, 1.0}) {
      v.emplace_back(device, most);
      exec::fill(device, v.back(), value);
    }
  });
  if (!table.skipped.empty()) return table;
  ModelRounds rounds(run, table, max_seconds, std::ssize(shapes), monitor, many_rounds);
  rounds.run([&] {
    for (const plan::SweepShape& shape : shapes) {
      const auto part = [&](std::size_t k) { return v[k].view().part(0, shape.lines * shape.rows); };
      const auto matrix = shape.constant ? grid::Tridiagonal<double>::constant(-1.0, 3.0, -1.0)
                                         : grid::Tridiagonal<double>::each(part(0), part(1), part(2));
      const grid::Lines lines = shape.along ? grid::Lines::along(1, {shape.lines, shape.rows})
                                            : grid::Lines::along(0, {shape.rows, shape.lines});
      grid::SweepOptions options;
      options.periodic = true;
      const std::string group = fmt::format("{}, {}", shape.along ? "along" : "across",
                                            shape.constant ? "constant" : "of each line");
      rounds.point({fmt::format("{} lines of {} rows, {}", shape.lines, shape.rows, group), group,
                    static_cast<double>(shape.lines * shape.rows), 0, predicted_sweep(run.profile, shape), 0},
                   [&] { grid::sweep<double>(device, lines, matrix, part(3), part(3), options); });
    }
  });
  sum_up(table);
  return table;
}

ModelTable step_model(const ModelRun& run, double max_seconds, Monitor& monitor) {
  ModelTable table;
  table.name = "steps of heat";
  table.x_label = "cells";
  table.unit = "one step";
  const std::vector<StepPoint> points = step_points(run.device.is_cuda(), run.quick);
  ModelRounds rounds(run, table, max_seconds, std::ssize(points), monitor);
  rounds.run([&] {
    for (const StepPoint& point : points) {
      const grid::HeatProblem problem = problem_of(point);
      const std::string group = fmt::format("{}, {} axes, {}", name_of(point.scheme), point.axes,
                                            point.fields ? "diffusivity of cells" : "uniform");
      const std::string label = fmt::format("{} a side, {}", point.side, group);
      plan::HeatFields fields;
      fields.diffusivity = point.fields;
      const double predicted = plan::heat_step(run.profile, point.scheme, problem.axes, 8, fields).seconds();
      const std::string lack = unless_out_of_memory([&] {
        grid::HeatSteps<double> steps(run.device, problem, point.scheme, 0.25 / point.axes);
        Array<double> u(run.device, problem.nodes());
        exec::fill(run.device, u, 1.0);
        rounds.point({label, group, static_cast<double>(problem.nodes()), 0, predicted, 0},
                     [&] { steps.advance(u); });
      });
      if (!lack.empty()) rounds.leave_out(label, lack);
    }
  });
  sum_up(table);
  return table;
}

}  // namespace setka::bench
