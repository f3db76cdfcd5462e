// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_models.hpp"

#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "bench/models.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/base/time_budget.hpp"
#include "setka/plan/calibrate.hpp"
#include "setka/plot/svg_plot.hpp"

namespace setka::app {
namespace {

using bench::ModelPoint;
using bench::ModelTable;
using nlohmann::ordered_json;

plan::DeviceProfile profile_of(const exec::Device& device, bool quick, bool talk, Monitor& monitor) {
  std::string why;
  if (!quick) {
    try {
      if (auto found = plan::profile_for(device, why)) return *found;
    } catch (const Error& error) {
      why = error.what();
    }
    if (talk) fmt::print("{}; measured now (setka calibrate keeps it)\n", why);
  }
  return plan::calibrate(device, quick, monitor);
}

void print_head(const ModelTable& table) {
  fmt::print("{}, ms\n", table.unit);
  fmt::print("{:>24} {:>12} {:>12} {:>8} {:>14}\n", table.x_label, "measured", "predicted", "off, %",
             "paper's model");
}

void print_point(const ModelPoint& point) {
  fmt::print("{:>24} {:>12.5g} {:>12.5g} {:>8.1f} {:>14}  {}\n", point.x, 1e3 * point.measured,
             1e3 * point.predicted, 100 * (point.predicted / point.measured - 1),
             point.printed > 0 ? fmt::format("{:.5g}", 1e3 * point.printed) : "-", point.label);
  std::fflush(stdout);
}

void print_sum(const ModelTable& table) {
  if (!table.skipped.empty()) {
    fmt::print("{}: skipped, {}\n", table.name, table.skipped);
    return;
  }
  for (const std::string& point : table.left_out) fmt::print("  left out: {}\n", point);
  if (table.points.empty()) return;
  fmt::print("{}: normalised RMS error {:.1f} %, median {:.1f} %", table.name, 100 * table.error,
             100 * table.median_error);
  if (table.printed_error > 0) fmt::print(", of the paper's formula {:.1f} %", 100 * table.printed_error);
  fmt::print("; {} points in {}\n", table.points.size(), format_seconds(table.seconds));
  if (table.chosen_seconds > 0)
    fmt::print("  height chosen by the model {}, {:.4g} ms; best measured {}, {:.4g} ms: {:.1f} % more\n",
               table.chosen, 1e3 * table.chosen_seconds, table.best, 1e3 * table.best_seconds,
               100 * (table.chosen_seconds / table.best_seconds - 1));
  std::fflush(stdout);
}

ordered_json to_json(const ModelTable& table) {
  ordered_json json{{"name", table.name}, {"unit", table.unit}};
  if (!table.skipped.empty()) {
    json["skipped"] = table.skipped;
    return json;
  }
  json["rms_error"] = table.error;
  json["median_error"] = table.median_error;
  json["seconds"] = table.seconds;
  if (!table.left_out.empty()) json["left_out"] = table.left_out;
  if (table.printed_error > 0) json["rms_error_of_the_papers_formula"] = table.printed_error;
  if (table.chosen_seconds > 0) {
    json["chosen_height"] = table.chosen;
    json["chosen_s"] = table.chosen_seconds;
    json["best_height"] = table.best;
    json["best_s"] = table.best_seconds;
  }
  json["points"] = ordered_json::array();
  for (const ModelPoint& point : table.points) {
    ordered_json one{{"x", point.x}, {"measured_s", point.measured}, {"predicted_s", point.predicted}};
    if (point.printed > 0) one["papers_formula_s"] = point.printed;
    if (!point.label.empty()) one["what"] = point.label;
    json["points"].push_back(one);
  }
  return json;
}

/// Points and lines of one colour each: measured, predicted, the paper's; a series of each a group.
plot::Plot plot_of(const ModelTable& table) {
  plot::Plot plot;
  plot.title =
      fmt::format("{}: {}; normalised RMS error {:.1f} %", table.name, table.unit, 100 * table.error);
  plot.x = {table.x_label, true};
  plot.y = {"ms", true};
  // Sizes of the same number of values are several points over one x: no curve goes through them.
  std::map<double, std::map<std::string, int>> at;
  bool is_curve = true;
  std::map<std::string, std::vector<const ModelPoint*>> groups;
  for (const ModelPoint& point : table.points) {
    groups[point.group].push_back(&point);
    if (++at[point.x][point.group] > 1) is_curve = false;
  }
  for (const auto& [label, points] : groups) {
    const std::string of = label.empty() ? "" : ", " + label;
    plot::PlotSeries measured{"measured" + of, {}, {}, plot::PlotMark::points};
    plot::PlotSeries predicted{
        "predicted" + of, {}, {}, is_curve ? plot::PlotMark::line : plot::PlotMark::points};
    plot::PlotSeries printed{"paper's formula" + of, {}, {}, plot::PlotMark::dashes};
    for (const ModelPoint* point : points) {
      measured.x.push_back(point->x);
      measured.y.push_back(1e3 * point->measured);
      predicted.x.push_back(point->x);
      predicted.y.push_back(1e3 * point->predicted);
      if (point->printed > 0) {
        printed.x.push_back(point->x);
        printed.y.push_back(1e3 * point->printed);
      }
    }
    plot.series.push_back(std::move(measured));
    plot.series.push_back(std::move(predicted));
    if (!printed.x.empty()) plot.series.push_back(std::move(printed));
  }
  plot.height += 10 * static_cast<int>(plot.series.size());  // the legend
  return plot;
}

}  // namespace

std::vector<std::string> model_part_names() {
  std::vector<std::string> names;
  for (const bench::ModelPart& part : bench::model_parts()) names.emplace_back(part.name);
  return names;
}

ordered_json bench_models(const exec::Device& device, const BenchModelsOptions& options, const KeepJson& keep,
                          Monitor& monitor) {
  ModelTable so_far;  // of the part that runs
  bool has_head = false;
  const auto show = [&](const ModelTable& table, const ModelPoint& point) {
    if (!options.talk) return;
    if (!std::exchange(has_head, true)) print_head(table);
    print_point(point);
  };
  const bench::ModelRun run{device, profile_of(device, options.quick, options.talk, monitor), options.quick,
                            show, [&](const ModelTable& table) { so_far = table; }};
  ordered_json json{
      {"device", run.profile.device}, {"profile_date", run.profile.date}, {"models", ordered_json::array()}};
  std::vector<plot::Plot> plots;
  const auto add = [&](const ModelTable& table) {
    if (options.talk) print_sum(table);
    json["models"].push_back(to_json(table));
    if (!table.points.empty()) plots.push_back(plot_of(table));
    keep(json);
    if (!options.plot.empty() && !plots.empty()) plot::write_svg_plot(options.plot, plots);
  };
  for (const bench::ModelPart& part : bench::model_parts()) {
    if (!options.only.empty() && options.only != part.name) continue;
    if (options.talk) {
      fmt::print("\n{}: at most {:g} s\n", part.name, part.max_seconds);
      std::fflush(stdout);
    }
    so_far = {};
    has_head = false;
    const TimeBudget time(part.max_seconds, 1);
    try {
      ModelTable table = part.measure(run, part.max_seconds, monitor);
      table.seconds = time.spent();
      add(table);
    } catch (const Error& error) {
      if (error.fault() == Fault::interrupted && !so_far.points.empty()) {
        so_far.seconds = time.spent();
        so_far.left_out.emplace_back("what follows: the run was interrupted");
        bench::sum_up(so_far);
        add(so_far);
      }
      throw;
    }
  }
  if (!options.plot.empty() && options.talk) fmt::print("\nwritten: {}\n", options.plot);
  return json;
}

}  // namespace setka::app
