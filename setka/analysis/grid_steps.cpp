// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/grid_steps.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/vector.hpp"
#include "setka/io/grid_checkpoint.hpp"
#include "setka/io/grid_writer.hpp"

namespace setka::analysis {
namespace {

grid::HeatSide side_of(const io::GridSide& side) {
  switch (side.kind) {
    case io::GridSide::Kind::dirichlet:
      return {grid::HeatSide::Kind::dirichlet, side.value, 0};
    case io::GridSide::Kind::robin:
      return {grid::HeatSide::Kind::robin, side.value, side.coefficient};
    default:
      return {grid::HeatSide::Kind::neumann, side.value, 0};
  }
}

grid::HeatScheme scheme_of(io::GridScheme scheme) {
  switch (scheme) {
    case io::GridScheme::peaceman_rachford:
      return grid::HeatScheme::peaceman_rachford;
    case io::GridScheme::douglas:
      return grid::HeatScheme::douglas;
    case io::GridScheme::explicit_euler:
      return grid::HeatScheme::explicit_euler;
    default:
      return grid::HeatScheme::lod;
  }
}

void refuse_unstable(const io::GridCase& grid, const exec::Device& device, const grid::HeatProblem& problem) {
  if (grid.scheme != io::GridScheme::explicit_euler) return;
  const double longest = longest_explicit_step(device, problem);
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
std::vector<std::int64_t> cells_of_probes(const io::GridCase& grid) {
  std::vector<std::int64_t> cells;
  for (const io::GridProbe& probe : grid.probes) {
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
  Run(const io::GridCase& grid, const exec::Device& device, bool go_on)
      : grid_(grid),
        device_(device),
        go_on_(go_on),
        u_(device),
        probed_(cells_of_probes(grid)),
        checkpoint_(io::GridWriter::path(grid, ".checkpoint")) {}

  GridSummary all(Monitor& monitor) {
    std::optional<grid::HeatSteps<T>> steps;
    {
      const Stage stage = monitor.stage("prepare");
      const grid::HeatProblem problem = heat_problem(grid_);
      refuse_unstable(grid_, device_, problem);
      begin();
      steps.emplace(device_, problem, scheme_of(grid_.scheme), grid_.step);
    }
    io::GridWriter writer(grid_, first_);
    if (first_ == 0) after_step(0, writer, monitor);
    {
      Stage stage = monitor.stage("steps", grid_.steps - first_, "steps");
      for (std::int64_t step = first_ + 1; step <= grid_.steps; ++step) {
        const auto began = std::chrono::steady_clock::now();
        steps->advance(u_);
        if (needs_values(step, writer) || step == grid_.steps) device_.synchronize();
        seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        after_step(step, writer, monitor);
        if (interrupted() && step < grid_.steps) stop(step);
        if (step < grid_.steps) stage.advance();  // a signal during the last step changes nothing
      }
    }
    return finish(writer, monitor);
  }

 private:
  void begin() {
    if (!go_on_) {
      const std::vector<double> initial = values_of(grid_.initial, grid_);
      u_ = exec::Array<T>(device_, std::vector<T>(initial.begin(), initial.end()));
      return;
    }
    io::GridCheckpoint<T> state = io::read_checkpoint<T>(checkpoint_, grid_);
    if (state.step >= grid_.steps) {
      throw Error(Fault::input,
                  fmt::format("{} has {} steps, and the case asks for {}: nothing is left to do",
                              checkpoint_.string(), state.step, grid_.steps),
                  "raise time.steps or time.end to go on");
    }
    first_ = state.step;
    rows_ = std::move(state.probes);
    u_ = exec::Array<T>(device_, state.values);
  }

  bool probes_due(std::int64_t step) const {
    return !probed_.empty() && (step % grid_.output.probes_every == 0 || step == grid_.steps);
  }
  bool checkpoint_due(std::int64_t step) const {
    return grid_.checkpoint_every > 0 && step > 0 &&
           (step % grid_.checkpoint_every == 0 || step == grid_.steps);
  }
  bool needs_values(std::int64_t step, const io::GridWriter& writer) const {
    return writer.is_due(step) || probes_due(step) || checkpoint_due(step);
  }
  double time(std::int64_t step) const { return static_cast<double>(step) * grid_.step; }

  void after_step(std::int64_t step, io::GridWriter& writer, Monitor& monitor) {
    if (probes_due(step)) {
      rows_.push_back(time(step));
      for (const std::int64_t cell : probed_)
        rows_.push_back(static_cast<double>(exec::value_at(device_, u_.view().part(cell, 1))));
    }
    if (!writer.is_due(step) && !checkpoint_due(step)) return;
    const Stage stage = monitor.stage("write");
    const std::vector<T> values = u_.to_vector();
    if (writer.is_due(step)) writer.write(step, time(step), std::span<const T>(values));
    if (checkpoint_due(step)) io::write_checkpoint<T>(checkpoint_, grid_, {step, values, rows_});
  }

  [[noreturn]] void stop(std::int64_t step) {
    io::write_checkpoint<T>(checkpoint_, grid_, {step, u_.to_vector(), rows_});
    throw Error(Fault::interrupted,
                fmt::format("interrupted after step {} of {}; {} is written", step, grid_.steps,
                            checkpoint_.string()),
                "go on with --continue");
  }

  GridSummary finish(io::GridWriter& writer, Monitor& monitor) {
    const Stage stage = monitor.stage("write");
    writer.write_probes(rows_);
    writer.finish();
    GridSummary summary;
    summary.files = writer.files();
    if (grid_.checkpoint_every > 0) {
      summary.files.push_back(checkpoint_);
    } else if (go_on_) {
      std::error_code ignored;  // it is only in the way now
      std::filesystem::remove(checkpoint_, ignored);
    }
    summary.first_step = first_;
    summary.steps = grid_.steps;
    summary.time = time(grid_.steps);
    summary.step_seconds = seconds_ / static_cast<double>(grid_.steps - first_);
    const std::vector<T> values = u_.to_vector();
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    summary.least = static_cast<double>(*least);
    summary.largest = static_cast<double>(*largest);
    double sum = 0;
    for (const T value : values) sum += static_cast<double>(value);
    summary.total = sum;
    for (int axis = 0; axis < grid_.axes; ++axis) summary.total *= grid_.spacing(axis);
    if (!std::isfinite(sum)) {
      throw Error(Fault::input, "the values are not finite any more",
                  grid_.single_precision ? R"(take precision = "double", or look at the case)"
                                         : "look at the numbers of the case",
                  {grid_.file.string(), 0});
    }
    return summary;
  }

  const io::GridCase& grid_;
  exec::Device device_;
  bool go_on_;
  exec::Array<T> u_;
  std::vector<std::int64_t> probed_;
  std::filesystem::path checkpoint_;
  std::vector<double> rows_;  // of probes: time and values
  std::int64_t first_ = 0;
  double seconds_ = 0;
};

}  // namespace

grid::HeatProblem heat_problem(const io::GridCase& grid) {
  grid::HeatProblem problem;
  const bool uniform = grid.diffusivity.is_uniform();
  for (int axis = grid.axes - 1; axis >= 0; --axis) {
    const auto& [low, high] = grid.sides[static_cast<std::size_t>(axis)];
    grid::HeatAxis found;
    found.nodes = grid.cells[static_cast<std::size_t>(axis)];
    found.spacing = grid.spacing(axis);
    found.diffusivity = uniform ? grid.diffusivity.value : 1.0;
    found.ends = low.kind == io::GridSide::Kind::periodic ? grid::Ends::periodic : grid::Ends::sides;
    found.low = side_of(low);
    found.high = side_of(high);
    problem.axes.push_back(found);
  }
  if (!uniform) problem.diffusivity = values_of(grid.diffusivity, grid);
  if (grid.reaction.is_uniform()) {
    problem.uniform_reaction = grid.reaction.value;
  } else {
    problem.reaction = values_of(grid.reaction, grid);
  }
  if (!grid.source.is_uniform() || grid.source.value != 0) problem.source = values_of(grid.source, grid);
  return problem;
}

GridSummary run_grid_steps(const io::GridCase& grid, const exec::Device& device, bool go_on,
                           Monitor& monitor) {
  require(!is_stationary(grid.scheme), "run_grid_steps: the case has no time");
  return grid.single_precision ? Run<float>(grid, device, go_on).all(monitor)
                               : Run<double>(grid, device, go_on).all(monitor);
}

}  // namespace setka::analysis
