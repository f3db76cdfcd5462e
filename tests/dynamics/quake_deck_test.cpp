// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Bases that accelerate, records in decks, and output of a few nodes.
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "dynamics/bar_deck.hpp"
#include "io/scratch_folder.hpp"
#include "setka/dynamics/superposition.hpp"

namespace setka {
namespace {

using test::bar_deck;
using test::DeckRun;
using test::refusal_of_deck;
using test::run_deck_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double omega = 3;  // of one brick

std::string shaken(const std::string& numbers, const std::string& more = "",
                   const std::string& output = "*NODE PRINT,NSET=END\nU,V,A\n") {
  return "*STEP,INC=100000\n*MODAL DYNAMIC\n" + numbers + "\n*BASE MOTION,DOF=1,AMPLITUDE=A\n" + more +
         output + "*END STEP\n";
}

std::vector<model::Frame> frames_of(const DeckRun& run, int step = 2) {
  std::vector<model::Frame> frames;
  for (const auto& frame : run.frames) {
    if (frame.step == step) frames.push_back(frame);
  }
  return frames;
}

double at(const model::Frame& frame, const char* field, int label, int component = 0) {
  return frame.node_field(field)
      ->values[3 * (static_cast<std::size_t>(label) - 1) + static_cast<std::size_t>(component)];
}

TEST(BaseAcceleration, AConstantOne) {
  const auto frames = frames_of(run_deck_text(
      bar_deck(1, shaken("0.25,2", "", "*NODE PRINT,NSET=ALL\nU,V,A\n"), "*AMPLITUDE,NAME=A\n0,5\n")));
  ASSERT_EQ(frames.size(), 8U);
  for (const auto& frame : frames) {
    const double t = frame.time;
    const double relative = -5 / (omega * omega) * (1 - std::cos(omega * t));
    EXPECT_NEAR(at(frame, "U", 5), 5 * t * t / 2 + relative, 1e-9) << t;
    EXPECT_NEAR(at(frame, "V", 5), 5 * t - 5 / omega * std::sin(omega * t), 1e-9) << t;
    EXPECT_NEAR(at(frame, "A", 5), 5 * (1 - std::cos(omega * t)), 1e-9) << t;
    EXPECT_NEAR(at(frame, "A", 1), 5, 1e-12) << t;  // the base itself
    EXPECT_NEAR(at(frame, "U", 2), 5 * t * t / 2, 1e-12) << t;
  }
}

TEST(BaseAcceleration, DoesNotDependOnTheIncrement) {
  const std::string amplitude = "*AMPLITUDE,NAME=A\n0,0,0.33,1,0.71,-2,0.71,3,1.9,3\n";
  const std::string damping = "*MODAL DAMPING\n1,2,0.1\n";
  const auto coarse = frames_of(run_deck_text(bar_deck(2, shaken("2,2", damping), amplitude)));
  const auto fine = frames_of(run_deck_text(bar_deck(2, shaken("0.001,2", damping), amplitude)));
  ASSERT_EQ(coarse.size(), 1U);
  for (const char* field : {"U", "V", "A"})
    EXPECT_NEAR(at(coarse.back(), field, 9), at(fine.back(), field, 9), 1e-10) << field;
}

TEST(BaseAcceleration, IsWhatTheDisplacementGivesInSmallIncrements) {
  // g = t³ / 6 in points; the differences of a displacement are those of a smooth one.
  std::string points = "*AMPLITUDE,NAME=D\n";
  for (int i = 0; i <= 400; ++i)
    points += std::to_string(0.01 * i) + "," + std::to_string(std::pow(0.01 * i, 3)) + "\n";
  std::string by_displacement = shaken("0.01,2");
  by_displacement.replace(by_displacement.find("AMPLITUDE=A"), 11, "AMPLITUDE=D,TYPE=DISPLACEMENT");
  const auto given = frames_of(run_deck_text(bar_deck(1, by_displacement, points)));
  const auto followed =
      frames_of(run_deck_text(bar_deck(1, shaken("0.01,2"), "*AMPLITUDE,NAME=A\n0,0,4,24\n")));
  EXPECT_NEAR(at(given.back(), "U", 5), at(followed.back(), "U", 5), 1e-3);
  EXPECT_NEAR(at(given.back(), "A", 5), at(followed.back(), "A", 5), 0.02 * at(followed.back(), "A", 5));
}

TEST(BaseAcceleration, RayleighDampingOfTheBaseCounts) {
  // c = alpha M alone: the body is slowed down against what does not move.
  const std::string damping = "*MODAL DAMPING,RAYLEIGH\n,,0.5,0\n";
  const auto frames =
      frames_of(run_deck_text(bar_deck(1, shaken("0.001,2", damping), "*AMPLITUDE,NAME=A\n0,5\n")));
  dynamics::OscillatorStep step({omega * omega, 0.5}, 0.001);
  dynamics::Motion relative;
  for (int i = 0; i < 2000; ++i)
    relative = step.advance(relative, -5 - 0.5 * 5 * 0.001 * i, -5 - 0.5 * 5 * 0.001 * (i + 1));
  EXPECT_NEAR(at(frames.back(), "U", 5), 10 + relative.position, 1e-9);
}

TEST(RecordInDeck, IsAnAmplitude) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "Quake 1.at2")
      << "PEER\nSomewhere\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 4, DT= .5 SEC\n0 1 -1 0\n";
  const std::string name = (folder / "Quake 1.at2").string();
  const auto model = [&](const std::string& more) {
    Monitor monitor(ProgressDisplay::silent());
    return deck::read_inp_text(
               bar_deck(1, shaken("0.1,1"), "*AMPLITUDE,NAME=A,INPUT=\"" + name + "\"" + more + "\n"),
               "deck.inp", monitor)
        .model;
  };
  const auto points = [&](const std::string& more) { return model(more).amplitudes[0].points; };
  EXPECT_THAT(points(""), ElementsAre(ElementsAre(0, 0), ElementsAre(0.5, 9.80665), ElementsAre(1, -9.80665),
                                      ElementsAre(1.5, 0)));
  EXPECT_NEAR(points(",GRAVITY=9806.65")[1][1], 9806.65, 1e-9);
  EXPECT_THAT(model("").files, ElementsAre("deck.inp", name));
  EXPECT_THAT(refusal_of_deck(bar_deck(1, shaken("0.1,1"), "*AMPLITUDE,NAME=A,INPUT=" + name + "\n0,1\n")),
              HasSubstr("both INPUT= and points"));
  EXPECT_THAT(refusal_of_deck(bar_deck(1, shaken("0.1,1"), "*AMPLITUDE,NAME=A,INPUT=none.at2\n")),
              AllOf(HasSubstr("deck.inp:"), HasSubstr("*AMPLITUDE: there is no file 'none.at2'")));
  EXPECT_THAT(
      refusal_of_deck(bar_deck(1, shaken("0.1,1"), "*AMPLITUDE,NAME=A,GRAVITY=-1,INPUT=" + name + "\n")),
      HasSubstr("GRAVITY is -1"));
  std::ofstream(folder / "gap.csv") << "t,a [g]\n0,1\n1,1\n2,1\n9,1\n";
  EXPECT_THAT(refusal_of_deck(bar_deck(1, shaken("0.1,1"),
                                       "*AMPLITUDE,NAME=A,INPUT=" + (folder / "gap.csv").string() + "\n")),
              HasSubstr("gap.csv:5: a gap from time 2 to 9"));
}

TEST(ChosenNodes, HaveTheValuesOfWholeFrames) {
  const std::string before = "*AMPLITUDE,NAME=A\n0,0,0.3,5,0.9,-7,2,1\n*NSET,NSET=SOME\n5,9\n";
  const std::string damping = "*MODAL DAMPING\n1,3,0.03\n";
  const auto few = frames_of(run_deck_text(bar_deck(
      3, shaken("0.1,2", damping, "*NODE PRINT,NSET=SOME\nU,V\n*NODE PRINT,NSET=END\nA\n"), before)));
  const auto whole = frames_of(run_deck_text(
      bar_deck(3, shaken("0.1,2", damping, "*NODE PRINT,NSET=SOME\nU,V,A\n*NODE FILE\nU,V,A\n"), before)));
  ASSERT_EQ(few.size(), whole.size());
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_THAT(few[i].nodes, ElementsAre(4, 8, 12));
    EXPECT_TRUE(whole[i].nodes.empty());
    EXPECT_EQ(few[i].time, whole[i].time);
    for (const char* field : {"U", "V", "A"}) {
      for (const int label : {5, 9, 13})
        EXPECT_NEAR(at(few[i], field, label), at(whole[i], field, label), 1e-12) << field << label;
    }
  }
}

}  // namespace
}  // namespace setka
