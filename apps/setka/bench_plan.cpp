// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "bench/plan_models.hpp"
#include "own_command.hpp"
#include "plan_review.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/plot/svg_plot.hpp"

namespace setka::app {
namespace {

using bench::PlanModel;
using nlohmann::ordered_json;
using plan::ReviewedRun;

constexpr std::int64_t largest_on_cpu = 300'000;
constexpr std::int64_t largest_on_gpu = 3'000'000;

/// A choice is right where it takes no more than so many times the best one.
constexpr double as_good = 1.15;

struct Row {
  PlanModel model;
  ReviewedRun run;
  std::shared_ptr<const ordered_json> counts;
  std::string chosen;
  double plan_seconds = 0;                   // of setka plan, reading included
  std::map<std::string, double> other_ways;  // measured seconds
  double choice_over_best() const {
    double best = run.measured;
    for (const auto& [way, seconds] : other_ways) best = std::min(best, seconds);
    return run.measured / best;
  }
};

/// The run that Setka chooses, the best of two where that is soon done.
std::optional<ordered_json> run(const std::string& deck, const std::string& words, double& seconds) {
  constexpr double soon = 3;
  std::optional<ordered_json> best;
  seconds = 0;
  for (int round = 0; round < 2; ++round) {
    std::optional<ordered_json> result = run_own_command(fmt::format("run '{}' --json {}", deck, words));
    if (!result || !result->contains("prediction")) return result;
    const double own = result->at("prediction").at("measured_seconds").get<double>();
    if (!best || own < seconds) {
      best = std::move(result);
      seconds = own;
    }
    if (own > soon) break;
  }
  return best;
}

void try_other_ways(const std::string& deck, const std::string& device, Row& row) {
  const bool modes = row.model.modes > 0;
  for (const auto& [name, words] : modes ? std::array{std::pair("Lanczos", "--modes lanczos"),
                                                      std::pair("LOBPCG with multigrid", "--modes lobpcg")}
                                         : std::array{std::pair("Cholesky", "--solver cholesky"),
                                                      std::pair("CG with multigrid", "--solver cg")}) {
    if (row.chosen == name || row.chosen == "dense") continue;
    constexpr std::int64_t too_large_to_factorise = 130'000;
    const bool factorises =
        std::string_view(words).ends_with("cholesky") || std::string_view(words).ends_with("lanczos");
    if (factorises && row.model.size > too_large_to_factorise) continue;
    double seconds = 0;
    if (run(deck, fmt::format("{} {}", device, words), seconds) && seconds > 0)
      row.other_ways[name] = seconds;
  }
}

std::optional<Row> measure(const PlanModel& model, const std::filesystem::path& folder,
                           const std::string& device, bool choices) {
  const std::filesystem::path deck = folder / (model.name() + ".inp");
  bench::write_plan_model(model, deck);
  double seconds = 0;
  const std::optional<ordered_json> result = run(deck.string(), device, seconds);
  std::optional<Row> row;
  if (result) {
    if (auto reviewed = reviewed_run(*result, model.name())) {
      row.emplace();
      row->model = model;
      row->run = std::move(*reviewed);
      ordered_json counts = result->at("prediction").at("counts");
      counts["iterations_predicted"] = result->at("prediction").at("iterations");
      counts["iterations"] = result->at("steps").back().at("iterations");
      row->counts = std::make_shared<const ordered_json>(std::move(counts));
      row->chosen = result->at("prediction").at("chosen").get<std::string>();
      if (const auto plan =
              run_own_command(fmt::format("plan '{}' --json --timings {}", deck.string(), device)))
        row->plan_seconds = plan->at("timings").at("seconds").get<double>();
      if (choices) try_other_ways(deck.string(), device, *row);
    }
  }
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
    std::filesystem::remove_all(file.path(), ignored);
  return row;
}

void print(const Row& row) {
  fmt::print("{:<34} {:>4} {:>10} {:>10} {:>7.1f} {:>6} {:>9.1f} {:>9}  {}\n", row.run.name,
             row.model.fits ? "fit" : "", format_seconds(row.run.predicted.middle),
             format_seconds(row.run.measured), 100 * (row.run.predicted.middle / row.run.measured - 1),
             row.run.inside() ? "yes" : "no", 100 * (row.run.predicted_memory / row.run.measured_memory - 1),
             row.other_ways.empty() ? "-" : fmt::format("{:.2f}", row.choice_over_best()), row.chosen);
  std::fflush(stdout);
}

ordered_json to_json(const Row& row) {
  ordered_json json = app::to_json(row.run);
  json["half"] = row.model.fits ? "fit" : "test";
  json["chosen"] = row.chosen;
  json["plan_seconds"] = row.plan_seconds;
  json["other_ways"] = row.other_ways;
  json["counts"] = *row.counts;
  return json;
}

/// Of the runs with other ways measured beside.
double right_choices(const std::vector<Row>& rows) {
  double right = 0;
  double all = 0;
  for (const Row& row : rows) {
    if (row.other_ways.empty()) continue;
    all += 1;
    if (row.choice_over_best() <= as_good) right += 1;
  }
  return all > 0 ? right / all : 0;
}

std::vector<plot::Plot> plots_of(const std::vector<Row>& rows) {
  plot::Plot times;
  times.title = "Time of whole runs over the size of the model";
  times.x = {"unknowns", true};
  times.y = {"s", true};
  plot::PlotSeries measured{"measured", {}, {}, plot::PlotMark::points};
  plot::PlotSeries predicted{"predicted", {}, {}, plot::PlotMark::points};
  plot::Plot against;
  against.title = "Predicted against measured";
  against.x = {"measured, s", true};
  against.y = {"predicted, s", true};
  plot::PlotSeries fit{"learnt from", {}, {}, plot::PlotMark::points};
  plot::PlotSeries test{"never used to fit", {}, {}, plot::PlotMark::points};
  double least = 1e30;
  double most = 0;
  for (const Row& row : rows) {
    const double unknowns = row.counts->at("steps").back().value("unknowns", 1.0);
    measured.x.push_back(unknowns);
    measured.y.push_back(row.run.measured);
    predicted.x.push_back(unknowns);
    predicted.y.push_back(row.run.predicted.middle);
    plot::PlotSeries& half = row.model.fits ? fit : test;
    half.x.push_back(row.run.measured);
    half.y.push_back(row.run.predicted.middle);
    least = std::min(least, row.run.measured);
    most = std::max(most, row.run.measured);
  }
  times.series = {measured, predicted};
  against.series = {fit, test, {"equal", {least, most}, {least, most}, plot::PlotMark::line}};
  return {times, against};
}

void print_sums(const std::vector<Row>& rows) {
  std::vector<ReviewedRun> fit;
  std::vector<ReviewedRun> test;
  double planning = 0;
  for (const Row& row : rows) {
    (row.model.fits ? fit : test).push_back(row.run);
    planning = std::max(planning, row.plan_seconds / row.run.measured);
  }
  print_review("learnt from", fit);
  print_review("never used to fit", test);
  fmt::print("\nthe chosen way is the best, or within 15 % of it: {:.0f} % of the models\n",
             100 * right_choices(rows));
  std::vector<double> share;
  share.reserve(rows.size());
  for (const Row& row : rows) share.push_back(row.plan_seconds / row.run.measured);
  fmt::print("setka plan itself: median {:.1f} % of the run, at most {:.1f} %\n",
             100 * plan::percentile(share, 0.5), 100 * planning);
}

ordered_json sums(const std::vector<Row>& rows) {
  std::vector<ReviewedRun> fit;
  std::vector<ReviewedRun> test;
  for (const Row& row : rows) (row.model.fits ? fit : test).push_back(row.run);
  return {{"fit", app::to_json(plan::review_of(fit))},
          {"test", app::to_json(plan::review_of(test))},
          {"right_choices", right_choices(rows)}};
}

}  // namespace

ordered_json bench_plan(const DeviceOptions& device, const BenchPlanOptions& options, const KeepJson& keep) {
  const bool gpu = device.select_one().is_cuda();
  const std::int64_t largest = options.largest > 0 ? options.largest : gpu ? largest_on_gpu : largest_on_cpu;
  const ScratchFolder folder("plan");
  const std::string words = as_arguments(device);
  if (options.talk)
    fmt::print("\n{:<34} {:>4} {:>10} {:>10} {:>7} {:>6} {:>9} {:>9}  {}\n", "model", "half", "predicted",
               "measured", "off, %", "inside", "memory, %", "over best", "chosen");
  std::vector<Row> rows;
  std::vector<std::string> failed;
  ordered_json json{{"largest", largest}, {"models", ordered_json::array()}};
  for (const PlanModel& model : bench::plan_models(largest, options.quick)) {
    const std::optional<Row> row = measure(model, folder.path(), words, options.choices);
    if (!row) {
      failed.push_back(model.name());
      if (options.talk) fmt::print("{:<34} was not run, or has no prediction\n", model.name());
      continue;
    }
    if (options.talk) print(*row);
    json["models"].push_back(to_json(*row));
    rows.push_back(*row);
    keep(json);
  }
  json["failed"] = failed;
  if (rows.empty())
    throw Error(Fault::input, "no run has a prediction of its time", "run setka calibrate first");
  json["sums"] = sums(rows);
  if (options.talk) print_sums(rows);
  if (!options.plot.empty()) {
    plot::write_svg_plot(options.plot, plots_of(rows));
    if (options.talk) fmt::print("written: {}\n", options.plot);
  }
  return json;
}

}  // namespace setka::app
