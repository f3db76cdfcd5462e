// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_stationary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/iterations.hpp"
#include "setka/base/text.hpp"
#include "setka/cases/grid_run.hpp"
#include "setka/cases/stationary_arrays.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/common.hpp"
#include "setka/exec/copy.hpp"
#include "setka/grid/stationary_sweeps.hpp"
#include "setka/plan/decide.hpp"

namespace setka::cases {
namespace {

constexpr std::int64_t sweeps_at_once = 100;  // between two looks at the user's wish to stop

[[noreturn]] void refuse(const model::GridCase& grid, long line, const std::string& what) {
  throw Error(Fault::input, fmt::format("{} is not for scheme = \"{}\"", what, model::name(grid.scheme)),
              "stationary schemes have a uniform diffusivity, no reaction, and a value on every side "
              "({ kind = \"dirichlet\", value = ... })",
              grid.at(line));
}

template <class T>
class Run {
 public:
  Run(const model::GridCase& grid, const std::vector<exec::Device>& devices, bool go_on)
      : grid_(grid),
        devices_(devices),
        heat_(stationary_heat(grid)),
        model_(devices),
        run_(grid, {"sweep", grid.most_iterations, "stationary.max-iterations"}, go_on, summary_),
        arrays_(grid) {}

  GridStationarySummary all(Monitor& monitor) {
    {
      const Stage stage = monitor.stage("prepare");
      choose_way();
      if (auto values = run_.resume()) {
        arrays_.go_on(std::move(*values), summary_.done);
      } else {
        arrays_.begin();
        if (grid_.on_disk) {  // the disk need not hold the state of an earlier run as well
          run_.forget();
          arrays_.drop_kept();
        }
      }
    }
    saved_ = summary_.first;
    sweep_all(monitor);
    const Stage stage = monitor.stage("write");
    if (summary_.converged && !grid_.on_disk && run_.writer().is_due(summary_.done))
      run_.writer().write(0, 0, std::span<const T>(arrays_.u()));
    // The result has its name before the checkpoint goes: a run that is killed here can still go on.
    if (summary_.converged && grid_.on_disk) arrays_.finish();
    const bool may_go_on = !summary_.converged && std::isfinite(summary_.change);
    if (may_go_on) save(true);
    run_.finish(arrays_.u(), may_go_on);
    if (grid_.on_disk && !may_go_on) arrays_.drop_kept();
    if (grid_.on_disk) summary_.files.push_back(arrays_.state_path());
    summary_.prediction = model_.of_sweeps(grid_, heat_, pyramid_, memory_, summary_.own());
    return summary_;
  }

 private:
  /// A checkpoint, and then the state on the disk that it refers to and no other.
  void save(bool last) {
    if (grid_.on_disk) arrays_.keep(summary_.done, last);
    run_.save(arrays_.u());
    if (grid_.on_disk) arrays_.drop_kept(summary_.done);
    saved_ = summary_.done;
  }

  void choose_way() {
    memory_ = memory_of(grid_, devices_);
    const bool alone = devices_.size() == 1;
    const std::uint64_t needed =
        3 * sizeof(T) * static_cast<std::uint64_t>(grid_.point_count()) / devices_.size();
    const bool together = exec::reach_each_other(devices_);
    if (needed <= memory_ && together && !grid_.height && !grid_.planes) {
      summary_.way =
          alone ? "all of the grid on the device"
                : fmt::format("all of the grid on {} devices, each with its planes", devices_.size());
      return;
    }
    if (grid_.scheme == model::GridScheme::red_black_sor && !together) {
      throw Error(Fault::usage,
                  "red-black over-relaxation is in memory that all devices reach, and CPUs and "
                  "GPUs do not reach each other's",
                  "give GPUs alone (--devices 0,1) or CPUs alone (--devices cpu,cpu)");
    }
    if (grid_.scheme == model::GridScheme::red_black_sor) {
      throw Error(Fault::resource,
                  fmt::format("red-black over-relaxation needs {} on {}, of which {} may be used",
                              format_bytes(needed), alone ? devices_.front().label() : "each device",
                              format_bytes(memory_)),
                  "take scheme = \"jacobi\", which computes such grids in pyramids of planes",
                  grid_.at(grid_.scheme_line));
    }
    plan_pyramid();
  }

  void plan_pyramid() {
    const plan::DeviceProfile* const profile = model_.profile();
    pyramid_ = asked_pyramid(grid_, heat_, memory_);
    if (!pyramid_ && profile != nullptr)  // as calibrated, where this machine is
      pyramid_ = plan::best_pyramid(*profile, heat_, sizeof(T), memory_, grid::PyramidShape::skewed);
    if (!pyramid_) pyramid_ = grid::pyramid_layout(heat_, sizeof(T), memory_, {});
    summary_.way =
        devices_.size() == 1
            ? fmt::format("{} pyramids of height {}, {} blocks of {} planes, {} on the device",
                          name(pyramid_->shape), pyramid_->height, pyramid_->blocks, pyramid_->planes,
                          format_bytes(pyramid_->bytes))
            : fmt::format("{} pyramids of height {}, blocks of {} planes, {} on each of {} devices",
                          name(pyramid_->shape), pyramid_->height, pyramid_->planes,
                          format_bytes(pyramid_->bytes), devices_.size());
  }

  void sweep_all(Monitor& monitor) {
    Iterations progress(monitor, "sweeps", "sweeps");
    std::optional<grid::StationarySweeps<T>> sweeps;
    std::optional<exec::Array<T>> u;
    std::optional<exec::Array<T>> f;
    if (!pyramid_) {
      sweeps.emplace(devices_, heat_);
      u.emplace(sweeps->on_devices(arrays_.u()));
      f.emplace(sweeps->on_devices(arrays_.f()));
      devices_.front().synchronize();
    }
    const auto to_host = [&] {
      if (u) exec::copy(*u, exec::View<T>{arrays_.u().data(), static_cast<std::int64_t>(arrays_.u().size())});
    };
    const double began = progress.seconds();
    double saving = 0;
    run_.until_stopped([&] {
      while (!summary_.converged && summary_.done < grid_.most_iterations) {
        const grid::StationaryReport report = pyramid_ ? sweep_pyramids() : sweep_some(*sweeps, *u, *f);
        summary_.done += report.sweeps;
        summary_.change = report.change;
        summary_.converged = report.converged;
        if (!std::isfinite(report.change) || report.sweeps == 0) break;
        if (summary_.converged || summary_.done >= grid_.most_iterations) break;
        if (grid_.checkpoint_every > 0 && summary_.done - saved_ >= grid_.checkpoint_every) {
          const double since = progress.seconds();
          to_host();
          save(false);
          saving += progress.seconds() - since;
        }
        progress.advance("change", report.change, grid_.tolerance, report.sweeps);
      }
    });
    summary_.sweep_seconds = (progress.seconds() - began - saving) /
                             static_cast<double>(std::max<std::int64_t>(1, summary_.own()));
    to_host();
    summary_.seconds = progress.seconds() - saving;
  }

  grid::StationaryOptions options_of(std::int64_t sweeps) const {
    grid::StationaryOptions options;
    options.sweeps = std::min(sweeps, grid_.most_iterations - summary_.done);
    options.tolerance = grid_.tolerance;
    options.weight = relaxation_of(grid_);
    return options;
  }

  grid::StationaryReport sweep_pyramids() {
    const std::int64_t height = pyramid_->height;
    return grid::pyramid_jacobi<T>(devices_, heat_, arrays_.u(), arrays_.f(),
                                   options_of((sweeps_at_once + height - 1) / height * height),
                                   {pyramid_->shape, pyramid_->height, pyramid_->planes, memory_});
  }

  grid::StationaryReport sweep_some(grid::StationarySweeps<T>& sweeps, exec::Array<T>& u,
                                    const exec::Array<T>& f) {
    const grid::StationaryOptions options = options_of(sweeps_at_once);
    return grid_.scheme == model::GridScheme::red_black_sor ? sweeps.red_black(u, f, options)
                                                            : sweeps.jacobi(u, f, options);
  }

  const model::GridCase& grid_;
  std::vector<exec::Device> devices_;
  grid::StationaryHeat heat_;
  GridModel model_;
  GridStationarySummary summary_;
  GridRun<T> run_;
  StationaryArrays<T> arrays_;
  std::uint64_t memory_ = 0;
  std::int64_t saved_ = 0;                      // sweeps of the last checkpoint
  std::optional<grid::PyramidLayout> pyramid_;  // none: all of the grid is on the devices
};

}  // namespace

grid::StationaryHeat stationary_heat(const model::GridCase& grid) {
  for (int axis = 0; axis < grid.axes; ++axis) {
    for (const model::GridSide& side : grid.sides[static_cast<std::size_t>(axis)]) {
      if (side.kind != model::GridSide::Kind::dirichlet)
        refuse(grid, side.line == 0 ? grid.scheme_line : side.line, "a side without a given value");
    }
    if (grid.cells[static_cast<std::size_t>(axis)] < 2)
      refuse(grid, grid.scheme_line, "an axis of one cell, which has no point inside,");
  }
  if (!grid.diffusivity.is_uniform() || !(grid.diffusivity.value > 0))
    refuse(grid, grid.diffusivity.line, "a diffusivity that is zero or differs from cell to cell");
  if (!grid.reaction.is_uniform() || grid.reaction.value != 0) refuse(grid, grid.reaction.line, "a reaction");
  if (!grid.probes.empty()) refuse(grid, grid.scheme_line, "a probe");
  std::vector<grid::StationaryAxis> axes;
  for (int axis = grid.axes - 1; axis >= 0; --axis)
    axes.push_back({grid.points(axis), grid.spacing(axis), grid.diffusivity.value});
  return grid::StationaryHeat(axes);
}

double relaxation_of(const model::GridCase& grid) {
  if (grid.relaxation) return *grid.relaxation;
  if (grid.scheme == model::GridScheme::jacobi) return 1;
  if (grid.scheme == model::GridScheme::weighted_jacobi) return 0.8;
  // The best one, from the slowest mode of Jacobi's sweeps.
  double slowest = 0;
  double sum = 0;
  for (int axis = 0; axis < grid.axes; ++axis) {
    const double ratio = 1 / (grid.spacing(axis) * grid.spacing(axis));
    slowest += ratio * std::cos(std::numbers::pi / static_cast<double>(grid.points(axis) - 1));
    sum += ratio;
  }
  return 2 / (1 + std::sqrt(1 - slowest / sum * (slowest / sum)));
}

std::uint64_t memory_of(const model::GridCase& grid, const exec::Device& device) {
  return memory_of(grid, std::vector{device});
}

std::uint64_t memory_of(const model::GridCase& grid, const std::vector<exec::Device>& devices) {
  const std::uint64_t free = exec::free_memory_of_each(devices);
  return std::min(grid.memory.value_or(free), free);
}

std::optional<grid::PyramidLayout> asked_pyramid(const model::GridCase& grid,
                                                 const grid::StationaryHeat& heat, std::uint64_t memory) {
  if (!grid.height && !grid.planes) return std::nullopt;
  grid::PyramidOptions options;
  options.height = static_cast<int>(grid.height.value_or(0));
  options.planes = grid.planes.value_or(0);
  return grid::pyramid_layout(heat, value_bytes(grid), memory, options);
}

GridStationarySummary run_grid_stationary(const model::GridCase& grid,
                                          const std::vector<exec::Device>& devices, bool go_on,
                                          Monitor& monitor) {
  require(model::is_stationary(grid.scheme), "run_grid_stationary: the case has steps in time");
  return grid.single_precision ? Run<float>(grid, devices, go_on).all(monitor)
                               : Run<double>(grid, devices, go_on).all(monitor);
}

}  // namespace setka::cases
