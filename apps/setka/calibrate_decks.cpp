// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "calibrate_decks.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/core.h>

#include "bench/plan_models.hpp"
#include "run.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/time_budget.hpp"
#include "setka/plan/measured_stages.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::app {
namespace {

using bench::PlanModel;

/// A folder that is gone with it.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "setka-calibrate-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(Fault::resource, fmt::format("no folder {} can be made", name),
                  "set TMPDIR to one with room");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

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
    statics("block", kind, 5500, "cg");
    statics("block", kind, 27000 * much, "cg");
    modes("block", kind, 3500, "lanczos");
    modes("block", kind, 13000 * much, "lobpcg");
  }
  statics("part", "C3D10", 7000, "cg");
  statics("part", "C3D4", 22000 * much, "cg");
  statics("part", "C3D4", 2500, "cholesky");
  statics("pump", "C3D8I", 7000, "cholesky");
  statics("thin", "S8R", 6000, "cholesky");
  statics("frame", "B32", 4000, "cholesky");
  statics("thin", "S8R", 1500, "cholesky");
  statics("frame", "B32", 1200, "cholesky");
  statics("pump", "C3D8I", 22000 * much, "cg");
  statics("block", "C3D20R", 14000, "cholesky");
  modes("frame", "B32", 1500, "lanczos");
  modes("thin", "S8R", 3000, "lanczos");
  modes("block", "C3D8", 4000, "lobpcg");
  modes("block", "C3D20R", 10000, "lanczos");
  modes("part", "C3D4", 12000, "lobpcg");
  statics("block", "C3D8", 20000, "cholesky");
  statics("block", "C3D20", 6000, "cg");
  statics("block", "C3D15", 4000, "cg");
  if (!gpu) return decks;
  for (const char* const kind : kinds) statics("block", kind, 700000, "cg");
  modes("block", "C3D8", 300000, "lobpcg");
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

/// As the run itself says how it went.
void learn_from(const RunOutcome& outcome, const Deck& deck, plan::DeviceProfile& profile) {
  if (!outcome.plan || outcome.steps.empty() || !outcome.steps.back().solved.converged) return;
  const analysis::StepSummary& step = outcome.steps.back();
  plan::DeckWay way;
  way.linear = std::string_view(deck.solver) == "cg" ? plan::LinearWay::cg : plan::LinearWay::factor;
  way.modes = std::string_view(deck.modes) == "lobpcg" ? plan::ModesWay::lobpcg : plan::ModesWay::lanczos;
  const bool by_factor = !step.modes && way.linear == plan::LinearWay::factor;
  const double count = by_factor ? 1 : step.modes ? step.modes->iterations : step.solved.iterations;
  if (!(count > 0)) return;
  plan::learn(
      profile, outcome.plan->counts, way,
      [&](const plan::StepCounts&) {
        return plan::Iterations{count, 0};
      },
      plan::measured_stages(outcome.times));
}

}  // namespace

void calibrate_decks(const exec::Device& device, bool quick, Monitor& monitor, double max_seconds,
                     plan::DeviceProfile& profile) {
  const Scratch folder;
  const TimeBudget time(max_seconds, 1);
  const std::vector<Deck> decks = decks_of(device.is_cuda(), quick);
  CommonOptions common;
  common.quiet = true;
  Stage stage = monitor.stage(fmt::format("{}: decks", device.label()),
                              static_cast<std::int64_t>(decks.size()), "decks");
  std::size_t left_out = 0;
  for (const Deck& deck : decks) {
    if (time.left() <= 0) {
      ++left_out;
      continue;
    }
    RunOptions options;
    options.deck =
        (folder.path() / (deck.model.name() + "-" + deck.solver + "-" + deck.modes + ".inp")).string();
    options.solver.solver = deck.solver;
    options.modes = deck.modes;
    bench::write_plan_model(deck.model, options.deck);
    // Twice where that is soon done: the first one of its kind finds caches cold.
    const double before = time.spent();
    constexpr double soon = 0.25;
    for (int round = 0; round < 2; ++round) {
      Monitor own;
      RunOutcome outcome;
      run_deck(options, common, options_of(device), own, &outcome);
      learn_from(outcome, deck, profile);
      if (time.spent() - before > soon || time.left() <= 0) break;
    }
    stage.advance();
  }
  if (left_out > 0)
    log::info("{}: {} of {} decks were left out to keep to {:.0f} s", device.label(), left_out, decks.size(),
              max_seconds);
}

}  // namespace setka::app
