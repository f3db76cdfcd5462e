// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "json.hpp"
#include "setka/analysis/grid_stationary.hpp"
#include "setka/analysis/grid_steps.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/io/grid_case.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

std::string cells_of(const io::GridCase& grid) {
  return grid.axes == 2 ? fmt::format("{} x {}", grid.cells[0], grid.cells[1])
                        : fmt::format("{} x {} x {}", grid.cells[0], grid.cells[1], grid.cells[2]);
}

void print_case(const io::GridCase& grid) {
  fmt::print("{}: {} cells, {}, {} precision", grid.title, cells_of(grid), io::name(grid.scheme),
             grid.single_precision ? "single" : "double");
  if (!is_stationary(grid.scheme)) fmt::print(", {} steps of {}", grid.steps, grid.step);
  fmt::print("\n");
}

ordered_json case_json(const io::GridCase& grid) {
  ordered_json json{{"case", grid.file.string()},
                    {"title", grid.title},
                    {"scheme", io::name(grid.scheme)},
                    {"precision", grid.single_precision ? "single" : "double"},
                    {"cells", std::vector<std::int64_t>(grid.cells.begin(), grid.cells.begin() + grid.axes)}};
  if (!is_stationary(grid.scheme)) {
    json["step"] = grid.step;
    json["steps"] = grid.steps;
  }
  return json;
}

void print_files(const std::vector<std::filesystem::path>& files) {
  constexpr std::size_t many = 6;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files.size() > many && i == 2) fmt::print(" ...");
    if (files.size() > many && i >= 2 && i + 3 < files.size()) continue;
    fmt::print(" {}", files[i].string());
  }
}

void print_end(const std::vector<std::filesystem::path>& files, double seconds) {
  fmt::print("\n{}, at most {} of memory", format_seconds(seconds), format_bytes(peak_resident_bytes()));
  if (!files.empty()) {
    fmt::print("; written:");
    print_files(files);
  }
  fmt::print("\n");
}

void add_files(ordered_json& json, const std::vector<std::filesystem::path>& files) {
  json["files"] = ordered_json::array();
  for (const auto& file : files) json["files"].push_back(file.string());
}

void print_summary(const io::GridCase& grid, const analysis::GridSummary& summary, double seconds) {
  fmt::print("\n{:>10} {:>12} {:>14} {:>14} {:>14} {:>12} {:>12}\n", "steps", "time", "least u", "largest u",
             "total", "a step", "cells/s");
  fmt::print("{:>10} {:>12.6g} {:>14.6g} {:>14.6g} {:>14.6g} {:>12} {:>12}\n", summary.steps, summary.time,
             summary.least, summary.largest, summary.total, format_seconds(summary.step_seconds),
             format_count(static_cast<double>(grid.point_count()) / summary.step_seconds));
  print_end(summary.files, seconds);
}

ordered_json summary_json(const io::GridCase& grid, const analysis::GridSummary& summary) {
  ordered_json json = case_json(grid);
  json["first_step"] = summary.first_step;
  json["time"] = summary.time;
  json["least"] = summary.least;
  json["largest"] = summary.largest;
  json["total"] = summary.total;
  json["seconds_per_step"] = summary.step_seconds;
  json["peak_memory"] = peak_resident_bytes();
  add_files(json, summary.files);
  return json;
}

void print_stationary(const io::GridCase& grid, const analysis::GridStationarySummary& summary,
                      double seconds) {
  fmt::print("{}\n\n{:>10} {:>10} {:>14} {:>14} {:>12} {:>12}\n", summary.way, "sweeps", "change", "least u",
             "largest u", "a sweep", "points/s");
  fmt::print("{:>10} {:>10.1e} {:>14.6g} {:>14.6g} {:>12} {:>12}\n", summary.sweeps, summary.change,
             summary.least, summary.largest, format_seconds(summary.sweep_seconds),
             format_count(static_cast<double>(grid.point_count()) / summary.sweep_seconds));
  print_end(summary.files, seconds);
}

int run_stationary(const io::GridCase& grid, const exec::Device& on, const GridOptions& options,
                   const CommonOptions& common, Monitor& monitor) {
  const analysis::GridStationarySummary summary =
      analysis::run_grid_stationary(grid, on, options.go_on, monitor);
  if (!common.quiet && !common.json) print_stationary(grid, summary, monitor.times().seconds);
  if (common.json) {
    ordered_json json = case_json(grid);
    json["way"] = summary.way;
    json["sweeps"] = summary.sweeps;
    json["change"] = summary.change;
    json["converged"] = summary.converged;
    json["least"] = summary.least;
    json["largest"] = summary.largest;
    json["seconds_per_sweep"] = summary.sweep_seconds;
    json["peak_memory"] = peak_resident_bytes();
    add_files(json, summary.files);
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json.dump(2));
  }
  if (summary.converged) return static_cast<int>(ExitCode::done);
  if (std::isfinite(summary.change)) {
    log::error(
        "the case has not converged: the change was {:.1e} after {} sweeps, tolerance {:.1e}; raise "
        "stationary.max-iterations and go on with --continue",
        summary.change, summary.sweeps, grid.tolerance);
  } else {
    log::error("the case has not converged: values grew without bound; choose a smaller relaxation");
  }
  return static_cast<int>(ExitCode::not_converged);
}

}  // namespace

CLI::App* add_grid_command(CLI::App& cli, GridOptions& options) {
  CLI::App* command = cli.add_subcommand("grid", "Solve a problem on a grid, as a case file tells it");
  command->add_option("case", options.file, "The case: a .toml file")->required()->type_name("CASE.toml");
  command->add_flag("--continue", options.go_on, "Go on from the checkpoint of an interrupted run");
  command->add_flag("--check", options.check, "Read the case and say what it is, without computing");
  command->footer("\ndocs/grid.md has all keys of a case.");
  return command;
}

int run_grid(const GridOptions& options, const CommonOptions& common, const DeviceOptions& device,
             Monitor& monitor) {
  const exec::Device on = device.select().front();
  const bool talk = !common.quiet && !common.json;
  const io::GridCase grid = io::read_grid_case(options.file);
  if (talk) {
    fmt::print("setka {}: {} on {}\n", version, options.file,
               on.is_cuda() ? on.info().name
                            : fmt::format("{} CPU thread{}", on.threads(), on.threads() == 1 ? "" : "s"));
    print_case(grid);
  }
  if (options.check) {
    if (common.json) fmt::print("{}\n", case_json(grid).dump(2));
    return static_cast<int>(ExitCode::done);
  }
  if (is_stationary(grid.scheme)) return run_stationary(grid, on, options, common, monitor);
  const analysis::GridSummary summary = analysis::run_grid_steps(grid, on, options.go_on, monitor);
  if (talk) print_summary(grid, summary, monitor.times().seconds);
  if (common.json) {
    ordered_json json = summary_json(grid, summary);
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json.dump(2));
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
