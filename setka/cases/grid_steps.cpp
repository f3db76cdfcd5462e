// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_steps.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/cases/grid_run.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/vector.hpp"
#include "setka/plan/decide.hpp"

namespace setka::cases {
namespace {

grid::HeatSide side_of(const model::GridSide& side) {
  switch (side.kind) {
    case model::GridSide::Kind::dirichlet:
      return {grid::HeatSide::Kind::dirichlet, side.value, 0};
    case model::GridSide::Kind::robin:
      return {grid::HeatSide::Kind::robin, side.value, side.coefficient};
    default:
      return {grid::HeatSide::Kind::neumann, side.value, 0};
  }
}

void refuse_unstable(const model::GridCase& grid, const std::vector<exec::Device>& devices,
                     const grid::HeatProblem& problem) {
  if (grid.scheme != model::GridScheme::explicit_euler) return;
  const double longest = longest_explicit_step(devices, problem);
  if (grid.step <= longest * (1 + 1e-9)) return;
  // Rounded down, so that what is named is allowed.
  const double digit = std::pow(10, std::floor(std::log10(longest)) - 5);
  throw Error(Fault::input,
              fmt::format("time.step is {}, but explicit steps are stable up to {:.6g} on this grid",
                          grid.step, std::floor(longest / digit) * digit),
              R"(take a step no longer than that, or scheme = "lod" or "adi", which are stable for any)",
              grid.at(grid.step_line));
}

/// The cell of each probe.
std::vector<std::int64_t> cells_of_probes(const model::GridCase& grid) {
  std::vector<std::int64_t> cells;
  for (const model::GridProbe& probe : grid.probes) {
    std::int64_t place = 0;
    for (int axis = grid.axes - 1; axis >= 0; --axis)
      place = place * grid.points(axis) + grid.nearest_point(axis, probe.at[static_cast<std::size_t>(axis)]);
    cells.push_back(place);
  }
  return cells;
}

/// A run in progress: u, and what was noted on the way.
template <class T>
class Run {
 public:
  Run(const model::GridCase& grid, const std::vector<exec::Device>& devices, bool go_on)
      : grid_(grid),
        devices_(devices),
        model_(devices),
        run_(grid, {"step", grid.steps, "time.steps or time.end"}, go_on, summary_),
        u_(devices.front()),
        probed_(cells_of_probes(grid)) {}

  GridSummary all(Monitor& monitor) {
    const grid::HeatScheme scheme = heat_scheme(grid_.scheme).value_or(grid::HeatScheme::lod);
    std::optional<grid::HeatSteps<T>> steps;
    std::vector<grid::HeatAxis> axes;
    plan::HeatFields fields;
    {
      const Stage stage = monitor.stage("prepare");
      const grid::HeatProblem problem = heat_problem(grid_);
      refuse_unstable(grid_, devices_, problem);
      const std::vector<T> start = run_.begin([&] {
        const std::vector<double> initial = io::values_of(grid_.initial, grid_);
        return std::vector<T>(initial.begin(), initial.end());
      });
      steps.emplace(devices_, problem, scheme, grid_.step);
      u_ = steps->on_devices(start);
      axes = problem.axes;
      if (devices_.size() == 1) fields = plan::fields_of(devices_.front(), problem);
    }
    // Of a run that was killed at its end, what is written then may be missing.
    if (summary_.first == 0 || is_last()) after_step(monitor);
    step_all(*steps, monitor);
    const Stage stage = monitor.stage("write");
    const std::vector<T> values = u_.to_vector();
    if (!summary_.stopped.empty()) run_.save(values);
    run_.finish(values, grid_.checkpoint_every > 0);
    sum_up(values);
    summary_.prediction = model_.of_steps(grid_, axes, fields, scheme, summary_.own());
    return summary_;
  }

 private:
  void step_all(grid::HeatSteps<T>& steps, Monitor& monitor) {
    Stage stage = monitor.stage("steps", grid_.steps - summary_.first, "steps");
    const auto timed = [&](const auto& work) {
      const double began = stage.seconds();
      work();
      const double seconds = stage.seconds() - began;
      summary_.seconds += seconds;
      return seconds;
    };
    run_.until_stopped([&] {
      std::int64_t most = 1;
      while (!is_last()) {
        const std::int64_t count = steps_at_once(most);
        const double seconds = timed([&] {
          steps.advance(u_, count);
          summary_.done += count;
          if (needs_values(summary_.done)) devices_.front().synchronize();
        });
        if (devices_.size() > 1 && count == most && seconds < shortest_call) most *= 2;
        after_step(monitor);
        if (!is_last()) stage.advance(count);  // a signal during the last step changes nothing
      }
    });
    timed([&] { devices_.front().synchronize(); });  // steps on their way where it was stopped
  }

  /// Several devices begin with a start of threads and end with a wait: they make some steps in a call, but
  /// none beyond one whose values are needed.
  static constexpr double shortest_call = 0.1;  // seconds
  std::int64_t steps_at_once(std::int64_t most) {
    std::int64_t count = 1;
    while (count < most && !needs_values(summary_.done + count)) ++count;
    return count;
  }

  bool is_last() const { return summary_.done == grid_.steps; }
  bool frame_due(std::int64_t step) { return run_.writer().is_due(step); }
  bool probes_due(std::int64_t step) const {
    return !probed_.empty() && (step % grid_.output.probes_every == 0 || step == grid_.steps);
  }
  bool checkpoint_due(std::int64_t step) const {
    return grid_.checkpoint_every > 0 && step > 0 &&
           (step % grid_.checkpoint_every == 0 || step == grid_.steps);
  }
  bool needs_values(std::int64_t step) {
    return frame_due(step) || probes_due(step) || checkpoint_due(step) || step == grid_.steps;
  }
  double time() const { return static_cast<double>(summary_.done) * grid_.step; }

  void after_step(Monitor& monitor) {
    const std::int64_t step = summary_.done;
    if (probes_due(step)) {
      std::vector<double> noted;
      for (const std::int64_t cell : probed_)
        noted.push_back(static_cast<double>(exec::value_at(devices_.front(), u_.view().part(cell, 1))));
      run_.note(time(), noted);
    }
    if (!frame_due(step) && !checkpoint_due(step)) return;
    const Stage stage = monitor.stage("write");
    const std::vector<T> values = u_.to_vector();
    if (frame_due(step)) run_.writer().write(step, time(), std::span<const T>(values));
    if (checkpoint_due(step)) run_.save(values);
  }

  void sum_up(const std::vector<T>& values) {
    summary_.time = time();
    double sum = 0;
    for (const T value : values) sum += static_cast<double>(value);
    summary_.total = sum;
    for (int axis = 0; axis < grid_.axes; ++axis) summary_.total *= grid_.spacing(axis);
    if (summary_.stopped.empty() && !std::isfinite(sum)) {
      throw Error(Fault::input, "the values are not finite any more",
                  grid_.single_precision ? R"(take precision = "double", or look at the case)"
                                         : "look at the numbers of the case",
                  {grid_.file.string(), 0});
    }
  }

  const model::GridCase& grid_;
  std::vector<exec::Device> devices_;
  GridModel model_;
  GridSummary summary_;
  GridRun<T> run_;
  exec::Array<T> u_;
  std::vector<std::int64_t> probed_;
};

}  // namespace

std::optional<grid::HeatScheme> heat_scheme(model::GridScheme scheme) {
  switch (scheme) {
    case model::GridScheme::lod:
      return grid::HeatScheme::lod;
    case model::GridScheme::peaceman_rachford:
      return grid::HeatScheme::peaceman_rachford;
    case model::GridScheme::douglas:
      return grid::HeatScheme::douglas;
    case model::GridScheme::explicit_euler:
      return grid::HeatScheme::explicit_euler;
    default:
      return std::nullopt;
  }
}

grid::HeatProblem heat_problem(const model::GridCase& grid) {
  grid::HeatProblem problem;
  const bool uniform = grid.diffusivity.is_uniform();
  for (int axis = grid.axes - 1; axis >= 0; --axis) {
    const auto& [low, high] = grid.sides[static_cast<std::size_t>(axis)];
    grid::HeatAxis found;
    found.nodes = grid.cells[static_cast<std::size_t>(axis)];
    found.spacing = grid.spacing(axis);
    found.diffusivity = uniform ? grid.diffusivity.value : 1.0;
    found.ends = low.kind == model::GridSide::Kind::periodic ? grid::Ends::periodic : grid::Ends::sides;
    found.low = side_of(low);
    found.high = side_of(high);
    problem.axes.push_back(found);
  }
  if (!uniform) problem.diffusivity = io::values_of(grid.diffusivity, grid);
  if (grid.reaction.is_uniform()) {
    problem.uniform_reaction = grid.reaction.value;
  } else {
    problem.reaction = io::values_of(grid.reaction, grid);
  }
  if (!grid.source.is_uniform() || grid.source.value != 0) problem.source = io::values_of(grid.source, grid);
  return problem;
}

GridSummary run_grid_steps(const model::GridCase& grid, const std::vector<exec::Device>& devices, bool go_on,
                           Monitor& monitor) {
  require(!model::is_stationary(grid.scheme), "run_grid_steps: the case has no time");
  return grid.single_precision ? Run<float>(grid, devices, go_on).all(monitor)
                               : Run<double>(grid, devices, go_on).all(monitor);
}

}  // namespace setka::cases
