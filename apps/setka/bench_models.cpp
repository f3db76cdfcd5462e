// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_models.hpp"

#include <cstdio>
#include <map>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/bench/models.hpp"
#include "setka/io/svg_plot.hpp"
#include "setka/plan/calibrate.hpp"

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

void print_point(const ModelTable& table, const ModelPoint& point) {
  if (table.points.size() == 1) {
    fmt::print("\n{}: {}, ms\n", table.name, table.unit);
    fmt::print("{:>24} {:>12} {:>12} {:>8} {:>14}\n", table.x_label, "measured", "predicted", "off, %",
               "paper's model");
  }
  fmt::print("{:>24} {:>12.5g} {:>12.5g} {:>8.1f} {:>14}  {}\n", point.x, 1e3 * point.measured,
             1e3 * point.predicted, 100 * (point.predicted / point.measured - 1),
             point.printed > 0 ? fmt::format("{:.5g}", 1e3 * point.printed) : "-", point.label);
  std::fflush(stdout);
}

void print_sum(const ModelTable& table) {
  if (!table.skipped.empty()) {
    fmt::print("\n{}: skipped, {}\n", table.name, table.skipped);
    return;
  }
  fmt::print("{}: normalised RMS error {:.1f} %", table.name, 100 * table.error);
  if (table.printed_error > 0) fmt::print(", of the paper's formula {:.1f} %", 100 * table.printed_error);
  fmt::print("\n");
  if (table.chosen > 0)
    fmt::print("  height chosen by the model {}, {:.4g} ms; best measured {}, {:.4g} ms: {:.1f} % more\n",
               table.chosen, 1e3 * table.chosen_seconds, table.best, 1e3 * table.best_seconds,
               100 * (table.chosen_seconds / table.best_seconds - 1));
}

ordered_json to_json(const ModelTable& table) {
  ordered_json json{{"name", table.name}, {"unit", table.unit}};
  if (!table.skipped.empty()) {
    json["skipped"] = table.skipped;
    return json;
  }
  json["rms_error"] = table.error;
  if (table.printed_error > 0) json["rms_error_of_the_papers_formula"] = table.printed_error;
  if (table.chosen > 0) {
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

/// Points and lines of one colour each: measured, predicted, the paper's; a series a label where it is short.
io::Plot plot_of(const ModelTable& table) {
  io::Plot plot;
  plot.title = fmt::format("{}: {}", table.name, table.unit);
  plot.x = {table.x_label, true};
  plot.y = {"ms", true};
  std::map<std::string, std::vector<const ModelPoint*>> groups;
  for (const ModelPoint& point : table.points) groups[table.chosen > 0 ? point.label : ""].push_back(&point);
  for (const auto& [label, points] : groups) {
    const std::string of = label.empty() ? "" : ", " + label;
    io::PlotSeries measured{"measured" + of, {}, {}, io::PlotMark::points};
    io::PlotSeries predicted{
        "predicted" + of, {}, {}, table.name == "sweeps" ? io::PlotMark::points : io::PlotMark::line};
    io::PlotSeries printed{"paper's formula" + of, {}, {}, io::PlotMark::dashes};
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
  return plot;
}

}  // namespace

ordered_json bench_models(const exec::Device& device, bool quick, const std::string& plot, bool talk,
                          Monitor& monitor) {
  const plan::DeviceProfile profile = profile_of(device, quick, talk, monitor);
  const auto show = [&](const ModelTable& table, const ModelPoint& point) {
    if (talk) print_point(table, point);
  };
  ordered_json json{
      {"device", profile.device}, {"profile_date", profile.date}, {"models", ordered_json::array()}};
  std::vector<io::Plot> plots;
  for (const auto& model : {bench::long_vector_model, bench::pyramid_model, bench::sweep_model}) {
    const ModelTable table = model(device, profile, quick, show, monitor);
    if (talk) print_sum(table);
    json["models"].push_back(to_json(table));
    if (table.skipped.empty()) plots.push_back(plot_of(table));
  }
  if (!plot.empty()) {
    io::write_svg_plot(plot, plots);
    if (talk) fmt::print("\nwritten: {}\n", plot);
  }
  return json;
}

}  // namespace setka::app
