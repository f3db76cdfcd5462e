// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/deck_formulas.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plan/made_up_profile.hpp"
#include "setka/base/error.hpp"
#include "setka/plan/decide_deck.hpp"
#include "setka/plan/deck_memory.hpp"
#include "setka/plan/measured_stages.hpp"
#include "setka/plan/review.hpp"

namespace setka::plan {
namespace {

DeckCounts block(double unknowns, StepKind kind = StepKind::statics) {
  DeckCounts counts;
  counts.bytes = 30 * unknowns;
  counts.nodes = counts.solid_nodes = counts.result_nodes = unknowns / 3;
  counts.elements = unknowns / 3;
  counts.element_nodes = 8 * counts.elements;
  counts.points = 8 * counts.elements;
  counts.kinds = {{"hex8", counts.elements, counts.elements * 576}};
  StepCounts step;
  step.kind = kind;
  step.keyword = kind == StepKind::modes ? "*FREQUENCY" : "*STATIC";
  step.unknowns = unknowns;
  step.rows = unknowns / 3;
  step.entries = 80 * unknowns;
  step.pairs = 64 * counts.elements;
  step.factor_entries = 20 * std::pow(unknowns, 4.0 / 3);
  step.factor_flops = 100 * unknowns * unknowns;
  step.factor_is_exact = true;
  step.stresses = kind == StepKind::statics;
  if (kind == StepKind::modes) {
    step.modes = step.frames = 10;
    step.columns = 16;
  }
  counts.steps = {step};
  return counts;
}

/// Every stage takes so many seconds for a unit of its size.
DeviceProfile profile_of_decks() {
  DeviceProfile profile = test::made_up_profile();
  const DeckCounts statics = block(3000);
  const DeckCounts modes = block(3000, StepKind::modes);
  const auto one = [](const StepCounts&) { return Iterations{1, 0}; };
  for (const LinearWay linear : {LinearWay::factor, LinearWay::cg}) {
    for (const ModesWay way : {ModesWay::dense, ModesWay::lanczos, ModesWay::lobpcg}) {
      for (const DeckCounts* const counts : {&statics, &modes}) {
        for (const StageWork& work : stages_of(*counts, {linear, way}, one))
          profile.curves[work.curve] = {{1.0, 1e15}, {1e-9, 1e6}};
      }
    }
  }
  return profile;
}

double seconds_of(const Cost& cost, const std::string& stage) {
  const auto term = std::ranges::find(cost.terms, stage, &Term::what);
  return term == cost.terms.end() ? 0 : term->seconds;
}

TEST(DeckFormulas, ACurveIsWhatWasLearnt) {
  DeviceProfile profile;
  const DeckCounts counts = block(6000);
  const auto twenty = [](const StepCounts&) { return Iterations{20, 0}; };
  std::vector<MeasuredStage> measured;
  for (const StageWork& work : stages_of(counts, {LinearWay::cg, ModesWay::lanczos}, twenty))
    measured.push_back({work.stage, 0.25});
  learn(profile, counts, {LinearWay::cg, ModesWay::lanczos}, twenty, measured);
  EXPECT_TRUE(knows_decks(profile));
  const Curve& cg = profile.curve("deck cg hex8");
  ASSERT_EQ(cg.size.size(), 1U);
  EXPECT_DOUBLE_EQ(cg.size[0], counts.steps[0].entries);
  EXPECT_DOUBLE_EQ(cg.seconds[0], 0.25 / 20);
  const Cost cost = deck_cost(profile, counts, {LinearWay::cg, ModesWay::lanczos}, 0);
  EXPECT_DOUBLE_EQ(seconds_of(cost, "assemble"), 0.25);
  EXPECT_DOUBLE_EQ(seconds_of(cost, "set up"), 0.25);
  // A second run of the same deck keeps the lesser times.
  for (MeasuredStage& stage : measured) stage.seconds = stage.stage == "read" ? 0.1 : 0.9;
  learn(profile, counts, {LinearWay::cg, ModesWay::lanczos}, twenty, measured);
  EXPECT_DOUBLE_EQ(profile.curve("deck read").seconds[0], 0.1);
  EXPECT_DOUBLE_EQ(profile.curve("deck set up hex8").seconds[0], 0.25);
}

TEST(DeckFormulas, AKindThatWasNotMeasuredTakesTheMostAlike) {
  DeviceProfile profile = profile_of_decks();
  profile.curves["deck assemble hex20_reduced"] = {{1.0, 1e15}, {2e-9, 2e6}};
  profile.curves["deck assemble hex20_reduced of shells"] = {{1.0, 1e15}, {4e-9, 4e6}};
  DeckCounts counts = block(6000);
  const DeckWay way{LinearWay::factor, ModesWay::lanczos};
  const double linear = seconds_of(deck_cost(profile, counts, way, 0), "assemble");
  counts.kinds[0].kind = "wedge15";
  EXPECT_NEAR(seconds_of(deck_cost(profile, counts, way, 0), "assemble") / linear, 2, 1e-9);
  counts.kinds[0].kind = "wedge15_layer of shells";
  EXPECT_NEAR(seconds_of(deck_cost(profile, counts, way, 0), "assemble") / linear, 4, 1e-9);
  counts.kinds[0].kind = "tet4";
  EXPECT_NEAR(seconds_of(deck_cost(profile, counts, way, 0), "assemble") / linear, 1, 1e-9);
}

TEST(DeckFormulas, AGpuHasTheStagesThatItsDecksWentThrough) {
  DeviceProfile profile = profile_of_decks();
  const DeckCounts counts = block(6000);
  const DeckWay way{LinearWay::cg, ModesWay::lobpcg};
  std::erase_if(profile.curves, [](const auto& curve) { return curve.first.starts_with("deck pattern"); });
  EXPECT_THROW((void)deck_cost(profile, counts, way, 0), Error);
  profile.device = "cuda:0";
  const Cost cost = deck_cost(profile, counts, way, 0);
  EXPECT_EQ(seconds_of(cost, "pattern"), 0);
  EXPECT_GT(seconds_of(cost, "assemble"), 0);
}

TEST(DeckFormulas, AProfileWithoutDecksAsksForACalibration) {
  try {
    deck_cost(test::made_up_profile(), block(3000), {}, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_EQ(error.remedy(), "run setka calibrate");
  }
}

TEST(DeckFormulas, CorrectionsAreFactorsOfStages) {
  DeviceProfile profile = profile_of_decks();
  const double before = seconds_of(deck_cost(profile, block(6000), {}, 0), "assemble");
  profile.corrections["assemble"] = 1.5;
  EXPECT_DOUBLE_EQ(seconds_of(deck_cost(profile, block(6000), {}, 0), "assemble"), 1.5 * before);
}

TEST(DeckFormulas, ARangeIsWiderWhereIterationsAreGuessed) {
  Cost cost;
  cost.add("read", 1, 0.1).add("solve", 1, 0.3);
  const Range range = cost.range();
  EXPECT_DOUBLE_EQ(range.middle, 2);
  EXPECT_NEAR(std::log(range.high / 2), 1.2816 * std::sqrt(0.01 + 0.09) / 2, 1e-12);
  EXPECT_NEAR(range.low * range.high, 4, 1e-12);
  EXPECT_LT(cost.range(0.2).low, range.low);
}

TEST(DecideDeck, ManyUnknownsAreNotFactorised) {
  const DeviceProfile profile = profile_of_decks();
  DeckPlace place{&profile, UINT64_MAX, 0, 0};
  const DeckDecision small = decide_deck(place, block(300));
  ASSERT_EQ(small.choices.size(), 2U);
  const DeckDecision large = decide_deck(place, block(3e6));
  EXPECT_EQ(large.choice().name, "CG with multigrid");
  EXPECT_LT(large.choice().cost.seconds(), large.choices[0].cost.seconds());
}

TEST(DecideDeck, WhatDoesNotFitIsNotChosen) {
  const DeviceProfile profile = profile_of_decks();
  DeckPlace place{&profile, UINT64_MAX, 0, 0};
  const DeckCounts counts = block(50000);
  const MemoryPlan factor = memory_of(counts, {LinearWay::factor, ModesWay::lanczos}, false, 0);
  const MemoryPlan cg = memory_of(counts, {LinearWay::cg, ModesWay::lanczos}, false, 0);
  ASSERT_LT(cg.host_peak, factor.host_peak);
  place.host_memory = (cg.host_peak + factor.host_peak) / 2;
  DeckDecision decision = decide_deck(place, counts);
  EXPECT_EQ(decision.choice().name, "CG with multigrid");
  EXPECT_NE(decision.choices[0].lacks.find("of memory, there are"), std::string::npos);
  place.host_memory = cg.host_peak / 2;
  decision = decide_deck(place, counts);
  EXPECT_FALSE(decision.chosen);
}

TEST(DecideDeck, WithoutAFactorItIsNoWay) {
  const DeviceProfile profile = profile_of_decks();
  const DeckPlace place{&profile, UINT64_MAX, 0, 0};
  for (const StepKind kind : {StepKind::statics, StepKind::modes}) {
    DeckCounts counts = block(5000, kind);
    EXPECT_EQ(decide_deck(place, counts).choices.size(), 2U);
    counts.steps[0].factor_flops = 0;  // the build has none
    const DeckDecision decision = decide_deck(place, counts);
    ASSERT_EQ(decision.choices.size(), 1U);
    EXPECT_NE(decision.choice().name.find("multigrid"), std::string::npos);
  }
}

TEST(DecideDeck, WhatIsAskedForIsTheOnlyWay) {
  const DeviceProfile profile = profile_of_decks();
  const DeckPlace place{&profile, UINT64_MAX, 0, 0};
  DeckWishes wishes;
  wishes.linear = LinearWay::cg;
  const DeckDecision decision = decide_deck(place, block(300), wishes);
  ASSERT_EQ(decision.choices.size(), 1U);
  EXPECT_EQ(decision.choice().name, "CG with multigrid");
  EXPECT_EQ(decide_deck(place, block(300, StepKind::modes)).choice().name, "dense");
}

TEST(DeckMemory, OfAGpuTheMatrixLiesThere) {
  const DeckCounts counts = block(30000);
  const DeckWay cg{LinearWay::cg, ModesWay::lobpcg};
  const MemoryPlan host = memory_of(counts, cg, false, 1000);
  const MemoryPlan gpu = memory_of(counts, cg, true, 1000);
  EXPECT_EQ(host.device_peak, 0U);
  EXPECT_GT(gpu.device_peak, static_cast<std::uint64_t>(8 * counts.steps[0].entries));
  EXPECT_LT(gpu.host_peak, host.host_peak);
  double sum = 1000;
  for (const ArrayBytes& array : host.arrays) sum += array.bytes;
  EXPECT_NEAR(static_cast<double>(host.host_peak), sum, 1);
}

TEST(MeasuredStages, HaveTheTimeOfTheWholeTree) {
  const StageTime run{"setka",
                      10,
                      1,
                      {{"read", 1, 1, {{"read deck", 0.9, 1, {}}}},
                       {"step 1",
                        7,
                        1,
                        {{"assemble", 2, 1, {}},
                         {"set up", 1, 1, {{"multigrid set-up", 1, 1, {}}}},
                         {"solve", 3, 1, {{"conjugate gradients", 3, 1, {}}}}}}}};
  double sum = 0;
  std::map<std::string, double> seconds;
  for (const MeasuredStage& stage : measured_stages(run)) {
    sum += stage.seconds;
    seconds[stage.stage] = stage.seconds;
  }
  EXPECT_DOUBLE_EQ(seconds["read"], 1);
  EXPECT_DOUBLE_EQ(seconds["set up"], 1);
  EXPECT_DOUBLE_EQ(seconds["solve"], 3);
  EXPECT_DOUBLE_EQ(seconds["between"], 1);
  EXPECT_DOUBLE_EQ(seconds["other"], 2);
  EXPECT_DOUBLE_EQ(sum, 10);
}

TEST(Review, CountsWhatIsInsideAndTheWorstMemory) {
  std::vector<ReviewedRun> runs;
  for (const double measured : {0.5, 1.0, 1.25, 2.0}) {
    ReviewedRun run{"run", {0.8, 1, 1.3}, measured, 100, 100, {{"assemble", 1, 2}}};
    runs.push_back(run);
  }
  runs[0].predicted_memory = 130;
  runs[1].predicted_memory = 80;
  const Review review = review_of(runs);
  EXPECT_DOUBLE_EQ(review.inside, 0.5);
  EXPECT_DOUBLE_EQ(review.median, (0.2 + 0.5) / 2);
  EXPECT_NEAR(review.memory_over, 0.3, 1e-12);
  EXPECT_NEAR(review.memory_under, 0.2, 1e-12);
  EXPECT_DOUBLE_EQ(ratios_of(runs).at("assemble"), 2);
  EXPECT_DOUBLE_EQ(percentile({3, 1, 2}, 0.5), 2);
}

}  // namespace
}  // namespace setka::plan
