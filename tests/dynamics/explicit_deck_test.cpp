// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *DYNAMIC, EXPLICIT of decks.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "setka/analysis/check.hpp"
#include "support/on_device.hpp"
#include "support/sanitized.hpp"

namespace {

using setka::analysis::StepServices;
using setka::analysis::StepSummary;
using setka::test::DeckRun;
using setka::test::refusal_of_deck;
using setka::test::run_deck_text;
using testing::AllOf;
using testing::HasSubstr;

/// A bar of cubes along x of side 1: nodes 4 i + 1 to 4 i + 4 at x = i, sets BASE, END, ALL.
std::string bar(int cells, const std::string& material, const std::string& rest,
                const std::string& type = "C3D8") {
  std::string text = "*NODE,NSET=ALL\n";
  for (int i = 0; i <= cells; ++i) {
    for (int k = 0; k < 4; ++k)
      text += fmt::format("{},{},{},{}\n", 4 * i + k + 1, i, k == 1 || k == 2 ? 1 : 0, k >= 2 ? 1 : 0);
  }
  text += "*ELEMENT,ELSET=E,TYPE=" + type + "\n";
  for (int i = 0; i < cells; ++i) {
    text += fmt::format("{}", i + 1);
    for (const int k : {0, 4, 5, 1, 3, 7, 6, 2}) text += fmt::format(",{}", 4 * i + k + 1);
    text += "\n";
  }
  const int last = 4 * cells;
  text += fmt::format("*NSET,NSET=BASE\n1,2,3,4\n*NSET,NSET=END\n{},{},{},{}\n", last + 1, last + 2, last + 3,
                      last + 4);
  return text + "*MATERIAL,NAME=M\n" + material + "*SOLID SECTION,ELSET=E,MATERIAL=M\n" + rest;
}

const std::string soft = "*ELASTIC\n100,0\n*DENSITY\n1\n";  // waves run at 10 a second
const std::string rubber = "*HYPERELASTIC,NEO HOOKE\n10,0.02\n*DENSITY\n1\n";

std::string step(const std::string& numbers, const std::string& rest) {
  return "*STEP,NLGEOM\n*DYNAMIC,EXPLICIT\n" + numbers + "\n" + rest + "*END STEP\n";
}

class ExplicitDeckOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ExplicitDeckOn);

/// A run that keeps its history, its summaries and, where asked for, every checkpoint.
struct Kept {
  std::vector<setka::model::Frame> frames;
  std::vector<std::vector<double>> history;
  std::vector<setka::io::Checkpoint> checkpoints;
  std::vector<StepSummary> summaries;
};

Kept keep(const setka::exec::Device& device, const std::string& text, bool single = false,
          const setka::io::Checkpoint* from = nullptr, double every = 0) {
  setka::Monitor monitor(setka::ProgressDisplay::silent());
  const setka::deck::Deck deck = setka::deck::read_inp_text(text, "deck.inp", monitor);
  setka::deck::refuse_unsupported(deck);
  const setka::analysis::Setup setup = setka::analysis::prepare(deck.model, monitor);
  setka::analysis::Computing computing = setka::analysis::Computing::on_cpu(1);
  computing.device = device;
  computing.single_precision = single;
  Kept kept;
  StepServices services;
  services.history = [&](std::span<const double> row) { kept.history.emplace_back(row.begin(), row.end()); };
  services.save = [&](setka::io::Checkpoint& checkpoint) { kept.checkpoints.push_back(checkpoint); };
  services.save_every = every;
  services.resumed = from;
  kept.summaries = setka::analysis::run_steps(
      setup, computing,
      [&](const setka::model::Step&, const setka::model::Frame& frame) { kept.frames.push_back(frame); },
      monitor, {}, services);
  return kept;
}

TEST(ExplicitDeck, ABodyFallsFliesAndSlowsDown) {
  const std::string fall = "*INITIAL CONDITIONS,TYPE=VELOCITY\nALL,1,3.\nALL,2,-1.\n" +
                           step("0.01,2", "*DLOAD\nE,GRAV,9.81,0,0,-1\n*NODE PRINT,NSET=END\nU,V\n");
  const DeckRun free = run_deck_text(bar(2, soft, fall));
  ASSERT_EQ(free.frames.size(), 20U);
  EXPECT_EQ(free.frames[9].time, 1);
  for (const int node : {1, 9, 12}) {
    EXPECT_NEAR(free.at_node("U", node, 0), 6, 1e-12);
    EXPECT_NEAR(free.at_node("U", node, 1), -2, 1e-12);
    EXPECT_NEAR(free.at_node("U", node, 2), -9.81 * 2, 1e-10);
    EXPECT_NEAR(free.at_node("V", node, 2), -9.81 * 2, 1e-10);
  }
  const DeckRun slowed = run_deck_text(bar(2, soft + "*DAMPING,ALPHA=2\n", fall));
  EXPECT_NEAR(slowed.at_node("V", 9, 0), 3 * std::exp(-4.0), 1e-4);
  EXPECT_NEAR(slowed.at_node("V", 9, 2), -9.81 / 2 * (1 - std::exp(-4.0)), 1e-4);
}

/// A wave of pressure along a bar that cannot widen: nothing moves before it comes, p / (rho c) after.
TEST(ExplicitDeck, AWaveArrivesOnTime) {
  const DeckRun run = run_deck_text(bar(
      40, soft,
      "*BOUNDARY\nALL,2,3\n" + step(",6.", "*DLOAD\n1,P6,0.1\n*NODE PRINT,NSET=END,FREQUENCY=20\nU,V\n")));
  // 40 long at 10 a second: the far end is reached after 4 seconds, a particle's speed doubles there.
  for (const auto& frame : run.frames) {
    const double u = frame.node_field("U")->values[std::size_t{3} * 160];
    if (frame.time < 3.6) {
      EXPECT_NEAR(u, 0, 1e-3 * 0.04) << frame.time;
    }
    if (frame.time > 4.4) {
      EXPECT_NEAR(u, 2 * 0.01 * (frame.time - 4), 0.05 * 0.04) << frame.time;
    }
  }
}

/// The same small motion by all three ways.
TEST(ExplicitDeck, SmallMotionsAreThoseOfOtherSteps) {
  const std::string before = "*BOUNDARY\nBASE,1,3\n*AMPLITUDE,NAME=A\n0,0,6,1,12,0\n";
  const std::string load = "*CLOAD,AMPLITUDE=A\nEND,1,1e-4\nEND,2,2e-6\n*NODE PRINT,NSET=END\nU\n*END STEP\n";
  const std::string numbers = std::string("0.02,10.\n");
  const DeckRun own =
      run_deck_text(bar(12, soft, before + "*STEP,NLGEOM\n*DYNAMIC,EXPLICIT\n" + numbers + load));
  const DeckRun direct =
      run_deck_text(bar(12, soft, before + "*STEP,INC=1000\n*DYNAMIC,DIRECT,ALPHA=0\n" + numbers + load));
  const DeckRun modal = run_deck_text(
      bar(12, soft,
          before + "*STEP\n*FREQUENCY\n60\n*END STEP\n*STEP,INC=1000\n*MODAL DYNAMIC\n" + numbers + load));
  for (const int component : {0, 1}) {
    const double u = own.at_node("U", 49, component);
    double largest = 0;
    for (const auto& frame : own.frames)
      largest = std::max(
          largest,
          std::abs(frame.node_field("U")->values[std::size_t{3} * 48 + static_cast<std::size_t>(component)]));
    ASSERT_GT(largest, 1e-6);
    // Lumped and consistent masses differ by the square of the size of elements.
    EXPECT_NEAR(u, direct.at_node("U", 49, component), 0.02 * largest);
    EXPECT_NEAR(u, modal.at_node("U", 49, component), 0.02 * largest);
  }
}

/// All of a cube is stretched by half along x: stresses of closed form.
TEST(ExplicitDeck, StressesOfAStretchedCube) {
  const std::string stretch =
      "*AMPLITUDE,NAME=A\n0,0,2,1\n*BOUNDARY\nBASE,1,3\nEND,2,3\n" +
      step("0.005,2.",
           "*BOUNDARY,AMPLITUDE=A\nEND,1,1,0.5\n*EL PRINT,ELSET=E\nS,E,ENER\n*NODE PRINT,NSET=END\nU,RF\n");
  const double l = 1.5;
  const auto checked = [&](const std::string& material, double xx, double yy, double energy) {
    SCOPED_TRACE(material);
    for (const char* type : {"C3D8", "C3D8R"}) {
      const DeckRun run = run_deck_text(bar(1, material, stretch, type));
      EXPECT_NEAR(run.at_node("U", 5, 0), 0.5, 1e-14);
      const auto& frame = run.frames.back();
      const auto& stress = frame.point_field("S")->values;
      const auto& strain = frame.point_field("E")->values;
      ASSERT_EQ(stress.size(), std::string(type) == "C3D8" ? 48U : 6U);
      for (std::size_t p = 0; p < stress.size(); p += 6) {
        EXPECT_NEAR(stress[p], xx, 1e-10);
        EXPECT_NEAR(stress[p + 1], yy, 1e-10);
        EXPECT_NEAR(stress[p + 3], 0, 1e-10);
        EXPECT_NEAR(strain[p], (l * l - 1) / 2, 1e-12);
        EXPECT_NEAR(strain[p + 1], 0, 1e-12);
      }
      EXPECT_NEAR(frame.point_field("ENER")->values[0], energy, 1e-10);
      double pull = 0;
      for (const int node : {5, 6, 7, 8}) pull += run.at_node("RF", node, 0);
      EXPECT_NEAR(pull, xx, 1e-10);  // on an area that has stayed 1
    }
  };
  // Saint Venant and Kirchhoff: S = (lambda + 2 mu) E, Cauchy's is F S F' / J = l S.
  const double e = (l * l - 1) / 2;
  checked(soft, l * 100 * e, 0, 50 * e * e);
  // Neo-Hooke: 2 C10 J^-5/3 dev(b) + 2 (J - 1) / D1.
  const double mean = (l * l + 2) / 3;
  const double shear = 2 * 10 * std::pow(l, -5.0 / 3);
  const double pressure = 2 * (l - 1) / 0.02;
  checked(rubber, shear * (l * l - mean) + pressure, shear * (1 - mean) + pressure,
          10 * (std::pow(l, -2.0 / 3) * (l * l + 2) - 3) + (l - 1) * (l - 1) / 0.02);
  // Mooney and Rivlin: with C10 = 0 the other invariant alone.
  const double i2 = std::pow(l, -4.0 / 3) * (2 * l * l + 1);
  const double other = 10 * (-4.0 / 3 * i2 / l + std::pow(l, -4.0 / 3) * 4 * l);  // dW/dl = the stress here
  DeckRun run = run_deck_text(bar(1, "*HYPERELASTIC,MOONEY-RIVLIN\n0,10,0.02\n*DENSITY\n1\n", stretch));
  EXPECT_NEAR(run.frames.back().point_field("S")->values[0], other + pressure, 1e-10);
}

/// A bar that turns fast keeps its angular momentum and its length, in both precisions.
TEST_P(ExplicitDeckOn, AFreeBarTurns) {
  std::string velocities = "*INITIAL CONDITIONS,TYPE=VELOCITY\n";
  for (int i = 0; i <= 4; ++i) {
    for (int k = 1; k <= 4; ++k) {
      const double y = k == 2 || k == 3 ? 0.5 : -0.5;
      velocities += fmt::format("{},1,{}\n{},2,{}\n", 4 * i + k, -0.2 * y, 4 * i + k, 0.2 * (i - 2));
    }
  }
  const std::string text = bar(4, soft, velocities + step("0.,25.", "*NODE PRINT,NSET=ALL\nU,V\n"));
  for (const bool single : {false, true}) {
    const Kept kept = keep(device(), text, single);
    ASSERT_EQ(kept.frames.size(), 20U);
    const auto& own = *kept.summaries[0].motion->of_explicit;
    EXPECT_EQ(own.single_precision, single);
    EXPECT_LT(own.drift, 0.01);
    double first = 0;
    for (const auto& frame : kept.frames) {
      const auto& u = frame.node_field("U")->values;
      const auto& v = frame.node_field("V")->values;
      double momentum = 0;
      for (std::size_t n = 0; n < 20; ++n) {
        const std::size_t i = n / 4;
        const double mass = i == 0 || i == 4 ? 1 : 2;
        const double x = static_cast<double>(i) - 2 + u[3 * n];
        const double y = (n % 4 == 1 || n % 4 == 2 ? 0.5 : -0.5) + u[3 * n + 1];
        momentum += mass * (x * v[3 * n + 1] - y * v[3 * n]);
      }
      if (first == 0) first = momentum;
      EXPECT_NEAR(momentum, first, (single ? 1e-4 : 1e-9) * first);
    }
    // Five radians.
    const auto& u = kept.frames.back().node_field("U")->values;
    const double dx = 4 + u[std::size_t{3} * 16] - u[0];
    const double dy = u[std::size_t{3} * 16 + 1] - u[1];
    EXPECT_NEAR(std::hypot(dx, dy), 4, 0.1);
    EXPECT_LT(dx, 0.35 * 4);
    EXPECT_LT(dy, -0.9 * 4);
  }
}

TEST_P(ExplicitDeckOn, EnergiesAreInTheHistoryAndInBalance) {
  const std::string text =
      bar(3, soft + "*DAMPING,ALPHA=0.5\n",
          "*AMPLITUDE,NAME=A\n0,0,1,1\n*AMPLITUDE,NAME=B\n0,0,2,1\n*BOUNDARY\nBASE,1,3\n" +
              step("0.,3.",
                   "*BOUNDARY,AMPLITUDE=A\nEND,1,1,0.3\n*CLOAD,AMPLITUDE=B\nEND,2,0.5\n"
                   "*CLOAD\n9,3,0.1\n*NODE PRINT,NSET=END\nU,RF\n"));
  const Kept kept = keep(device(), text);
  ASSERT_EQ(kept.history.front().size(), 8U + 4 * 6);
  EXPECT_EQ(kept.history.front()[1], 0);
  EXPECT_NEAR(kept.history.back()[1], 3, 1e-12);
  double largest = 0;
  const double first = kept.history.front()[3];  // below zero: a load begins to push what rests
  for (const auto& row : kept.history) {
    largest = std::max(largest, row[5]);
    EXPECT_NEAR(row[3] + row[4] + row[6] - row[5], first, 0.01 * largest + 1e-12);
    EXPECT_NEAR(row[7], std::abs(row[3] + row[4] + row[6] - row[5] - first), 1e-12);
    EXPECT_NEAR(row[8], 0.3 * std::min(row[1], 1.0), 1e-12);  // U1 of the end
  }
  EXPECT_GT(kept.history.back()[6], 0.01);
  const auto names = setka::analysis::history_columns(
      setka::deck::read_inp_text(text, "deck.inp", *std::make_unique<setka::Monitor>()).model);
  EXPECT_EQ(names[8], "U1_13");
  EXPECT_EQ(names.back(), "RF3_16");
}

TEST(ExplicitDeck, AStepGoesOnWhereTheOneBeforeEnded) {
  const std::string load = "*CLOAD\nEND,1,1.\n*NODE PRINT,NSET=END\nU,V\n";
  const std::string base = "*BOUNDARY\nBASE,1,3\n";
  const DeckRun whole = run_deck_text(bar(3, soft, base + step("0.002,2", load)));
  const DeckRun halves = run_deck_text(bar(3, soft, base + step("0.002,1", load) + step("0.002,1", "")));
  EXPECT_EQ(halves.frames.size(), 40U);
  EXPECT_NEAR(halves.frames.back().time, 2, 1e-12);
  EXPECT_NEAR(halves.at_node("U", 13, 0), whole.at_node("U", 13, 0), 1e-7);
  EXPECT_NEAR(halves.at_node("V", 13, 0), whole.at_node("V", 13, 0), 1e-5);
}

TEST(ExplicitDeck, FramesComeWhenTheyAreAskedFor) {
  const auto times = [](const std::string& output, const std::string& before = "") {
    std::vector<double> made;
    for (const auto& frame : run_deck_text(bar(1, soft, before + step("0.01,1", output))).frames)
      made.push_back(frame.time);
    return made;
  };
  EXPECT_EQ(times("*NODE PRINT,NSET=END,FREQUENCY=40\nU\n"), (std::vector<double>{0.4, 0.8, 1}));
  EXPECT_EQ(times("*NODE PRINT,NSET=END,NUMBER INTERVAL=4\nU\n"), (std::vector<double>{0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(times("").size(), 20U);
  const auto points = times("*NODE PRINT,NSET=END,TIME POINTS=T\nU\n", "*TIME POINTS,NAME=T\n0.123,0.5,2\n");
  ASSERT_EQ(points.size(), 3U);
  EXPECT_DOUBLE_EQ(points[0], 0.12);  // the nearest step
  EXPECT_DOUBLE_EQ(points[1], 0.5);
  EXPECT_DOUBLE_EQ(points[2], 1);
}

/// Whatever the moment of the checkpoint: the rest has the same bits.
TEST_P(ExplicitDeckOn, CheckpointsGoOnWithTheSameBits) {
  const std::string text =
      bar(2, rubber + "*DAMPING,ALPHA=0.1\n",
          "*AMPLITUDE,NAME=A\n0,0,1,1\n*AMPLITUDE,NAME=B\n0,0,2,1\n*BOUNDARY\nBASE,1,3\n" +
              step("0.001,0.5", "*CLOAD,AMPLITUDE=A\nEND,1,1.\n*NODE PRINT,NSET=END\nU,V,RF\n") +
              step("0.001,1.", "*BOUNDARY,FIXED\nEND,1,1\n*CLOAD,AMPLITUDE=B\nEND,2,1.\n"));
  for (const bool single : {false, true}) {
    const Kept whole = keep(device(), text, single, nullptr, 1e-9);
    ASSERT_GT(whole.checkpoints.size(), 20U);
    for (const std::size_t which : {std::size_t{3}, whole.checkpoints.size() - 5}) {
      const Kept rest = keep(device(), text, single, &whole.checkpoints[which]);
      ASSERT_LT(rest.history.size(), whole.history.size());
      ASSERT_FALSE(rest.history.empty());
      EXPECT_TRUE(std::equal(rest.history.rbegin(), rest.history.rend(), whole.history.rbegin()));
      for (std::size_t i = 1; i <= rest.frames.size(); ++i) {
        const auto& a = rest.frames[rest.frames.size() - i];
        const auto& b = whole.frames[whole.frames.size() - i];
        EXPECT_EQ(a.time, b.time);
        for (const char* field : {"U", "V", "RF"})
          EXPECT_EQ(a.node_field(field)->values, b.node_field(field)->values) << field;
      }
      EXPECT_EQ(rest.summaries.back().motion->increments, whole.summaries.back().motion->increments);
      EXPECT_EQ(rest.summaries.back().motion->of_explicit->drift,
                whole.summaries.back().motion->of_explicit->drift);
    }
    EXPECT_THROW(keep(device(), text, !single, &whole.checkpoints[3]), setka::Error);
  }
}

/// A bar that is crushed: the step ends where energies do not balance, and keeps what there was.
TEST_P(ExplicitDeckOn, DriftOfEnergyEndsTheStep) {
  std::string velocities = "*INITIAL CONDITIONS,TYPE=VELOCITY\n";
  for (int i = 0; i <= 3; ++i)
    velocities += fmt::format("{0},1,{1}\n{2},1,{1}\n{3},1,{1}\n{4},1,{1}\n", 4 * i + 1, -60 * (i - 1.5),
                              4 * i + 2, 4 * i + 3, 4 * i + 4);
  const Kept kept = keep(
      device(), bar(3, rubber, velocities + step("0.,10.", "*NODE PRINT,NSET=END\nU\n") + step("0.,1.", "")));
  ASSERT_EQ(kept.summaries.size(), 1U);
  const auto& motion = *kept.summaries[0].motion;
  EXPECT_FALSE(motion.converged);
  EXPECT_THAT(motion.trouble, AllOf(HasSubstr("balance of energies has drifted"), HasSubstr("smaller step")));
  EXPECT_LT(motion.duration, 10);
  EXPECT_FALSE(kept.history.empty());
}

/// A brick that swings with large strains: the balance sways, and stays.
TEST_P(ExplicitDeckOn, EnergyStaysInAHundredThousandSteps) {
  // Where nothing waits for threads or launches; the others have the same bits or the same arithmetic.
  const bool fast = std::string(GetParam()) == "cpu_one_thread" && !setka::test::sanitized;
  const int steps = fast ? 100'000 : 10'000;
  const Kept kept = keep(device(), bar(1, soft,
                                       "*INITIAL CONDITIONS,TYPE=VELOCITY\nEND,1,3.\n5,2,2.\nBASE,1,-3.\n" +
                                           step(fmt::format("0.01,{}", 0.01 * steps), "")));
  const auto& motion = *kept.summaries[0].motion;
  EXPECT_EQ(motion.increments, steps);
  EXPECT_LT(motion.of_explicit->drift, 0.005);
  double most = 0;
  double early = 0;
  double late = 0;
  const std::size_t rows = kept.history.size();
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& row = kept.history[i];
    most = std::max(most, row[4]);
    (2 * i < rows ? early : late) += 2 * (row[3] + row[4]) / static_cast<double>(rows);
  }
  EXPECT_GT(most, 0.3 * kept.history.front()[3]);
  EXPECT_NEAR(late, early, 0.005 * kept.history.front()[3]);
}

TEST_P(ExplicitDeckOn, HourglassEnergyIsTold) {
  const Kept kept =
      keep(device(), bar(4, soft, "*BOUNDARY\nBASE,1,3\n" + step("0.,5.", "*CLOAD\nEND,2,0.2\n"), "C3D8R"));
  const auto& own = *kept.summaries[0].motion->of_explicit;
  EXPECT_GT(own.hourglass, 1e-6 * own.internal);
  EXPECT_LT(own.hourglass, own.internal);
}

TEST(ExplicitDeck, WhatCannotBeComputedIsRefused) {
  const std::string plain = step("0.,1.", "");
  EXPECT_THAT(refusal_of_deck(bar(2, soft, step("0.5,1.", ""))),
              AllOf(HasSubstr("the increment 0.5 is not stable: the one of element"),
                    HasSubstr("take at most 0.09")));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, step("0.,1.,0.5,1.", ""))), HasSubstr("least one allowed is 0.5"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, "*EQUATION\n2\n1,1,1,2,1,-1\n" + plain)),
              HasSubstr("masses are lumped, and *EQUATION, *TIE and rigid bodies would tie them together"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, "*TRANSFORM,NSET=END\n1,1,0,-1,1,0\n" + plain)),
              HasSubstr("*TRANSFORM"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, plain, "C3D8I")), HasSubstr("element 1 is of type C3D8I"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft + "*DAMPING,ALPHA=1,BETA=1\n", plain)),
              HasSubstr("give ALPHA alone"));
  EXPECT_THAT(refusal_of_deck(bar(2, "*ELASTIC\n100,0\n", plain)), HasSubstr("has no *DENSITY"));
  EXPECT_THAT(refusal_of_deck(bar(2, "*ELASTIC\n100,0\n200,0,50\n*DENSITY\n1\n", plain)),
              HasSubstr("depends on temperature"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, step("0.,1.", "*BOUNDARY\nEND,1,1,0.2\n"))),
              AllOf(HasSubstr("node 9, direction 1 is at 0 and is prescribed 0.2"), HasSubstr("AMPLITUDE")));
  EXPECT_THAT(refusal_of_deck(bar(2, soft,
                                  "*AMPLITUDE,NAME=J\n0,0,0.5,0,0.5,1\n" +
                                      step("0.,1.", "*BOUNDARY,AMPLITUDE=J\nEND,1,1,0.2\n"))),
              HasSubstr("jumps with the amplitude J at its time 0.5"));
  EXPECT_THAT(refusal_of_deck(bar(2, rubber, "*BOUNDARY\nBASE,1,3\n*STEP\n*STATIC\n*END STEP\n")),
              HasSubstr("hyperelastic, which only *DYNAMIC, EXPLICIT computes"));
  EXPECT_THAT(refusal_of_deck(bar(2, "*HYPERELASTIC,NEO HOOKE\n10,0\n*DENSITY\n1\n", plain)),
              HasSubstr("D1 is 0"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, step("0.,-1.", ""))), HasSubstr("the time period is -1"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, step("-1,1.", ""))), HasSubstr("the time increment is -1"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, "*STEP\n*DYNAMIC,EXPLICIT\n*END STEP\n")), HasSubstr("how long"));
  EXPECT_THAT(refusal_of_deck(bar(2, "*HYPERELASTIC,OGDEN\n1,2,3\n*DENSITY\n1\n", plain)),
              HasSubstr("*HYPERELASTIC, parameter OGDEN"));
  EXPECT_THAT(refusal_of_deck(bar(2, soft, "*INITIAL CONDITIONS,TYPE=VELOCITY\nALL,4,1.\n" + plain)),
              HasSubstr("degree of freedom 4"));
}

TEST(ExplicitDeck, TheCheckSeesTheSame) {
  const auto check = [](const std::string& text) {
    setka::Monitor monitor;
    return setka::analysis::check_deck(
        setka::deck::read_inp_text(text, "deck.inp", monitor, setka::deck::Completeness::unchecked), monitor);
  };
  const auto good = check(bar(2, rubber, step("0.,1.", "*CLOAD\nEND,1,1\n")));
  EXPECT_TRUE(good.could_run());
  EXPECT_EQ(good.steps[0].kind, "explicit");
  EXPECT_THAT(good.materials[0].defined, testing::Contains("hyperelastic"));
  const auto bad = check(bar(2, soft, "*EQUATION\n2\n1,1,1,2,1,-1\n" + step("0.,1.", "")));
  ASSERT_FALSE(bad.errors.empty());
  EXPECT_THAT(bad.errors[0], HasSubstr("lumped"));
}

}  // namespace
