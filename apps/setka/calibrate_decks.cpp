// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "calibrate_decks.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "bench/plan_models.hpp"
#include "own_command.hpp"
#include "run.hpp"
#include "setka/analysis/deck_counts.hpp"
#include "setka/base/build_info.hpp"
#include "setka/base/log.hpp"
#include "setka/base/time_budget.hpp"
#include "setka/deck/inp.hpp"
#include "setka/plan/deck_formulas.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::app {
namespace {

using bench::PlanModel;

struct Deck {
  PlanModel model;
  const char* solver = "auto";
  const char* modes = "auto";
};

/// Kinds of elements with what they cost: small ones factorised, larger ones iterated. None is a model of
/// `setka bench plan`.
std::vector<Deck> decks_of(bool gpu, bool quick) {
  std::vector<Deck> decks;
  const bool factorises = solve::Cholesky::available();
  const auto statics = [&](const char* shape, const char* element, std::int64_t size, const char* solver) {
    if (factorises || std::string_view(solver) == "cg") decks.push_back({{shape, element, size}, solver});
  };
  const auto modes = [&](const char* shape, const char* element, std::int64_t size, const char* method) {
    if (factorises || std::string_view(method) == "lobpcg")
      decks.push_back({{shape, element, size, 10}, "auto", method});
  };
  if (quick) {
    statics("block", "C3D8", 1000, "cg");
    statics("block", "C3D8", 1000, "cholesky");
    modes("block", "C3D8", 1000, "lanczos");
    modes("block", "C3D8", 1000, "lobpcg");
    return decks;
  }
  constexpr const char* kinds[] = {"C3D8", "C3D10", "C3D20R"};
  const std::int64_t much = gpu ? 10 : 1;
  for (const char* const kind : kinds) {
    statics("block", kind, 1200, "cholesky");
    statics("block", kind, 5500, "cholesky");
    statics("block", kind, 27000 * much, "cg");
    modes("block", kind, 3500, "lanczos");
    modes("block", kind, 13000 * much, "lobpcg");
  }
  statics("part", "C3D4", 22000 * much, "cg");
  statics("thin", "S8R", 6000, "cholesky");
  statics("frame", "B32", 4000, "cholesky");
  statics("pump", "C3D8I", 7000, "cholesky");
  statics("part", "C3D10", 30000 * much, "cg");
  statics("pump", "C3D8I", 22000 * much, "cg");
  for (const char* const kind : kinds) statics("block", kind, 5000, "cg");
  modes("frame", "B32", 1500, "lanczos");
  modes("thin", "S8R", 3000, "lanczos");
  statics("block", "C3D20R", 18500, "cholesky");
  statics("part", "C3D4", 2500, "cholesky");
  statics("thin", "S8R", 1500, "cholesky");
  statics("frame", "B32", 1200, "cholesky");
  modes("block", "C3D20R", 10000, "lanczos");
  modes("part", "C3D4", 12000 * much, "lobpcg");
  modes("block", "C3D8", 4000, "lobpcg");
  if (gpu) {
    for (const char* const kind : kinds) statics("block", kind, 700000, "cg");
    modes("block", "C3D8", 300000, "lobpcg");
  }
  statics("block", "C3D8", 60000, "cg");
  statics("block", "C3D8", 20000, "cholesky");
  statics("block", "C3D20", 6000, "cg");
  statics("block", "C3D15", 4000, "cg");
  return decks;
}

DeviceOptions options_of(const exec::Device& device) {
  DeviceOptions options;
  options.threads = device.is_cuda() ? 0 : device.threads();
  options.backend = device.is_cuda() ? "cuda" : "cpu";
  const std::string label = device.label();
  if (device.is_cuda()) options.names = {label.substr(label.find(':') + 1)};
  return options;
}

/// What the formulas have for the deck, counted here.
plan::DeckCounts counts_of(const std::string& file, const RunOptions& options, const exec::Device& device) {
  Monitor silent;
  const deck::Deck deck = deck::read_inp(file, silent);
  const DeviceOptions of_device = options_of(device);
  analysis::Computing computing = computing_of(options, of_device);
  take_devices({device}, of_device, computing);
  return analysis::count_deck(analysis::set_up(deck.model), computing);
}

std::vector<plan::MeasuredStage> stages_in(const nlohmann::ordered_json& result) {
  std::vector<plan::MeasuredStage> stages;
  for (const auto& stage : result.at("prediction").at("stages"))
    stages.push_back({stage.at("stage").get<std::string>(), stage.at("measured").get<double>()});
  return stages;
}

void learn_from(const nlohmann::ordered_json& result, const Deck& deck, const plan::DeckCounts& counts,
                plan::DeviceProfile& profile) {
  if (!result.contains("prediction") || result.at("steps").empty()) return;
  const auto& step = result.at("steps").back();
  plan::DeckWay way;
  way.linear = std::string_view(deck.solver) == "cg" ? plan::LinearWay::cg : plan::LinearWay::factor;
  way.modes = std::string_view(deck.modes) == "lobpcg" ? plan::ModesWay::lobpcg : plan::ModesWay::lanczos;
  const bool by_factor = deck.model.modes == 0 && way.linear == plan::LinearWay::factor;
  const double count = by_factor ? 1 : step.at("iterations").get<double>();
  if (!(count > 0)) return;
  plan::learn(
      profile, counts, way,
      [&](const plan::StepCounts&) {
        return plan::Iterations{count, 0};
      },
      stages_in(result));
}

}  // namespace

void calibrate_decks(const exec::Device& device, bool quick, Monitor& monitor, double max_seconds,
                     plan::DeviceProfile& profile) {
  const ScratchFolder folder("calibrate");
  const TimeBudget time(max_seconds, 1);
  const std::vector<Deck> decks = decks_of(device.is_cuda(), quick);
  // Runs read a profile, which takes its time.
  const std::filesystem::path known = folder.path() / "profile.json";
  plan::write_profile(known, {build_info().version, {profile}});
  Stage stage = monitor.stage(fmt::format("{}: decks", device.label()),
                              static_cast<std::int64_t>(decks.size()), "decks");
  std::size_t left_out = 0;
  for (const Deck& deck : decks) {
    if (time.left() <= 0) {
      ++left_out;
      continue;
    }
    RunOptions options;
    options.deck = (folder.path() / (deck.model.name() + ".inp")).string();
    options.solver.solver = deck.solver;
    options.modes = deck.modes;
    bench::write_plan_model(deck.model, options.deck);
    const plan::DeckCounts counts = counts_of(options.deck, options, device);
    const std::string words = fmt::format("run '{}' --json {} {}", options.deck,
                                          deck.model.modes > 0 ? fmt::format("--modes {}", deck.modes)
                                                               : fmt::format("--solver {}", deck.solver),
                                          as_arguments(options_of(device)));
    // Twice where that is soon done: whatever else runs on a machine disturbs short ones most.
    const double before = time.spent();
    constexpr double soon = 0.2;
    for (int round = 0; round < 2; ++round) {
      if (const auto result = run_own_command(words, known)) learn_from(*result, deck, counts, profile);
      if (time.spent() - before > soon || time.left() <= 0) break;
    }
    stage.advance();
  }
  if (left_out > 0)
    log::info("{}: {} of {} decks were left out to keep to {:.0f} s", device.label(), left_out, decks.size(),
              max_seconds);
}

}  // namespace setka::app
