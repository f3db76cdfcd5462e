// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/cases/grid_stationary.hpp"
#include "setka/cases/grid_steps.hpp"
#include "setka/cases/grid_writer.hpp"
#include "setka/io/grid_case.hpp"
#include "setka/io/output_file.hpp"
#include "setka/plan/profile.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

std::string cells_of(const model::GridCase& grid) {
  return grid.axes == 2 ? fmt::format("{} x {}", grid.cells[0], grid.cells[1])
                        : fmt::format("{} x {} x {}", grid.cells[0], grid.cells[1], grid.cells[2]);
}

void print_case(const model::GridCase& grid) {
  fmt::print("{}: {} cells, {}, {} precision", grid.title, cells_of(grid), model::name(grid.scheme),
             grid.single_precision ? "single" : "double");
  if (!is_stationary(grid.scheme)) fmt::print(", {} steps of {}", grid.steps, grid.step);
  fmt::print("\n");
}

ordered_json case_json(const model::GridCase& grid) {
  ordered_json json{{"case", grid.file.string()},
                    {"title", grid.title},
                    {"scheme", model::name(grid.scheme)},
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

/// Seconds of one step or sweep.
double each(double seconds, const cases::GridOutcome& outcome) {
  return seconds / static_cast<double>(std::max<std::int64_t>(1, outcome.own()));
}

void print_prediction(const cases::GridOutcome& outcome) {
  const cases::GridPrediction& prediction = outcome.prediction;
  if (!prediction.lacks.empty()) {
    fmt::print("no prediction to compare with: {}\n", prediction.lacks);
    return;
  }
  const double seconds = prediction.cost.seconds();
  fmt::print("predicted {}, measured {} ({:.2f} of it), {} on the device predicted: {}\n",
             format_seconds(seconds), format_seconds(outcome.seconds), outcome.seconds / seconds,
             format_bytes(prediction.cost.device_bytes), prediction.way);
}

void print_end(const cases::GridOutcome& outcome, double seconds) {
  print_prediction(outcome);
  fmt::print("{}, at most {} of memory", format_seconds(seconds), format_bytes(peak_resident_bytes()));
  if (!outcome.files.empty()) {
    fmt::print("; written:");
    print_files(outcome.files);
  }
  fmt::print("\n");
}

/// null where there is no prediction.
ordered_json prediction_json(const cases::GridOutcome& outcome) {
  const cases::GridPrediction& prediction = outcome.prediction;
  if (!prediction.lacks.empty()) return nullptr;
  ordered_json json{{"way", prediction.way},
                    {"why", prediction.why},
                    {"seconds", prediction.cost.seconds()},
                    {"terms", ordered_json::array()},
                    {"device_bytes", prediction.cost.device_bytes},
                    {"measured_over_predicted", outcome.seconds / prediction.cost.seconds()}};
  for (const plan::Term& term : prediction.cost.terms)
    json["terms"].push_back({{"what", term.what}, {"seconds", term.seconds}});
  return json;
}

/// What all runs end with.
void add_outcome(ordered_json& json, const cases::GridOutcome& outcome) {
  json["interrupted"] = !outcome.stopped.empty();
  json["least"] = outcome.least;
  json["largest"] = outcome.largest;
  json["measured_seconds"] = outcome.seconds;
  json["predicted"] = prediction_json(outcome);
  if (!outcome.prediction.lacks.empty()) json["why_not_predicted"] = outcome.prediction.lacks;
  json["peak_memory"] = peak_resident_bytes();
  json["files"] = ordered_json::array();
  for (const auto& file : outcome.files) json["files"].push_back(file.string());
}

ordered_json to_json(const cases::GridSummary& summary) {
  ordered_json json{{"first_step", summary.first},
                    {"last_step", summary.done},
                    {"time", summary.time},
                    {"total", summary.total},
                    {"seconds_per_step", each(summary.seconds, summary)}};
  add_outcome(json, summary);
  return json;
}

ordered_json to_json(const cases::GridStationarySummary& summary) {
  ordered_json json{{"way", summary.way},
                    {"first_sweep", summary.first},
                    {"sweeps", summary.done},
                    {"change", summary.change},
                    {"converged", summary.converged},
                    {"seconds_per_sweep", summary.sweep_seconds}};
  add_outcome(json, summary);
  return json;
}

void print_summary(const model::GridCase& grid, const cases::GridSummary& summary) {
  const double step_seconds = each(summary.seconds, summary);
  fmt::print("\n{:>10} {:>12} {:>14} {:>14} {:>14} {:>12} {:>12}\n", "steps", "time", "least u", "largest u",
             "total", "a step", "cells/s");
  fmt::print("{:>10} {:>12.6g} {:>14.6g} {:>14.6g} {:>14.6g} {:>12} {:>12}\n\n", summary.done, summary.time,
             summary.least, summary.largest, summary.total, format_seconds(step_seconds),
             format_count(static_cast<double>(grid.point_count()) / step_seconds));
}

void print_summary(const model::GridCase& grid, const cases::GridStationarySummary& summary) {
  fmt::print("{}\n\n{:>10} {:>10} {:>14} {:>14} {:>12} {:>12}\n", summary.way, "sweeps", "change", "least u",
             "largest u", "a sweep", "points/s");
  fmt::print("{:>10} {:>10.1e} {:>14.6g} {:>14.6g} {:>12} {:>12}\n\n", summary.done, summary.change,
             summary.least, summary.largest, format_seconds(summary.sweep_seconds),
             format_count(static_cast<double>(grid.point_count()) / summary.sweep_seconds));
}

/// "NVIDIA H200", "16 CPU threads"; of several "cuda:0 and cuda:1".
std::string in_words(const std::vector<exec::Device>& devices) {
  const exec::Device& first = devices.front();
  if (devices.size() == 1 && first.is_cuda()) return first.info().name;
  return devices_in_words(devices, first.threads());
}

/// Says what came out, and keeps it in CASE.result.json.
template <class Summary>
void report(const model::GridCase& grid, const std::vector<exec::Device>& on, Summary& summary,
            const CommonOptions& common, const Monitor& monitor) {
  const std::filesystem::path kept = cases::GridWriter::path(grid, ".result.json");
  summary.files.push_back(kept);
  std::vector<std::string> labels;
  labels.reserve(on.size());
  for (const exec::Device& one : on) labels.push_back(one.label());
  ordered_json json{{"setka", version}, {"device", join_words(labels)}};
  if (on.size() > 1) json["devices"] = labels;
  json["hardware"] = plan::hardware_identity(on.front());
  json.update(case_json(grid));
  json.update(to_json(summary));
  if (common.timings) json["timings"] = app::to_json(monitor.times());
  const std::string text = json_text(json) + "\n";
  io::OutputFile file(kept);
  file.write(text);
  file.commit();
  if (common.json) {
    fmt::print("{}", text);
  } else {
    print_summary(grid, summary);
    print_end(summary, monitor.times().seconds);
  }
  if (!summary.stopped.empty()) throw Error(Fault::interrupted, summary.stopped, "go on with --continue");
}

int exit_code_of(const model::GridCase& grid, const cases::GridStationarySummary& summary) {
  if (summary.converged) return static_cast<int>(ExitCode::done);
  if (std::isfinite(summary.change)) {
    log::error(
        "the case has not converged: the change was {:.1e} after {} sweeps, tolerance {:.1e}; raise "
        "stationary.max-iterations and go on with --continue",
        summary.change, summary.done, grid.tolerance);
  } else {
    log::error("the case has not converged: values grew without bound; choose a smaller relaxation");
  }
  return static_cast<int>(ExitCode::not_converged);
}

}  // namespace

cli::App* add_grid_command(cli::App& cli, GridOptions& options) {
  cli::App* command = cli.add_subcommand("grid", "Solve a problem on a grid, as a case file tells it");
  command->add_option("case", options.file, "The case: a .toml file")->required()->type_name("CASE.toml");
  command->add_flag("--continue", options.go_on, "Go on from the checkpoint of an interrupted run");
  command->add_flag("--check", options.check, "Read the case and say what it is, without computing");
  command->footer("\ndocs/grid-case.md has all keys of a case.");
  return command;
}

int run_grid(const GridOptions& options, const CommonOptions& common, const DeviceOptions& device,
             Monitor& monitor) {
  const std::vector<exec::Device> on = device.select();
  const bool talk = !common.quiet && !common.json;
  const model::GridCase grid = io::read_grid_case(options.file);
  claim_outputs(io::inputs_of(grid), cases::GridWriter::outputs(grid),
                "rename the file that the case reads, or set output.folder to another place");
  if (talk) {
    fmt::print("setka {}: {} on {}\n", version, options.file, in_words(on));
    print_case(grid);
  }
  if (options.check) {
    if (common.json) fmt::print("{}\n", json_text(case_json(grid)));
    return static_cast<int>(ExitCode::done);
  }
  if (is_stationary(grid.scheme)) {
    auto summary = cases::run_grid_stationary(grid, on, options.go_on, monitor);
    report(grid, on, summary, common, monitor);
    return exit_code_of(grid, summary);
  }
  auto summary = cases::run_grid_steps(grid, on, options.go_on, monitor);
  report(grid, on, summary, common, monitor);
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
