// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan_review.hpp"

#include <fstream>
#include <iterator>

#include <fmt/core.h>

#include "json.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/plan/profile.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;
using plan::ReviewedRun;

ordered_json result_in(const std::string& file) {
  std::ifstream in(file);
  if (!in)
    throw Error(Fault::input, "the result cannot be read", "give what setka run --json printed", {file, 0});
  try {
    return ordered_json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
  } catch (const ordered_json::exception& error) {
    throw Error(Fault::input, error.what(), "give what setka run --json printed", {file, 0});
  }
}

/// Of each device's runs the ratios go into its profile, beside what is there.
void refit(const std::vector<ReviewedRun>& runs, const std::string& device, bool talk) {
  const std::optional<plan::MachineProfile> read = plan::read_profile(plan::profile_path());
  const plan::DeviceProfile* const found = read ? read->find(device) : nullptr;
  if (found == nullptr)
    throw Error(Fault::input, fmt::format("{} has no profile to correct", device),
                "run setka calibrate first");
  plan::MachineProfile machine{read->setka, {*found}};
  plan::DeviceProfile& profile = machine.devices.front();
  for (const auto& [stage, ratio] : plan::ratios_of(runs)) {
    const auto [known, is_new] = profile.corrections.try_emplace(stage, 1.0);
    known->second *= ratio;
    if (talk) fmt::print("{:<12} {:>8.3f}\n", stage, known->second);
  }
  plan::write_profile(plan::profile_path(), machine);
  if (talk) fmt::print("written: {}\n", plan::profile_path().string());
}

}  // namespace

std::optional<ReviewedRun> reviewed_run(const ordered_json& result, const std::string& name) {
  if (!result.contains("prediction")) return std::nullopt;
  const ordered_json& own = result.at("prediction");
  if (!own.contains("seconds") || !own.value("whole", false)) return std::nullopt;
  ReviewedRun run;
  run.name = name;
  run.predicted = {own.at("seconds").at("low").get<double>(), own.at("seconds").at("middle").get<double>(),
                   own.at("seconds").at("high").get<double>()};
  run.measured = own.at("measured_seconds").get<double>();
  run.predicted_memory = own.at("host_memory").get<double>();
  run.measured_memory = result.at("peak_memory").get<double>();
  for (const ordered_json& stage : own.at("stages"))
    run.stages.push_back({stage.at("stage").get<std::string>(), stage.at("predicted").get<double>(),
                          stage.at("measured").get<double>()});
  return run;
}

void print_runs(const std::vector<ReviewedRun>& runs) {
  fmt::print("{:<34} {:>10} {:>24} {:>10} {:>8} {:>7} {:>9}\n", "run", "predicted", "range", "measured",
             "off, %", "inside", "memory, %");
  for (const ReviewedRun& run : runs) {
    fmt::print("{:<34} {:>10} {:>10} to {:>10} {:>10} {:>8.1f} {:>7} {:>9.1f}\n", run.name,
               format_seconds(run.predicted.middle), format_seconds(run.predicted.low),
               format_seconds(run.predicted.high), format_seconds(run.measured),
               100 * (run.predicted.middle / run.measured - 1), run.inside() ? "yes" : "no",
               100 * (run.predicted_memory / run.measured_memory - 1));
  }
}

void print_review(const std::string& title, const std::vector<ReviewedRun>& runs) {
  const plan::Review review = plan::review_of(runs);
  fmt::print("\n{}: {} runs\n", title, review.runs);
  if (runs.empty()) return;
  fmt::print("  time of a whole run, median error and 90th percentile   {:.1f} %, {:.1f} %\n",
             100 * review.median, 100 * review.ninetieth);
  fmt::print("  stages without iterations, median error                 {:.1f} %\n",
             100 * review.steady_median);
  fmt::print("  peak memory, worst under and over                       {:.1f} %, {:.1f} %\n",
             100 * review.memory_under, 100 * review.memory_over);
  fmt::print("  measured within the predicted range                     {:.0f} %\n", 100 * review.inside);
  for (const auto& [stage, ratio] : plan::ratios_of(runs))
    fmt::print("    {:<12} measured over predicted, median {:.2f}\n", stage, ratio);
}

ordered_json to_json(const ReviewedRun& run) {
  ordered_json json{
      {"run", run.name},
      {"predicted",
       {{"low", run.predicted.low}, {"middle", run.predicted.middle}, {"high", run.predicted.high}}},
      {"measured", run.measured},
      {"predicted_memory", run.predicted_memory},
      {"measured_memory", run.measured_memory},
      {"inside", run.inside()},
      {"stages", ordered_json::array()}};
  for (const plan::ReviewedStage& stage : run.stages)
    json["stages"].push_back(
        {{"stage", stage.stage}, {"predicted", stage.predicted}, {"measured", stage.measured}});
  return json;
}

ordered_json to_json(const plan::Review& review) {
  return {{"runs", review.runs},
          {"median_error", review.median},
          {"ninetieth_percentile", review.ninetieth},
          {"inside", review.inside},
          {"steady_stages_median_error", review.steady_median},
          {"memory_worst_under", review.memory_under},
          {"memory_worst_over", review.memory_over}};
}

int review_runs(const PlanOptions& options, const CommonOptions& common) {
  std::vector<ReviewedRun> runs;
  std::vector<std::string> without;
  std::string device;
  for (const std::string& file : options.files) {
    const ordered_json result = result_in(file);
    std::optional<ReviewedRun> run;
    try {
      run = reviewed_run(result, file);
    } catch (const ordered_json::exception& error) {
      throw Error(Fault::input, error.what(), "give what setka run --json printed", {file, 0});
    }
    if (!run) {
      without.push_back(file);
      continue;
    }
    const std::string own = result.at("prediction").at("profile").at("device").get<std::string>();
    if (!device.empty() && device != own)
      throw Error(Fault::input, fmt::format("runs on {} and on {} have different profiles", device, own),
                  "review those of one device", {file, 0});
    device = own;
    runs.push_back(std::move(*run));
  }
  if (runs.empty())
    throw Error(Fault::input, "no result has a prediction of its time",
                "run setka calibrate, then setka run --json");
  if (common.json) {
    ordered_json json{{"review", to_json(plan::review_of(runs))},
                      {"ratios", plan::ratios_of(runs)},
                      {"runs", ordered_json::array()}};
    for (const ReviewedRun& run : runs) json["runs"].push_back(to_json(run));
    json["without_prediction"] = without;
    if (options.refit) refit(runs, device, false);
    fmt::print("{}\n", json_text(json));
    return static_cast<int>(ExitCode::done);
  }
  print_runs(runs);
  print_review("all", runs);
  for (const std::string& file : without) fmt::print("{}: no prediction of its time\n", file);
  if (options.refit) {
    fmt::print("\ncorrections from now on:\n");
    refit(runs, device, true);
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
