// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/grid_steps.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "setka/base/error.hpp"
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
        model_(device),
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
      axes_ = problem.axes;
    }
    io::GridWriter writer(grid_, summary_.first);
    if (summary_.first == 0) after_step(writer, monitor);
    try {
      Stage stage = monitor.stage("steps", grid_.steps - summary_.first, "steps");
      while (summary_.done < grid_.steps) {
        timed([&] {
          steps->advance(u_);
          ++summary_.done;
          if (needs_values(writer) || summary_.done == grid_.steps) device_.synchronize();
        });
        after_step(writer, monitor);
        if (summary_.done < grid_.steps) stage.advance();  // a signal during the last step changes nothing
      }
    } catch (const Error& error) {
      if (error.fault() != Fault::interrupted) throw;
      timed([&] { device_.synchronize(); });
      stop();
    }
    finish(writer, monitor);
    return summary_;
  }

 private:
  void begin() {
    if (!go_on_) {
      const std::vector<double> initial = values_of(grid_.initial, grid_);
      u_ = exec::Array<T>(device_, std::vector<T>(initial.begin(), initial.end()));
      return;
    }
    const io::Checkpoint from = io::read_checkpoint_of(grid_, checkpoint_);
    summary_.first = summary_.done = from.get<std::int64_t>(io::grid_done_part).front();
    if (is_last() || summary_.done > grid_.steps) {
      throw Error(Fault::input,
                  fmt::format("{} has {} steps, and the case asks for {}: nothing is left to do",
                              checkpoint_.string(), summary_.done, grid_.steps),
                  "raise time.steps or time.end to go on");
    }
    rows_ = from.get<double>(io::grid_probes_part);
    u_ = exec::Array<T>(device_, from.get<T>(io::grid_values_part));
  }

  template <class Work>
  void timed(Work&& work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    summary_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

  bool is_last() const { return summary_.done == grid_.steps; }
  bool probes_due() const {
    return !probed_.empty() && (summary_.done % grid_.output.probes_every == 0 || is_last());
  }
  bool checkpoint_due() const {
    return grid_.checkpoint_every > 0 && summary_.done > 0 &&
           (summary_.done % grid_.checkpoint_every == 0 || is_last());
  }
  bool needs_values(const io::GridWriter& writer) const {
    return writer.is_due(summary_.done) || probes_due() || checkpoint_due();
  }
  double time() const { return static_cast<double>(summary_.done) * grid_.step; }

  void after_step(io::GridWriter& writer, Monitor& monitor) {
    if (probes_due()) {
      rows_.push_back(time());
      for (const std::int64_t cell : probed_)
        rows_.push_back(static_cast<double>(exec::value_at(device_, u_.view().part(cell, 1))));
    }
    if (!writer.is_due(summary_.done) && !checkpoint_due()) return;
    const Stage stage = monitor.stage("write");
    const std::vector<T> values = u_.to_vector();
    if (writer.is_due(summary_.done)) writer.write(summary_.done, time(), std::span<const T>(values));
    if (checkpoint_due()) save(values);
  }

  void save(const std::vector<T>& values) const {
    io::Checkpoint checkpoint = io::checkpoint_of(grid_);
    checkpoint.put(io::grid_done_part, std::vector<std::int64_t>{summary_.done});
    checkpoint.put(io::grid_values_part, values);
    checkpoint.put(io::grid_probes_part, rows_);
    io::write_checkpoint(checkpoint_, checkpoint);
  }

  void stop() {
    save(u_.to_vector());
    summary_.stopped = fmt::format("interrupted after step {} of {}; {} is written", summary_.done,
                                   grid_.steps, checkpoint_.string());
  }

  void finish(io::GridWriter& writer, Monitor& monitor) {
    const Stage stage = monitor.stage("write");
    const bool whole = summary_.stopped.empty();
    if (whole) {
      writer.write_probes(rows_);
      writer.finish();
    }
    summary_.files = writer.files();
    if (!whole || grid_.checkpoint_every > 0) {
      summary_.files.push_back(checkpoint_);
    } else if (go_on_) {
      std::error_code ignored;  // it is only in the way now
      std::filesystem::remove(checkpoint_, ignored);
    }
    summary_.time = time();
    summary_.prediction = model_.of_steps(grid_, axes_, summary_.own());
    const std::vector<T> values = u_.to_vector();
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    summary_.least = static_cast<double>(*least);
    summary_.largest = static_cast<double>(*largest);
    double sum = 0;
    for (const T value : values) sum += static_cast<double>(value);
    summary_.total = sum;
    for (int axis = 0; axis < grid_.axes; ++axis) summary_.total *= grid_.spacing(axis);
    if (whole && !std::isfinite(sum)) {
      throw Error(Fault::input, "the values are not finite any more",
                  grid_.single_precision ? R"(take precision = "double", or look at the case)"
                                         : "look at the numbers of the case",
                  {grid_.file.string(), 0});
    }
  }

  const io::GridCase& grid_;
  exec::Device device_;
  bool go_on_;
  exec::Array<T> u_;
  GridModel model_;
  std::vector<grid::HeatAxis> axes_;
  std::vector<std::int64_t> probed_;
  std::filesystem::path checkpoint_;
  std::vector<double> rows_;  // of probes: time and values
  GridSummary summary_;
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
