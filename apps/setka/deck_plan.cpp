// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "deck_plan.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/deck_counts.hpp"
#include "setka/analysis/modal_system.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/plan/measured_stages.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;
using plan::DeckWay;
using plan::LinearWay;
using plan::ModesWay;
using plan::StepKind;

/// Part of the estimate below which a lack of memory is certain.
constexpr double certain_share = 0.85;

ModesWay way_of(modes::Method method) {
  if (method == modes::Method::dense) return ModesWay::dense;
  return method == modes::Method::lanczos ? ModesWay::lanczos : ModesWay::lobpcg;
}

/// What the user asks for by name.
plan::DeckWishes wishes_of(const analysis::Computing& computing) {
  plan::DeckWishes wishes;
  wishes.can_factorise = solve::Cholesky::available();
  const solve::SolverChoice& solver = computing.solver;
  if (solver.method == solve::Method::cholesky) wishes.linear = LinearWay::factor;
  if (solver.method == solve::Method::cg || solver.preconditioner != "auto") wishes.linear = LinearWay::cg;
  if (computing.modes != modes::Method::automatic) wishes.modes = way_of(computing.modes);
  if (solver.preconditioner != "auto") wishes.modes = wishes.modes.value_or(ModesWay::lobpcg);
  return wishes;
}

/// What a run does by sizes alone.
DeckWay usual_way(const plan::DeckCounts& counts, const analysis::Computing& computing) {
  DeckWay way;
  for (const plan::StepCounts& step : counts.steps) {
    const auto unknowns = static_cast<std::int64_t>(step.unknowns);
    if (step.kind == StepKind::statics)
      way.linear = solve::factorises(computing.solver, unknowns) ? LinearWay::factor : LinearWay::cg;
    if (step.kind != StepKind::modes) continue;
    modes::Request request;
    request.count = static_cast<std::int64_t>(step.modes);
    way.modes =
        way_of(modes::chosen_method(analysis::modal_choice(computing), unknowns, request, computing.device));
  }
  return way;
}

plan::DeckPlace place_of(const exec::Device& device, std::uint64_t memory) {
  plan::DeckPlace place;
  place.resident = resident_bytes();
  place.host_memory = host_memory().available + place.resident;
  if (device.is_cuda()) {
    place.device_memory = memory > 0 ? memory : device.info().free_memory;
  } else if (memory > 0) {
    place.host_memory = std::min(place.host_memory, memory);
  }
  return place;
}

/// Bytes that are certain to be needed.
std::uint64_t certain(std::uint64_t estimate, std::uint64_t resident) {
  const std::uint64_t beside = estimate > resident ? estimate - resident : 0;
  return std::min(estimate, resident) +
         static_cast<std::uint64_t>(certain_share * static_cast<double>(beside));
}

std::string arrays_in_words(const plan::MemoryPlan& memory) {
  std::vector<plan::ArrayBytes> arrays = memory.arrays;
  std::ranges::sort(arrays, std::greater{}, &plan::ArrayBytes::bytes);
  std::vector<std::string> words;
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(most, arrays.size()); ++i)
    words.push_back(
        fmt::format("{} {}", arrays[i].name, format_bytes(static_cast<std::uint64_t>(arrays[i].bytes))));
  return join_words(words);
}

}  // namespace

bool DeckPlan::whole() const {
  return !counts.steps.empty() && std::ranges::none_of(counts.steps, [](const plan::StepCounts& step) {
    return step.kind == StepKind::other;
  });
}

bool is_planned(const analysis::Computing& computing) {
  const solve::SolverChoice& solver = computing.solver;
  const bool by_multigrid = solver.preconditioner == "auto" || solver.preconditioner == "amg";
  const bool linear = solver.method == solve::Method::automatic || solver.method == solve::Method::cg ||
                      solver.method == solve::Method::cholesky;
  return computing.ranks == nullptr && !computing.team && !computing.substructures && !computing.reduction &&
         solver.given == nullptr && by_multigrid && linear && computing.modes != modes::Method::subspace &&
         (computing.operator_kind == analysis::OperatorKind::automatic ||
          computing.operator_kind == analysis::OperatorKind::assembled);
}

std::optional<plan::DeviceProfile> deck_profile(const exec::Device& device, std::string& why) {
  try {
    const auto machine = plan::read_profile(plan::profile_path());
    const plan::DeviceProfile* const found = machine ? machine->find(device.label()) : nullptr;
    if (found == nullptr) {
      why = fmt::format("{} has no profile", device.label());
      return std::nullopt;
    }
    why = plan::why_foreign(*found, device);
    if (why.empty() && !plan::knows_decks(*found))
      why = fmt::format("the profile of {} was made before decks were measured", device.label());
    return why.empty() ? std::optional(*found) : std::nullopt;
  } catch (const Error& error) {  // a run does not need it
    why = error.message();
    return std::nullopt;
  }
}

DeckPlan plan_deck(const analysis::Setup& setup, const analysis::Computing& computing,
                   std::optional<plan::DeviceProfile> profile, std::uint64_t memory) {
  DeckPlan made;
  made.place = place_of(computing.device, memory);
  made.profile = std::move(profile);
  made.counts = analysis::count_deck(setup, computing);
  made.way = usual_way(made.counts, computing);
  made.wishes = wishes_of(computing);
  plan::DeckWishes wishes = made.wishes;
  wishes.usual = made.way;
  if (made.profile) {
    made.place.profile = &*made.profile;
    try {
      made.decision = plan::decide_deck(made.place, made.counts, wishes);
      if (made.decision->chosen) made.way = made.decision->ways[*made.decision->chosen];
    } catch (const Error& error) {  // a curve is missing
      made.why_no_profile = error.message();
    }
    made.place.profile = nullptr;  // the plan may be moved
  }
  made.memory = plan::memory_of(made.counts, made.way, computing.device.is_cuda(), made.place.resident);
  return made;
}

void refuse_what_does_not_fit(const DeckPlan& plan, bool may_use_cpu) {
  const plan::MemoryPlan& memory = plan.memory;
  std::string what;
  if (certain(memory.host_peak, plan.place.resident) > plan.place.host_memory) {
    what = fmt::format("about {} of memory are needed ({}: {}), and {} may be used",
                       format_bytes(memory.host_peak), memory.moment, arrays_in_words(memory),
                       format_bytes(plan.place.host_memory));
  } else if (!may_use_cpu && certain(memory.device_peak, 0) > plan.place.device_memory) {
    what = fmt::format("about {} of the device's memory are needed ({}), and {} may be used",
                       format_bytes(memory.device_peak), arrays_in_words(memory),
                       format_bytes(plan.place.device_memory));
  }
  if (what.empty()) return;
  const double unknowns = plan.counts.steps.empty() ? 0 : plan.counts.steps.back().unknowns;
  throw Error(Fault::resource, fmt::format("{:.0f} unknowns do not fit: {}", unknowns, what),
              "see setka plan for other ways, use a smaller model, or end other programs");
}

void take_way(const DeckPlan& plan, analysis::Computing& computing) {
  if (!plan.decision || !plan.decision->chosen || !plan.whole()) return;
  if (computing.solver.method == solve::Method::automatic)
    computing.solver.begins_with_factor = plan.way.linear == LinearWay::factor;
  if (computing.modes == modes::Method::automatic)
    computing.preferred_modes =
        plan.way.modes == ModesWay::lanczos ? modes::Method::lanczos : modes::Method::lobpcg;
}

ordered_json to_json(const plan::DeckCounts& counts) {
  ordered_json json{{"nodes", counts.nodes},
                    {"elements", counts.elements},
                    {"bytes", counts.bytes},
                    {"solid_nodes", counts.solid_nodes},
                    {"element_values", counts.element_values()},
                    {"points", counts.points},
                    {"aspect", counts.aspect},
                    {"slenderness", counts.slenderness},
                    {"contrast", counts.contrast},
                    {"kinds", ordered_json::object()},
                    {"steps", ordered_json::array()}};
  for (const plan::ElementCounts& kind : counts.kinds) json["kinds"][kind.kind] = kind.elements;
  for (const plan::StepCounts& step : counts.steps) {
    ordered_json own{{"step", step.number}, {"keyword", step.keyword}};
    if (step.kind != StepKind::other) {
      own["unknowns"] = step.unknowns;
      own["matrix_entries"] = step.entries;
      own["factor_entries"] = step.factor_entries;
      own["factor_flops"] = step.factor_flops;
      own["factor_is_exact"] = step.factor_is_exact;
    }
    if (step.kind == StepKind::modes) {
      own["modes"] = step.modes;
      own["columns"] = step.columns;
    }
    json["steps"].push_back(own);
  }
  return json;
}

ordered_json to_json(const plan::Range& range) {
  return {{"low", range.low}, {"middle", range.middle}, {"high", range.high}};
}

ordered_json to_json(const plan::MemoryPlan& memory) {
  ordered_json arrays = ordered_json::array();
  for (const plan::ArrayBytes& array : memory.arrays)
    arrays.push_back({{"array", array.name},
                      {"bytes", static_cast<std::uint64_t>(array.bytes)},
                      {"on", array.on_device ? "device" : "host"}});
  return {{"moment", memory.moment}, {"arrays", arrays}};
}

ordered_json deck_choice_json(const plan::Choice& choice) {
  ordered_json json{{"name", choice.name},
                    {"seconds", to_json(choice.cost.range(plan::common_spread()))},
                    {"host_memory", choice.cost.host_bytes},
                    {"device_memory", choice.cost.device_bytes},
                    {"disk", choice.cost.disk_bytes},
                    {"lacks", choice.lacks},
                    {"stages", ordered_json::array()}};
  for (const plan::Term& term : choice.cost.terms)
    json["stages"].push_back(
        {{"stage", term.what}, {"seconds", to_json(plan::range_of(term.seconds, term.spread))}});
  return json;
}

std::vector<PredictedStage> predicted_stages(const DeckPlan& plan, const StageTime& measured) {
  std::vector<PredictedStage> stages;
  for (const plan::MeasuredStage& stage : plan::measured_stages(measured)) {
    PredictedStage& own = stages.emplace_back();
    own.name = stage.stage;
    own.measured = stage.seconds;
    if (!plan.decision || !plan.decision->chosen) continue;
    const std::vector<plan::Term>& terms = plan.decision->choice().cost.terms;
    const auto term = std::ranges::find(terms, stage.stage, &plan::Term::what);
    own.predicted = term == terms.end() ? 0 : term->seconds;
  }
  return stages;
}

ordered_json prediction_json(const DeckPlan& plan, const StageTime& measured) {
  ordered_json json{{"host_memory", plan.memory.host_peak},
                    {"device_memory", plan.memory.device_peak},
                    {"disk", plan.memory.disk},
                    {"memory", to_json(plan.memory)},
                    {"counts", to_json(plan.counts)}};
  if (plan.decision && plan.decision->chosen) {
    const plan::Choice& choice = plan.decision->choice();
    json["chosen"] = choice.name;
    json["why"] = plan.decision->why;
    json["seconds"] = to_json(choice.cost.range(plan::common_spread()));
    json["profile"] = {{"device", plan.profile->device}, {"date", plan.profile->date}};
    json["iterations"] = ordered_json::array();
    for (const plan::StepCounts& step : plan.counts.steps)
      json["iterations"].push_back(plan::iterations_of(plan.way, plan.counts, step).middle);
  } else if (!plan.why_no_profile.empty()) {
    json["no_times"] = plan.why_no_profile;
  }
  json["measured_seconds"] = measured.seconds;
  json["whole"] = plan.whole();
  json["stages"] = ordered_json::array();
  for (const PredictedStage& stage : predicted_stages(plan, measured)) {
    ordered_json own{{"stage", stage.name}, {"measured", stage.measured}};
    if (stage.predicted) own["predicted"] = *stage.predicted;
    json["stages"].push_back(own);
  }
  return json;
}

std::string prediction_in_words(const DeckPlan& plan) {
  if (!plan.decision || !plan.decision->chosen || !plan.whole()) return {};
  const plan::Range range = plan.decision->choice().cost.range(plan::common_spread());
  return fmt::format("predicted were {} ({} to {}) and {}", format_seconds(range.middle),
                     format_seconds(range.low), format_seconds(range.high),
                     format_bytes(plan.memory.host_peak));
}

}  // namespace setka::app
