// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <cstdint>

#include <fmt/core.h>

#include "json.hpp"
#include "setka/analysis/grid_stationary.hpp"
#include "setka/analysis/grid_steps.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/io/grid_case.hpp"
#include "setka/plan/decide.hpp"
#include "setka/plan/profile.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

plan::Decision decision_of(const io::GridCase& grid, const exec::Device& device,
                           const plan::DeviceProfile& profile) {
  const int bytes = grid.single_precision ? 4 : 8;
  if (is_stationary(grid.scheme)) {
    return plan::decide_stationary(profile, analysis::stationary_heat(grid), bytes, grid.most_iterations,
                                   analysis::memory_of(grid, device));
  }
  const grid::HeatProblem problem = analysis::heat_problem(grid);
  return plan::decide_heat(profile, problem.axes, bytes, grid.step, grid.steps, device.info().free_memory,
                           plan::fields_of(device, problem));
}

/// The way that the case itself asks for; a stationary case leaves it to the plan.
const plan::Choice* asked_for(const io::GridCase& grid, const plan::Decision& decision) {
  const auto scheme = analysis::heat_scheme(grid.scheme);
  const auto place = scheme ? plan::choice_of(decision, *scheme) : std::nullopt;
  return place ? &decision.choices[*place] : nullptr;
}

void print_decision(const io::GridCase& grid, const plan::Decision& decision) {
  fmt::print("\n{:>12} {:>12}\n", "time", "memory");
  for (std::size_t i = 0; i < decision.choices.size(); ++i) {
    const plan::Choice& choice = decision.choices[i];
    const std::string time = choice.lacks.empty() ? format_seconds(choice.cost.seconds()) : "-";
    fmt::print("{:>12} {:>12}  {}{}{}\n", time, format_bytes(choice.cost.device_bytes),
               i == decision.chosen ? "* " : "  ", choice.name,
               choice.lacks.empty() ? "" : ": " + choice.lacks);
  }
  fmt::print("\n{}\n", decision.why);
  const plan::Choice* const asked = asked_for(grid, decision);
  if (asked == nullptr) return;
  if (asked->lacks.empty()) {
    fmt::print("the case asks for {}: {}\n", asked->name, format_seconds(asked->cost.seconds()));
    for (const plan::Term& term : asked->cost.terms)
      fmt::print("{:>12}  {}\n", format_seconds(term.seconds), term.what);
  } else {
    fmt::print("the case asks for {}: {}\n", asked->name, asked->lacks);
  }
}

ordered_json decision_json(const io::GridCase& grid, const plan::Decision& decision) {
  ordered_json json{{"case", grid.file.string()},
                    {"chosen", decision.choice().name},
                    {"why", decision.why},
                    {"choices", ordered_json::array()}};
  if (const plan::Choice* const asked = asked_for(grid, decision)) json["asked_for"] = asked->name;
  for (const plan::Choice& choice : decision.choices) {
    ordered_json terms = ordered_json::array();
    for (const plan::Term& term : choice.cost.terms)
      terms.push_back({{"what", term.what}, {"seconds", term.seconds}});
    json["choices"].push_back({{"name", choice.name},
                               {"seconds", choice.cost.seconds()},
                               {"device_bytes", choice.cost.device_bytes},
                               {"lacks", choice.lacks},
                               {"terms", terms}});
  }
  return json;
}

}  // namespace

CLI::App* add_plan_command(CLI::App& cli, PlanOptions& options) {
  CLI::App* command =
      cli.add_subcommand("plan", "Say what a case would take, and in which way, without running it");
  command->add_option("case", options.file, "The case: a .toml file")->required()->type_name("CASE.toml");
  command->footer("\nNeeds the profile of this machine, which setka calibrate writes.");
  return command;
}

int plan_case(const PlanOptions& options, const CommonOptions& common, const DeviceOptions& device) {
  const exec::Device on = device.select().front();
  const io::GridCase grid = io::read_grid_case(options.file);
  std::string why;
  const auto profile = plan::profile_for(on, why);
  if (!profile)
    throw Error(Fault::input, why, fmt::format("run setka calibrate --backend {} first", name(on.backend())));
  const plan::Decision decision = decision_of(grid, on, *profile);
  if (common.json) {
    fmt::print("{}\n", decision_json(grid, decision).dump(2));
    return static_cast<int>(ExitCode::done);
  }
  if (!common.quiet) {
    fmt::print("setka {}: {} on {}, {}\n", version, options.file, on.label(),
               is_stationary(grid.scheme) ? fmt::format("at most {} sweeps", grid.most_iterations)
                                          : fmt::format("{} steps", grid.steps));
  }
  print_decision(grid, decision);
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
