// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setka/plan/deck_counts.hpp"
#include "setka/plan/formulas.hpp"
#include "setka/plan/profile.hpp"

/// What a run of a deck costs, stage by stage: each stage is a curve of the profile at the size of its work,
/// so many times. setka calibrate measures these curves by runs of small decks, through the same table of
/// stages read the other way round: learn(). docs/plan.md has the table.
namespace setka::plan {

/// How linear systems of static steps are solved.
enum class LinearWay { factor, cg };
/// How modes are found.
enum class ModesWay { dense, lanczos, lobpcg };

struct DeckWay {
  LinearWay linear = LinearWay::factor;
  ModesWay modes = ModesWay::lanczos;
};

std::string_view name(LinearWay way);
std::string_view name(ModesWay way);
std::string name(const DeckWay& way, const DeckCounts& counts);

/// Iterations of a step: the middle, and the standard deviation of its logarithm.
struct Iterations {
  double middle = 1;
  double spread = 0;
};

/// A model of its own, from what slows iterations down; what it has learnt is in deck_factors.hpp.
Iterations iterations_of(const DeckWay& way, const DeckCounts& counts, const StepCounts& step);

/// A stage of a run as the formulas have it: `times` the seconds of a curve at a size.
struct StageWork {
  std::string stage;
  std::string curve;  // "deck assemble hex8"
  double size = 0;
  double times = 1;
  double spread = 0;
};

using IterationsOf = std::function<Iterations(const StepCounts&)>;

/// All stages of a deck. Steps that have no formulas are left out.
std::vector<StageWork> stages_of(const DeckCounts& counts, const DeckWay& way,
                                 const IterationsOf& iterations);

/// Time of a whole run by stages, and its memory (deck_memory.hpp). resident: bytes that the process has when
/// the deck is read. Error(Fault::input) that asks for a new calibration where the profile knows no decks.
Cost deck_cost(const DeviceProfile& profile, const DeckCounts& counts, const DeckWay& way,
               std::uint64_t resident);

/// How much all of it may be slower or faster together, as the standard deviation of the logarithm.
double common_spread();

/// Whether the profile has measured decks.
bool knows_decks(const DeviceProfile& profile);

/// A measured run.
struct MeasuredStage {
  std::string stage;
  double seconds = 0;
};

/// Adds the points of one run of elements of one kind to the curves; of points that are there the lesser time
/// is kept. iterations: that the run took.
void learn(DeviceProfile& profile, const DeckCounts& counts, const DeckWay& way,
           const IterationsOf& iterations, std::span<const MeasuredStage> measured);

}  // namespace setka::plan
