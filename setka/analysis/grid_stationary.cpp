// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/grid_stationary.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/copy.hpp"
#include "setka/io/grid_checkpoint.hpp"
#include "setka/io/grid_writer.hpp"
#include "setka/plan/decide.hpp"

namespace setka::analysis {
namespace {

constexpr std::int64_t sweeps_at_once = 100;  // between two looks at the user's wish to stop

[[noreturn]] void refuse(const io::GridCase& grid, long line, const std::string& what) {
  throw Error(Fault::input, fmt::format("{} is not for scheme = \"{}\"", what, io::name(grid.scheme)),
              "stationary schemes have a uniform diffusivity, no reaction, and a value on every side "
              "({ kind = \"dirichlet\", value = ... })",
              grid.at(line));
}

/// Initial values inside, the sides' values on them.
template <class T>
std::vector<T> start(const io::GridCase& grid) {
  const std::vector<double> initial = values_of(grid.initial, grid);
  std::vector<T> u(initial.begin(), initial.end());
  std::size_t at = 0;
  for (std::int64_t z = 0; z < grid.points(2); ++z) {
    for (std::int64_t y = 0; y < grid.points(1); ++y) {
      for (std::int64_t x = 0; x < grid.points(0); ++x, ++at) {
        const std::int64_t index[3] = {x, y, z};
        for (int axis = grid.axes - 1; axis >= 0; --axis) {
          const auto k = static_cast<std::size_t>(axis);
          if (index[k] == 0) u[at] = static_cast<T>(grid.sides[k][0].value);
          if (index[k] == grid.points(axis) - 1) u[at] = static_cast<T>(grid.sides[k][1].value);
        }
      }
    }
  }
  return u;
}

template <class T>
class Run {
 public:
  Run(const io::GridCase& grid, const exec::Device& device, bool go_on)
      : grid_(grid),
        device_(device),
        heat_(stationary_heat(grid)),
        go_on_(go_on),
        checkpoint_(io::GridWriter::path(grid, ".checkpoint")) {}

  GridStationarySummary all(Monitor& monitor) {
    {
      const Stage stage = monitor.stage("prepare");
      prepare();
    }
    io::GridWriter writer(grid_);
    sweep_all(monitor);
    const Stage stage = monitor.stage("write");
    if (summary_.converged && writer.is_due(summary_.sweeps)) writer.write(0, 0, std::span<const T>(u_));
    summary_.files = writer.files();
    if (!summary_.converged && std::isfinite(summary_.change)) {
      io::write_checkpoint<T>(checkpoint_, grid_, {summary_.sweeps, u_, {}});
      summary_.files.push_back(checkpoint_);
    } else if (go_on_) {
      std::error_code ignored;  // it is only in the way now
      std::filesystem::remove(checkpoint_, ignored);
    }
    const auto [least, largest] = std::minmax_element(u_.begin(), u_.end());
    summary_.least = static_cast<double>(*least);
    summary_.largest = static_cast<double>(*largest);
    return summary_;
  }

 private:
  void prepare() {
    if (go_on_) {
      io::GridCheckpoint<T> state = io::read_checkpoint<T>(checkpoint_, grid_);
      u_ = std::move(state.values);
      summary_.sweeps = state.step;
    } else {
      u_ = start<T>(grid_);
    }
    const std::vector<double> source = values_of(grid_.source, grid_);
    f_.assign(source.begin(), source.end());
    const std::uint64_t memory = memory_of(grid_, device_);
    const std::uint64_t needed = 3 * sizeof(T) * static_cast<std::uint64_t>(grid_.point_count());
    in_core_ = needed <= memory && !grid_.height && !grid_.planes;
    if (in_core_) {
      summary_.way = "all of the grid on the device";
      return;
    }
    if (grid_.scheme == io::GridScheme::red_black_sor) {
      throw Error(Fault::resource,
                  fmt::format("red-black over-relaxation needs {} on {}, of which {} may be used",
                              format_bytes(needed), device_.label(), format_bytes(memory)),
                  "take scheme = \"jacobi\", which computes such grids in pyramids of planes",
                  grid_.at(grid_.scheme_line));
    }
    plan_pyramid(memory);
  }

  void plan_pyramid(std::uint64_t memory) {
    pyramid_.memory = memory;
    pyramid_.height = static_cast<int>(grid_.height.value_or(0));
    pyramid_.planes = grid_.planes.value_or(0);
    std::string why;
    if (!grid_.height && !grid_.planes) {
      // As calibrated, where this machine is.
      if (const auto profile = plan::profile_for(device_, why)) {
        const grid::PyramidLayout best =
            plan::best_pyramid(*profile, heat_, sizeof(T), memory, grid::PyramidShape::skewed);
        pyramid_.height = best.height;
        pyramid_.planes = best.planes;
      }
    }
    const grid::PyramidLayout layout = grid::pyramid_layout(heat_, sizeof(T), memory, pyramid_);
    pyramid_.height = layout.height;
    pyramid_.planes = layout.planes;
    summary_.way =
        fmt::format("{} pyramids of height {}, {} blocks of {} planes, {} on the device", name(layout.shape),
                    layout.height, layout.blocks, layout.planes, format_bytes(layout.bytes));
  }

  void sweep_all(Monitor& monitor) {
    Stage stage = monitor.stage("sweeps", 0, "sweeps");
    std::optional<exec::Array<T>> u;
    std::optional<exec::Array<T>> f;
    if (in_core_) {
      u.emplace(device_, u_);
      f.emplace(device_, f_);
    }
    const std::int64_t first = summary_.sweeps;
    const std::int64_t at_once =
        in_core_ ? sweeps_at_once
                 : (sweeps_at_once + pyramid_.height - 1) / pyramid_.height * pyramid_.height;
    const auto began = std::chrono::steady_clock::now();
    while (!summary_.converged && summary_.sweeps < grid_.most_iterations) {
      grid::StationaryOptions options;
      options.sweeps = std::min(at_once, grid_.most_iterations - summary_.sweeps);
      options.tolerance = grid_.tolerance;
      options.weight = relaxation_of(grid_);
      const grid::StationaryReport report =
          !in_core_ ? grid::pyramid_jacobi<T>(device_, heat_, std::span<T>(u_), std::span<const T>(f_),
                                              options, pyramid_)
          : grid_.scheme == io::GridScheme::red_black_sor ? heat_.red_black<T>(device_, *u, *f, options)
                                                          : heat_.jacobi<T>(device_, *u, *f, options);
      summary_.sweeps += report.sweeps;
      summary_.change = report.change;
      summary_.converged = report.converged;
      if (!std::isfinite(report.change) || report.sweeps == 0) break;
      if (interrupted() && !summary_.converged) {
        if (u) exec::copy(*u, exec::View<T>{u_.data(), static_cast<std::int64_t>(u_.size())});
        stop();
      }
      stage.note(fmt::format("change {:.1e}", report.change));
      if (!summary_.converged) stage.advance(report.sweeps);
    }
    if (u) exec::copy(*u, exec::View<T>{u_.data(), static_cast<std::int64_t>(u_.size())});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    summary_.sweep_seconds =
        seconds / static_cast<double>(std::max<std::int64_t>(1, summary_.sweeps - first));
  }

  [[noreturn]] void stop() {
    io::write_checkpoint<T>(checkpoint_, grid_, {summary_.sweeps, u_, {}});
    throw Error(
        Fault::interrupted,
        fmt::format("interrupted after {} sweeps; {} is written", summary_.sweeps, checkpoint_.string()),
        "go on with --continue");
  }

  const io::GridCase& grid_;
  exec::Device device_;
  grid::StationaryHeat heat_;
  bool go_on_;
  std::filesystem::path checkpoint_;
  std::vector<T> u_;
  std::vector<T> f_;
  bool in_core_ = true;
  grid::PyramidOptions pyramid_;
  GridStationarySummary summary_;
};

}  // namespace

grid::StationaryHeat stationary_heat(const io::GridCase& grid) {
  for (int axis = 0; axis < grid.axes; ++axis) {
    for (const io::GridSide& side : grid.sides[static_cast<std::size_t>(axis)]) {
      if (side.kind != io::GridSide::Kind::dirichlet)
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

double relaxation_of(const io::GridCase& grid) {
  if (grid.relaxation) return *grid.relaxation;
  if (grid.scheme == io::GridScheme::jacobi) return 1;
  if (grid.scheme == io::GridScheme::weighted_jacobi) return 0.8;
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

std::uint64_t memory_of(const io::GridCase& grid, const exec::Device& device) {
  const std::uint64_t free = device.info().free_memory;
  return std::min(grid.memory.value_or(free), free);
}

GridStationarySummary run_grid_stationary(const io::GridCase& grid, const exec::Device& device, bool go_on,
                                          Monitor& monitor) {
  require(is_stationary(grid.scheme), "run_grid_stationary: the case has steps in time");
  return grid.single_precision ? Run<float>(grid, device, go_on).all(monitor)
                               : Run<double>(grid, device, go_on).all(monitor);
}

}  // namespace setka::analysis
