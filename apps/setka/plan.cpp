// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "plan_deck.hpp"
#include "plan_ranks.hpp"
#include "plan_review.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/cases/grid_stationary.hpp"
#include "setka/cases/grid_steps.hpp"
#include "setka/io/grid_case.hpp"
#include "setka/plan/decide.hpp"
#include "setka/plan/profile.hpp"

namespace setka::app {
namespace {

using cases::value_bytes;
using nlohmann::ordered_json;

struct Plan {
  plan::Decision decision;
  std::optional<plan::Choice> asked;  // the way that the case itself asks for; none: it leaves it to the plan
  std::vector<std::string> notes;     // what the figures leave out
};

/// Of grids in files: what the disk moves, and how fast it must be for the figures to hold.
std::string note_on_disk(const model::GridCase& grid, const plan::Choice& taken) {
  const auto array =
      static_cast<std::uint64_t>(grid.point_count()) * static_cast<unsigned>(value_bytes(grid));
  const std::string held =
      fmt::format("the grid is on the disk, {} of state and as much of source", format_bytes(array));
  if (!taken.pyramid) return fmt::format("{}: read and written once, which is not in these times", held);
  const std::uint64_t of_a_pass = 3 * array;
  const std::int64_t height = taken.pyramid->height;
  const std::int64_t passes = std::max<std::int64_t>(1, (grid.most_iterations + height - 1) / height);
  const double rate =
      static_cast<double>(of_a_pass * static_cast<std::uint64_t>(passes)) / taken.cost.seconds();
  return fmt::format(
      "{}: each pass of {} sweeps reads and writes {}, which is not in these times; where the memory does "
      "not "
      "hold them, a disk of less than {}/s makes it longer",
      held, height, format_bytes(of_a_pass), format_bytes(static_cast<std::uint64_t>(rate)));
}

Plan plan_stationary(const model::GridCase& grid, const exec::Device& device,
                     const plan::DeviceProfile& profile) {
  const grid::StationaryHeat heat = cases::stationary_heat(grid);
  const std::uint64_t memory = cases::memory_of(grid, device);
  const int bytes = value_bytes(grid);
  Plan found{plan::decide_stationary(profile, heat, bytes, grid.most_iterations, memory), {}, {}};
  if (const auto layout = cases::asked_pyramid(grid, heat, memory))
    found.asked = plan::pyramid_choice(profile, heat, bytes, *layout, grid.most_iterations);
  if (const std::string none = cases::why_no_formula(grid); !none.empty())
    found.notes.push_back(fmt::format("{}: the times are those of as many sweeps of {}", none,
                                      model::name(model::GridScheme::jacobi)));
  if (grid.on_disk)
    found.notes.push_back(note_on_disk(grid, found.asked ? *found.asked : found.decision.choice()));
  return found;
}

Plan plan_steps(const model::GridCase& grid, const exec::Device& device, const plan::DeviceProfile& profile) {
  const grid::HeatProblem problem = cases::heat_problem(grid);
  Plan found{plan::decide_heat(profile, problem.axes, value_bytes(grid), grid.step, grid.steps,
                               device.info().free_memory, plan::fields_of(device, problem)),
             {},
             {}};
  if (const auto scheme = cases::heat_scheme(grid.scheme)) {
    if (const auto place = plan::choice_of(found.decision, *scheme))
      found.asked = found.decision.choices[*place];
  }
  return found;
}

void print(const Plan& found) {
  const plan::Decision& decision = found.decision;
  fmt::print("\n{:>12} {:>12}\n", "time", "memory");
  for (std::size_t i = 0; i < decision.choices.size(); ++i) {
    const plan::Choice& choice = decision.choices[i];
    const std::string time = choice.lacks.empty() ? format_seconds(choice.cost.seconds()) : "-";
    fmt::print("{:>12} {:>12}  {}{}{}\n", time, format_bytes(choice.cost.device_bytes),
               i == decision.chosen ? "* " : "  ", choice.name,
               choice.lacks.empty() ? "" : ": " + choice.lacks);
  }
  fmt::print("\n{}\n", decision.why);
  if (found.asked && found.asked->lacks.empty()) {
    fmt::print("the case asks for {}: {}\n", found.asked->name, format_seconds(found.asked->cost.seconds()));
    for (const plan::Term& term : found.asked->cost.terms)
      fmt::print("{:>12}  {}\n", format_seconds(term.seconds), term.what);
  } else if (found.asked) {
    fmt::print("the case asks for {}: {}\n", found.asked->name, found.asked->lacks);
  }
  for (const std::string& note : found.notes) fmt::print("{}\n", note);
}

ordered_json choice_json(const plan::Choice& choice) {
  ordered_json terms = ordered_json::array();
  for (const plan::Term& term : choice.cost.terms)
    terms.push_back({{"what", term.what}, {"seconds", term.seconds}});
  return {{"name", choice.name},
          {"seconds", choice.cost.seconds()},
          {"device_bytes", choice.cost.device_bytes},
          {"lacks", choice.lacks},
          {"terms", terms}};
}

ordered_json plan_json(const model::GridCase& grid, const Plan& found) {
  ordered_json json{{"case", grid.file.string()},
                    {"chosen", found.decision.choice().name},
                    {"why", found.decision.why},
                    {"choices", ordered_json::array()},
                    {"notes", found.notes}};
  if (found.asked) {
    json["asked_for"] = found.asked->name;
    json["asked"] = choice_json(*found.asked);
  }
  for (const plan::Choice& choice : found.decision.choices) json["choices"].push_back(choice_json(choice));
  return json;
}

}  // namespace

cli::App* add_plan_command(cli::App& cli, PlanOptions& options) {
  cli::App* command = cli.add_subcommand(
      "plan", "Say what a case or a deck would take, and in which way, without running it");
  command->add_option("case", options.files, "The case: a .toml file; or a deck; or results, for --review")
      ->required()
      ->type_name("CASE");
  command
      ->add_option("--ranks", options.processes,
                   "Of a deck: what a static step takes by up to so many processes")
      ->type_name("N");
  command
      ->add_option("--machine", options.machine,
                   "Of a deck: the profile of another machine, in the place of this one's")
      ->type_name("PROFILE.json");
  command->add_flag("--review", options.review,
                    "Of results of setka run --json: how good their predictions were");
  command->add_flag("--refit", options.refit,
                    "Of --review: keep what stages took over what was predicted in the profile");
  add_solver_options(*command, options.run.solver);
  add_modes_option(*command, options.run.modes);
  command->footer(
      "\nNeeds the profile of this machine, which setka calibrate writes. Of a deck the exit code is 4 "
      "where\n"
      "no way fits into the memory.");
  return command;
}

int plan_case(const PlanOptions& options, const CommonOptions& common, const DeviceOptions& device,
              Monitor& monitor) {
  if (options.review) return review_runs(options, common);
  if (options.refit) throw Error(Fault::usage, "--refit is of --review", "add --review and results of runs");
  if (options.files.size() > 1)
    throw Error(Fault::usage, fmt::format("{} cases were given", options.files.size()),
                "give one; several results are for --review");
  const std::string& file = options.file();
  if (options.processes) return plan_processes(file, *options.processes, common, monitor);
  if (!std::string_view(file).ends_with(".toml")) return plan_deck_command(options, common, device, monitor);
  const exec::Device on = device.select_one();
  const model::GridCase grid = io::read_grid_case(file);
  std::string why;
  const auto profile = plan::profile_for(on, why);
  if (!profile)
    throw Error(Fault::input, why, fmt::format("run setka calibrate --backend {} first", name(on.backend())));
  const Plan found =
      is_stationary(grid.scheme) ? plan_stationary(grid, on, *profile) : plan_steps(grid, on, *profile);
  if (common.json) {
    fmt::print("{}\n", json_text(plan_json(grid, found)));
    return static_cast<int>(ExitCode::done);
  }
  if (!common.quiet) {
    fmt::print("setka {}: {} on {}, {}\n", version, file, on.label(),
               is_stationary(grid.scheme) ? fmt::format("at most {} sweeps", grid.most_iterations)
                                          : fmt::format("{} steps", grid.steps));
  }
  print(found);
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
