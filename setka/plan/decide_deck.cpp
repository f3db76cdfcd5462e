// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/decide_deck.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "setka/base/text.hpp"

namespace setka::plan {
namespace {

bool has(const DeckCounts& counts, StepKind kind) {
  return std::ranges::any_of(counts.steps, [&](const StepCounts& step) { return step.kind == kind; });
}

/// Counts have no factor where the build has none, whatever is wished for.
bool can_factorise(const DeckCounts& counts, const DeckWishes& wishes) {
  return wishes.can_factorise && std::ranges::none_of(counts.steps, [](const StepCounts& step) {
           return step.kind != StepKind::other && step.unknowns > 0 && !(step.factor_flops > 0);
         });
}

std::vector<LinearWay> linear_ways(const DeckCounts& counts, const DeckWishes& wishes) {
  if (!has(counts, StepKind::statics)) return {wishes.linear.value_or(LinearWay::factor)};
  if (wishes.linear) return {*wishes.linear};
  if (!can_factorise(counts, wishes)) return {LinearWay::cg};
  return {LinearWay::factor, LinearWay::cg};
}

std::vector<ModesWay> modes_ways(const DeckCounts& counts, const DeckWishes& wishes) {
  if (!has(counts, StepKind::modes)) return {wishes.modes.value_or(ModesWay::lanczos)};
  if (wishes.modes) return {*wishes.modes};
  double most = 0;
  for (const StepCounts& step : counts.steps) {
    if (step.kind == StepKind::modes) most = std::max(most, step.unknowns);
  }
  if (most <= dense_modes_max_unknowns) return {ModesWay::dense};
  if (!can_factorise(counts, wishes)) return {ModesWay::lobpcg};
  return {ModesWay::lanczos, ModesWay::lobpcg};
}

}  // namespace

std::string lack_of_memory(const Cost& cost, const DeckPlace& place) {
  if (cost.host_bytes > place.host_memory)
    return fmt::format("needs {} of memory, there are {}", format_bytes(cost.host_bytes),
                       format_bytes(place.host_memory));
  if (cost.device_bytes > place.device_memory)
    return fmt::format("needs {} of the device, there are {}", format_bytes(cost.device_bytes),
                       format_bytes(place.device_memory));
  return {};
}

DeckDecision decide_deck(const DeckPlace& place, const DeckCounts& counts, const DeckWishes& wishes) {
  DeckDecision decision;
  for (const LinearWay linear : linear_ways(counts, wishes)) {
    for (const ModesWay modes : modes_ways(counts, wishes)) {
      const DeckWay way{linear, modes};
      Choice choice{name(way, counts), deck_cost(*place.profile, counts, way, place.resident), {}};
      choice.lacks = lack_of_memory(choice.cost, place);
      decision.choices.push_back(std::move(choice));
      decision.ways.push_back(way);
    }
  }
  std::optional<std::size_t> second;
  const auto seconds = [&](std::size_t i) { return decision.choices[i].cost.seconds(); };
  for (std::size_t i = 0; i < decision.choices.size(); ++i) {
    if (!decision.choices[i].lacks.empty()) continue;
    if (!decision.chosen || seconds(i) < seconds(*decision.chosen)) {
      second = decision.chosen;
      decision.chosen = i;
    } else if (!second || seconds(i) < seconds(*second)) {
      second = i;
    }
  }
  if (wishes.usual && decision.chosen) {
    constexpr double worth_it = 0.85;
    for (std::size_t i = 0; i < decision.choices.size(); ++i) {
      const DeckWay& way = decision.ways[i];
      const bool usual = way.linear == wishes.usual->linear && way.modes == wishes.usual->modes;
      if (!usual || i == *decision.chosen || !decision.choices[i].lacks.empty()) continue;
      if (seconds(*decision.chosen) < worth_it * seconds(i)) continue;
      second = decision.chosen;
      decision.chosen = i;
    }
  }
  if (!decision.chosen) {
    decision.why = "nothing fits";
    return decision;
  }
  const Choice& best = decision.choice();
  decision.why = fmt::format("{}: {}", best.name, format_seconds(best.cost.seconds()));
  if (second)
    decision.why += fmt::format("{}; {}: {}",
                                seconds(*second) < seconds(*decision.chosen)
                                    ? ", the usual way, since what is less is so by less than predictions err"
                                    : ", the least of those that fit",
                                decision.choices[*second].name, format_seconds(seconds(*second)));
  else if (decision.choices.size() > 1)
    decision.why += ", the only way that fits";
  else
    decision.why += ", the only way";
  return decision;
}

}  // namespace setka::plan
