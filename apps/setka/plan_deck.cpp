// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan_deck.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "deck_plan.hpp"
#include "json.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/deck/inp.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;
using plan::StepKind;

/// What is known of one place to compute at.
struct Placed {
  std::string label;  // "cpu", "cuda:0"
  DeckPlan plan;
};

deck::Deck read(const std::string& file, Monitor& monitor) {
  const Stage stage = monitor.stage("read");
  deck::Deck deck = deck::read_inp(deck_path(file), monitor, deck::Completeness::unchecked);
  deck::refuse_unsupported(deck);
  for (const Error& missing : deck::missing_from(deck)) throw Error(missing);
  return deck;
}

/// Those of a machine that is described by a file, the one to run on first.
std::vector<plan::DeviceProfile> profiles_of(const std::string& file) {
  const std::optional<plan::MachineProfile> machine = plan::read_profile(file);
  if (!machine)
    throw Error(Fault::input, "there is no such profile", "run setka calibrate -o there", {file, 0});
  std::vector<plan::DeviceProfile> found;
  for (const plan::DeviceProfile& device : machine->devices) {
    if (plan::knows_decks(device)) found.push_back(device);
  }
  if (found.empty())
    throw Error(Fault::input, "the profile knows no decks", "run setka calibrate on that machine", {file, 0});
  std::ranges::stable_sort(found, std::greater{}, [](const auto& one) { return one.device != "cpu"; });
  return found;
}

std::string counts_in_words(const plan::DeckCounts& counts) {
  std::vector<std::string> kinds;
  for (const plan::ElementCounts& kind : counts.kinds)
    kinds.push_back(fmt::format("{:.0f} {}", kind.elements, kind.kind));
  return fmt::format("{:.0f} nodes, {:.0f} elements (computed as {})", counts.nodes, counts.elements,
                     join_words(kinds));
}

void print_steps(const plan::DeckCounts& counts) {
  for (const plan::StepCounts& step : counts.steps) {
    if (step.kind == StepKind::other) {
      fmt::print("step {}, {}: there are no formulas for it yet\n", step.number, step.keyword);
      continue;
    }
    fmt::print("step {}, {}: {:.0f} unknowns, {} entries of the matrix", step.number, step.keyword,
               step.unknowns, format_count(step.entries));
    if (step.factor_entries > 0)
      fmt::print("; a factor has {}{} entries and takes {} operations", step.factor_is_exact ? "" : "about ",
                 format_count(step.factor_entries), format_count(step.factor_flops));
    fmt::print("\n");
  }
}

std::string time_of(const plan::Choice& choice) {
  const plan::Range range = choice.cost.range(plan::common_spread());
  return fmt::format("{:>10}  {:>10} to {:<10}", format_seconds(range.middle), format_seconds(range.low),
                     format_seconds(range.high));
}

void print_choices(const std::vector<Placed>& places) {
  fmt::print("\n{:>12} {:>26} {:>12} {:>12} {:>11}\n", "time", "eight of ten within", "memory", "of device",
             "disk");
  for (const Placed& place : places) {
    const plan::DeckDecision& decision = *place.plan.decision;
    for (std::size_t i = 0; i < decision.choices.size(); ++i) {
      const plan::Choice& choice = decision.choices[i];
      const bool chosen = &place == &places.front() && decision.chosen == i;
      fmt::print("{} {} {:>12} {:>12} {:>11}  {} on {}{}\n", chosen ? "*" : " ", time_of(choice),
                 format_bytes(choice.cost.host_bytes),
                 choice.cost.device_bytes > 0 ? format_bytes(choice.cost.device_bytes) : "-",
                 format_bytes(choice.cost.disk_bytes), choice.name, place.label,
                 choice.lacks.empty() ? "" : ": " + choice.lacks);
    }
  }
}

void print_stages(const std::vector<Placed>& places) {
  std::vector<const plan::Choice*> columns;
  std::vector<std::string> heads;
  std::vector<std::string> stages;
  for (const Placed& place : places) {
    for (const plan::Choice& choice : place.plan.decision->choices) {
      columns.push_back(&choice);
      heads.push_back(fmt::format("{} on {}", choice.name, place.label));
      for (const plan::Term& term : choice.cost.terms) {
        if (std::ranges::find(stages, term.what) == stages.end()) stages.push_back(term.what);
      }
    }
  }
  fmt::print("\n{:<12}", "stage");
  for (const std::string& head : heads) fmt::print(" {:>{}}", head, std::max<std::size_t>(12, head.size()));
  fmt::print("\n");
  for (const std::string& stage : stages) {
    fmt::print("{:<12}", stage);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto term = std::ranges::find(columns[c]->cost.terms, stage, &plan::Term::what);
      const std::string text = term == columns[c]->cost.terms.end() ? "-" : format_seconds(term->seconds);
      fmt::print(" {:>{}}", text, std::max<std::size_t>(12, heads[c].size()));
    }
    fmt::print("\n");
  }
}

void print_memory(const DeckPlan& plan) {
  fmt::print("\nmost memory at {}, {} beside what the deck itself has ({}):\n", plan.memory.moment,
             format_bytes(plan.memory.host_peak - plan.place.resident), format_bytes(plan.place.resident));
  for (const plan::ArrayBytes& array : plan.memory.arrays)
    fmt::print("{:>12}  {}{}\n", format_bytes(static_cast<std::uint64_t>(array.bytes)), array.name,
               array.on_device ? ", on the device" : "");
}

ordered_json plan_json(const std::string& file, const std::vector<Placed>& places) {
  const DeckPlan& first = places.front().plan;
  const plan::DeckDecision& decision = *first.decision;
  ordered_json json{{"deck", file}, {"counts", app::to_json(first.counts)}, {"whole", first.whole()}};
  if (decision.chosen) {
    const plan::Choice& choice = decision.choice();
    const ordered_json own = deck_choice_json(choice);
    json["chosen"] = choice.name;
    json["device"] = places.front().label;
    for (const char* const key : {"seconds", "host_memory", "device_memory", "disk", "stages"})
      json[key] = own.at(key);
  } else {
    json["chosen"] = nullptr;
  }
  json["why"] = decision.why;
  json["memory"] = app::to_json(first.memory);
  json["choices"] = ordered_json::array();
  for (const Placed& place : places) {
    for (const plan::Choice& choice : place.plan.decision->choices) {
      ordered_json own = deck_choice_json(choice);
      own["device"] = place.label;
      json["choices"].push_back(own);
    }
  }
  return json;
}

/// A plan on the same counts for another device, or for one of another machine, whose memory nobody knows.
DeckPlan plan_elsewhere(DeckPlan plan, const plan::DeviceProfile& profile, std::uint64_t memory,
                        bool other_machine) {
  const std::uint64_t limit = memory > 0 ? memory : UINT64_MAX;
  plan.profile = profile;
  plan.place.profile = &profile;
  if (profile.device == "cpu") {
    plan.place.device_memory = 0;
    plan.place.host_memory = other_machine ? limit : std::min(plan.place.host_memory, limit);
  } else {
    plan.place.device_memory = limit;
    if (other_machine) plan.place.host_memory = UINT64_MAX;
  }
  plan.decision = plan::decide_deck(plan.place, plan.counts, plan.wishes);
  if (plan.decision->chosen) plan.way = plan.decision->ways[*plan.decision->chosen];
  plan.memory = plan::memory_of(plan.counts, plan.way, profile.device != "cpu", plan.place.resident);
  plan.place.profile = nullptr;
  return plan;
}

}  // namespace

int plan_deck_command(const PlanOptions& options, const CommonOptions& common, const DeviceOptions& device,
                      Monitor& monitor) {
  const exec::Device on = device.select_one();
  std::vector<plan::DeviceProfile> of_machine;
  std::string why;
  std::optional<plan::DeviceProfile> profile;
  if (options.machine.empty()) {
    profile = deck_profile(on, why);
    if (!profile)
      throw Error(Fault::input, why,
                  fmt::format("run setka calibrate --backend {} first", name(on.backend())));
  } else {
    of_machine = profiles_of(options.machine);
  }
  const deck::Deck deck = read(options.file(), monitor);
  analysis::Computing computing = computing_of(options.run, device);
  take_devices({on}, device, computing);
  std::optional<Stage> counting(monitor.stage("count"));
  const analysis::Setup setup = analysis::set_up(deck.model);
  std::vector<Placed> places;
  places.push_back({on.label(), plan_deck(setup, computing, profile, device.memory)});
  counting.reset();
  if (!options.machine.empty()) {
    const DeckPlan counted = std::move(places.front().plan);
    places.clear();
    for (const plan::DeviceProfile& one : of_machine)
      places.push_back({one.device, plan_elsewhere(counted, one, device.memory, true)});
  } else if (on.is_cuda() && !device.named()) {
    if (const auto cpu = deck_profile(exec::Device::cpu(device.threads), why))
      places.push_back({"cpu", plan_elsewhere(places.front().plan, *cpu, 0, false)});
  }
  const DeckPlan& first = places.front().plan;
  if (!first.decision) throw Error(Fault::input, first.why_no_profile, "run setka calibrate");
  const bool fits = first.decision->chosen.has_value();
  const auto code = static_cast<int>(fits ? ExitCode::done : ExitCode::resource);
  if (common.json) {
    ordered_json json = plan_json(options.file(), places);
    if (common.timings) json["timings"] = app::to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
    return code;
  }
  if (!common.quiet) fmt::print("setka {}: {}\n", version, options.file());
  fmt::print("{}\n", counts_in_words(first.counts));
  print_steps(first.counts);
  print_choices(places);
  fmt::print("\n{}\n", first.decision->why);
  print_stages(places);
  print_memory(first);
  if (!first.whole()) fmt::print("\nsteps without formulas are not in these figures\n");
  return code;
}

}  // namespace setka::app
