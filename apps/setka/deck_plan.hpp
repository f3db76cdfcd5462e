// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/plan/decide_deck.hpp"
#include "setka/plan/deck_memory.hpp"

namespace setka::app {

/// What a run of a deck will take, before its first large array.
struct DeckPlan {
  plan::DeckCounts counts;
  plan::DeckPlace place;
  std::optional<plan::DeviceProfile> profile;
  std::string why_no_profile;
  std::optional<plan::DeckDecision> decision;  // where there is a profile
  plan::DeckWay way;                           // that a run takes
  plan::MemoryPlan memory;                     // of that way
  plan::DeckWishes wishes = {};                // what the user leaves open

  /// Steps that there are formulas for, and nothing else.
  bool whole() const;
};

/// A stage of a run that was planned.
struct PredictedStage {
  std::string name;
  std::optional<double> predicted;  // seconds; none: there is no profile
  double measured = 0;
};
std::vector<PredictedStage> predicted_stages(const DeckPlan& plan, const StageTime& measured);

/// Whether a run is of the kind that is planned: one process, one device, assembled matrices, and solvers
/// that have formulas.
bool is_planned(const analysis::Computing& computing);

/// profile: of the device; none: memory alone is planned. memory: bytes that may be taken, of the device; 0:
/// what is free.
DeckPlan plan_deck(const analysis::Setup& setup, const analysis::Computing& computing,
                   std::optional<plan::DeviceProfile> profile, std::uint64_t memory);

/// The profile of this device where it has measured decks; else nothing and why. Says nothing in the log.
std::optional<plan::DeviceProfile> deck_profile(const exec::Device& device, std::string& why);

/// Error(Fault::resource) with the numbers, where the way does not fit. may_use_cpu: what a GPU has no room
/// for goes to the CPU.
void refuse_what_does_not_fit(const DeckPlan& plan, bool may_use_cpu);

/// Lets a run go the way that the plan has chosen, where the user leaves it to Setka.
void take_way(const DeckPlan& plan, analysis::Computing& computing);

nlohmann::ordered_json to_json(const plan::DeckCounts& counts);
nlohmann::ordered_json to_json(const plan::Range& range);
nlohmann::ordered_json to_json(const plan::MemoryPlan& memory);
nlohmann::ordered_json deck_choice_json(const plan::Choice& choice);

/// Predicted beside measured: of the result of a run.
nlohmann::ordered_json prediction_json(const DeckPlan& plan, const StageTime& measured);

/// "predicted 3.2 s (2.5 to 4.1 s) and 312 MiB"; empty without a profile.
std::string prediction_in_words(const DeckPlan& plan);

}  // namespace setka::app
