// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *MODAL DYNAMIC, *STEADY STATE DYNAMICS and *DYNAMIC of decks, against closed forms.
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "setka/dynamics/superposition.hpp"
#include "setka/solve/preconditioner.hpp"
#include "support/on_device.hpp"

namespace {

using setka::dynamics::damped_by_ratio;
using setka::dynamics::Motion;
using setka::dynamics::OscillatorStep;
using setka::test::DeckRun;
using setka::test::refusal_of_deck;
using setka::test::run_deck_text;
using testing::HasSubstr;

constexpr double stiffness = 3;
constexpr double omega = 3;

/// A brick that only grows along x: one unknown, of stiffness 3, mass 1/3 and natural frequency 3 rad.
std::string bar(const std::string& steps, const std::string& before = "") {
  return "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
         "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET,NSET=END\n2\n*NSET,NSET=BASE\n1,4,5,8\n"
         "*MATERIAL,NAME=M\n*ELASTIC\n3,0\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
         "*BOUNDARY\nBASE,1,3\n2,2,3\n3,2,3\n6,2,3\n7,2,3\n"
         "*EQUATION\n2\n3,1,1,2,1,-1\n2\n6,1,1,2,1,-1\n2\n7,1,1,2,1,-1\n" +
         before + "*STEP\n*FREQUENCY\n1\n*END STEP\n" + steps;
}

std::string modal(const std::string& numbers, const std::string& loads, const std::string& parameters = "") {
  return "*STEP,INC=10000\n*MODAL DYNAMIC" + parameters + "\n" + numbers + "\n" + loads +
         "*NODE PRINT,NSET=END\nU,V\n*END STEP\n";
}

double end(const setka::model::Frame& frame, const char* field = "U") {
  return frame.node_field(field)->values[3];
}

/// Frames of a step, the modes left out.
std::vector<setka::model::Frame> frames_of(const std::string& text, int step = 2) {
  std::vector<setka::model::Frame> frames;
  for (const auto& frame : run_deck_text(text).frames) {
    if (frame.step == step) frames.push_back(frame);
  }
  return frames;
}

TEST(ModalDynamic, AForceThatStaysAndOneThatGrows) {
  const auto frames = frames_of(bar(modal("0.25,2", "*CLOAD\n2,1,6\n")));
  ASSERT_EQ(frames.size(), 8U);
  for (const auto& frame : frames) {
    EXPECT_NEAR(end(frame), 2 * (1 - std::cos(omega * frame.time)), 1e-9) << frame.time;
    EXPECT_NEAR(end(frame, "V"), 2 * omega * std::sin(omega * frame.time), 1e-9) << frame.time;
  }
  const auto ramp =
      frames_of(bar(modal("0.5,2", "*CLOAD,AMPLITUDE=R\n2,1,3\n"), "*AMPLITUDE,NAME=R\n0,0,10,10\n"));
  for (const auto& frame : ramp)
    EXPECT_NEAR(end(frame), frame.time - std::sin(omega * frame.time) / omega, 1e-9) << frame.time;
}

TEST(ModalDynamic, BendsAndJumpsWithinIncrementsAreFollowed) {
  const std::string amplitude = "*AMPLITUDE,NAME=A\n0,0,0.33,1,0.71,-2,0.71,3,1.9,3\n";
  const std::string load = "*CLOAD,AMPLITUDE=A\n2,1,1\n*MODAL DAMPING\n1,1,0.1\n";
  const auto coarse = frames_of(bar(modal("2,2", load), amplitude));
  const auto fine = frames_of(bar(modal("0.001,2", load), amplitude));
  ASSERT_EQ(coarse.size(), 1U);
  ASSERT_EQ(fine.size(), 2000U);
  EXPECT_NEAR(end(coarse.back()), end(fine.back()), 1e-10);
}

TEST(ModalDynamic, StepsGoOnWhereTheLastOneEndedWithoutItsLoads) {
  const DeckRun run = run_deck_text(
      bar(modal("0.5,0.5", "*CLOAD\n2,1,6\n*MODAL DAMPING\n1,1,0.05\n") + modal("0.1,0.7", "")));
  const auto mode = damped_by_ratio(omega * omega, 0.05);
  Motion motion = OscillatorStep(mode, 0.5).advance({}, 18, 18);  // 6 / mass
  EXPECT_NEAR(run.frames[1].node_field("U")->values[3], motion.position, 1e-9);
  motion = OscillatorStep(mode, 0.7).advance(motion, 0, 0);
  EXPECT_NEAR(end(run.frames.back()), motion.position, 1e-9);
  EXPECT_NEAR(run.frames.back().time, 1.2, 1e-12);
}

TEST(ModalDynamic, OnlyTheTimesThatAreAskedFor) {
  const std::string load = "*CLOAD\n2,1,6\n";
  std::string text = bar(modal("0.25,2", load));
  text.replace(text.find("NSET=END\nU,V"), 8, "NSET=END,FREQUENCY=3");
  const auto every_third = frames_of(text);
  ASSERT_EQ(every_third.size(), 3U);
  EXPECT_NEAR(every_third[0].time, 0.75, 1e-12);
  EXPECT_NEAR(every_third[2].time, 2, 1e-12);

  text = bar(modal("0.25,2", load), "*TIME POINTS,NAME=T\n0.3,0.5,1.1\n");
  text.replace(text.find("NSET=END\nU,V"), 8, "NSET=END,TIME POINTS=T");
  const auto points = frames_of(text);
  ASSERT_EQ(points.size(), 4U);
  const std::vector<double> times{0.3, 0.5, 1.1, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(points[i].time, times[i], 1e-12);
    EXPECT_NEAR(end(points[i]), 2 * (1 - std::cos(omega * times[i])), 1e-9);
  }
}

TEST(ModalDynamic, ABaseThatMovesSlowlyTakesTheBodyAlong) {
  const std::string amplitude = "*AMPLITUDE,NAME=A\n0,0,1000,1\n";
  const std::string damping = "*MODAL DAMPING\n1,1,1\n";
  const auto prescribed =
      frames_of(bar(modal("1,1000", "*BOUNDARY,AMPLITUDE=A\nBASE,1,1,2\n" + damping), amplitude));
  EXPECT_NEAR(end(prescribed.back()), 2, 0.01);
  const auto base = frames_of(
      bar(modal("1,1000", "*BASE MOTION,DOF=1,AMPLITUDE=A,TYPE=DISPLACEMENT\n" + damping), amplitude));
  EXPECT_NEAR(end(base.back()), end(prescribed.back()) / 2, 1e-9);
}

TEST(ModalDynamic, UntilSteady) {
  const auto frames =
      frames_of(bar(modal("0.1,1e-4", "*CLOAD\n2,1,6\n*MODAL DAMPING\n1,1,1\n", ",STEADY STATE")));
  EXPECT_NEAR(end(frames.back()), 2, 2e-3);
  EXPECT_LT(frames.size(), 100U);
}

TEST(ModalDynamic, IncrementsThatFollowTheForces) {
  const auto frames = frames_of(bar(modal("0.1,10", "*CLOAD,AMPLITUDE=R\n2,1,1\n", ",DIRECT=NO,DELTMX=1"),
                                    "*AMPLITUDE,NAME=R\n0,0,10,10\n"));
  EXPECT_NEAR(frames[1].time - frames[0].time, 0.15, 1e-12);
  double longest = 0;
  for (std::size_t i = 1; i < frames.size(); ++i)
    longest = std::max(longest, frames[i].time - frames[i - 1].time);
  EXPECT_NEAR(longest, 1, 1e-9);
  EXPECT_NEAR(end(frames.back()), (10 - std::sin(omega * 10) / omega) / stiffness, 1e-9);
}

TEST(SteadyState, OneDegreeOfFreedom) {
  const auto frames =
      frames_of(bar("*STEP\n*STEADY STATE DYNAMICS\n0,1,4,1\n*MODAL DAMPING\n1,1,0.1\n*CLOAD\n2,1,6\n"
                    "*CLOAD,LOAD CASE=2\n2,1,3\n*NODE PRINT,NSET=END\nU\n*END STEP\n"));
  ASSERT_EQ(frames.size(), 7U);  // four points on each side of 3 / 2 pi
  for (const auto& frame : frames) {
    const double w = 2 * std::numbers::pi * frame.time;
    const std::complex<double> expected =
        std::complex<double>(18, 9) / std::complex<double>(omega * omega - w * w, 2 * 0.1 * omega * w);
    EXPECT_NEAR(end(frame), expected.real(), 1e-9) << frame.time;
    ASSERT_EQ(frame.imaginary.size(), 1U);
    EXPECT_NEAR(end(frame.imaginary[0]), expected.imag(), 1e-9) << frame.time;
    ASSERT_EQ(frame.factors.size(), 1U);
  }
}

TEST(SteadyState, StructuralDampingAndAccelerationOfTheBase) {
  const auto frames =
      frames_of(bar("*STEP\n*STEADY STATE DYNAMICS\n0.2,0.4,2,1\n*MODAL DAMPING,STRUCTURAL\n1,1,0.2\n"
                    "*BASE MOTION,DOF=1,AMPLITUDE=A\n*NODE PRINT,NSET=END\nU\n*END STEP\n",
                    "*AMPLITUDE,NAME=A\n0,5\n"));
  ASSERT_EQ(frames.size(), 2U);
  for (const auto& frame : frames) {
    const double w = 2 * std::numbers::pi * frame.time;
    const std::complex<double> relative =
        -5.0 / std::complex<double>(omega * omega - w * w, 0.2 * omega * omega);
    EXPECT_NEAR(end(frame), relative.real() - 5 / (w * w), 1e-9);
    EXPECT_NEAR(end(frame.imaginary[0]), relative.imag(), 1e-9);
  }
}

TEST(SteadyState, APeriodicLoadIsTheSumOfItsHarmonics) {
  // 1 + cos(w t), sampled: the answer is that of a constant and of one harmonic.
  const int n = 9;
  std::string amplitude = "*AMPLITUDE,NAME=A\n";
  for (int l = 0; l <= n; ++l)
    amplitude += fmt::format("{},{}\n", l, 1 + std::cos(2 * std::numbers::pi * l / n));
  const auto frames = frames_of(
      bar("*STEP\n*STEADY STATE DYNAMICS,HARMONIC=NO\n0.3,0.3,2,1,9,0,9\n*CLOAD,AMPLITUDE=A\n2,1,3\n"
          "*NODE PRINT,NSET=END\nU\n*END STEP\n",
          amplitude));
  ASSERT_EQ(frames.size(), 9U);
  const double w = 2 * std::numbers::pi * 0.3;
  for (const auto& frame : frames)
    EXPECT_NEAR(end(frame), 1 + 9 * std::cos(w * frame.time) / (9 - w * w), 1e-5) << frame.time;
}

/// A short cantilever of three bricks.
std::string beam(const std::string& steps) {
  std::string text = "*NODE\n";
  for (int i = 0; i < 16; ++i)
    text += std::to_string(i + 1) + "," + std::to_string(i / 4) + "," + std::to_string(i % 2) + "," +
            std::to_string(i / 2 % 2) + "\n";
  text += "*ELEMENT,TYPE=C3D8,ELSET=E\n";
  for (int e = 0; e < 3; ++e) {
    text += std::to_string(e + 1);
    for (const int node : {1, 5, 6, 2, 3, 7, 8, 4}) (text += ',') += std::to_string(4 * e + node);
    text += "\n";
  }
  return text +
         "*NSET,NSET=HELD\n1,2,3,4\n*NSET,NSET=END\n16\n*MATERIAL,NAME=M\n*ELASTIC\n100,0.3\n*DENSITY\n1\n"
         "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nHELD,1,3\n" +
         steps;
}

TEST(SteadyState, ABeamWithAllItsModesAnswersSlowLoadsAsInStatics) {
  const std::string load = "*CLOAD\n16,3,1\n*DLOAD\n3,P4,0.1\n*NODE PRINT,NSET=END\nU\n*END STEP\n";
  const DeckRun modal = run_deck_text(
      beam("*STEP\n*FREQUENCY\n36\n*END STEP\n*STEP\n*STEADY STATE DYNAMICS\n0,0.001,2,1\n" + load));
  const DeckRun statics = run_deck_text(beam("*STEP\n*STATIC\n" + load));
  const auto& first = modal.frames[modal.frames.size() - 2];
  for (std::size_t i = 0; i < 48; ++i) {
    EXPECT_NEAR(first.node_field("U")->values[i], statics.frames[0].node_field("U")->values[i], 1e-7) << i;
  }
}

TEST(Dynamic, AgreesWithTheSumOfAllModes) {
  // A force that grows slowly leaves the highest modes alone, which steps of this length do not resolve.
  const std::string amplitude = "*AMPLITUDE,NAME=R\n0,0,3,1\n";
  const std::string load = "*CLOAD,AMPLITUDE=R\n16,3,1\n*NODE PRINT,NSET=END\nU,V\n*END STEP\n";
  const DeckRun modal = run_deck_text(
      beam(amplitude + "*STEP\n*FREQUENCY\n36\n*END STEP\n*STEP,INC=1000\n*MODAL DYNAMIC\n1,3\n" + load));
  for (const char* increment : {"0.02", "0.01"}) {
    std::string text = amplitude;
    text.append("*STEP,INC=1000\n*DYNAMIC,DIRECT,ALPHA=0\n").append(increment).append(",3\n").append(load);
    const DeckRun direct = run_deck_text(beam(text));
    EXPECT_NEAR(direct.at_node("U", 16, 2), modal.at_node("U", 16, 2), 1e-4);
    EXPECT_NEAR(direct.at_node("V", 16, 2), modal.at_node("V", 16, 2), 0.02);
  }
}

TEST(Dynamic, IsOfSecondOrder) {
  std::vector<double> errors;
  for (const char* increment : {"0.02", "0.01"}) {
    const DeckRun run = run_deck_text(bar("*STEP,INC=1000\n*DYNAMIC,DIRECT\n" + std::string(increment) +
                                          ",1\n*CLOAD\n2,1,6\n*NODE PRINT,NSET=END\nU\n*END STEP\n"));
    errors.push_back(end(run.frames.back()) - 2 * (1 - std::cos(omega)));
  }
  EXPECT_LT(std::abs(errors[1]), 2e-4);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.4);
}

TEST(Dynamic, MaterialDampingAndSteps) {
  const std::string step =
      "*STEP,INC=1000\n*DYNAMIC,DIRECT\n0.005,1\n*CLOAD\n2,1,6\n*NODE PRINT,NSET=END\nU\n*END STEP\n";
  std::string text = bar(step + step);
  text.replace(text.find("*DENSITY"), 0, "*DAMPING,ALPHA=0.6\n");
  const DeckRun run = run_deck_text(text);
  const Motion motion = OscillatorStep({omega * omega, 0.6}, 2).advance({}, 18, 18);
  EXPECT_NEAR(end(run.frames.back()), motion.position, 2e-4);
}

std::string moving(const std::string& parameters, const std::string& numbers,
                   const std::string& output = "*NODE PRINT,NSET=END\nU,V\n") {
  return "*STEP,INC=1000\n*DYNAMIC" + parameters + "\n" + numbers + "\n*CLOAD\n2,1,6\n" + output +
         "*END STEP\n";
}

double exact_end(double time) {
  return 2 * (1 - std::cos(omega * time));
}

// Without DIRECT increments become as long as an error of 1e-3 of the largest displacement in each allows,
// whether the first one was far too long or far too short.
TEST(Dynamic, IncrementsFollowTheError) {
  for (const char* numbers : {"0.2,4", "1e-4,4"}) {
    const auto frames = frames_of(bar(moving(",ALPHA=0", numbers)));
    ASSERT_GT(frames.size(), 20U);
    EXPECT_LT(frames.size(), 120U);
    for (const auto& frame : frames) EXPECT_NEAR(end(frame), exact_end(frame.time), 0.03 * 4) << frame.time;
    EXPECT_EQ(frames.back().time, 4);
    EXPECT_TRUE(frames.back().last_of_step);
  }
  const auto many = frames_of(bar(moving(",ALPHA=0", "1e-2,4,1e-4,1e-2")));
  EXPECT_EQ(many.size(), 400U) << "none is longer than the longest";
  for (const auto& frame : many) EXPECT_NEAR(end(frame), exact_end(frame.time), 2e-3) << frame.time;
}

TEST(Dynamic, TimePointsLieBetweenIncrements) {
  const std::string points = "*TIME POINTS,NAME=P\n0.123,0.5,0.777\n";
  const std::string output = "*NODE PRINT,NSET=END,TIME POINTS=P\nU,V\n";
  for (const char* parameters : {",DIRECT,ALPHA=0", ",ALPHA=0"}) {
    const auto frames = frames_of(bar(moving(parameters, "0.02,1,1e-4,0.02", output), points));
    ASSERT_EQ(frames.size(), 4U) << parameters;
    const double times[] = {0.123, 0.5, 0.777, 1};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(frames[i].time, times[i], 1e-12);
      EXPECT_NEAR(end(frames[i]), exact_end(times[i]), 5e-3);
      EXPECT_NEAR(end(frames[i], "V"), 6 * std::sin(omega * times[i]), 2e-2);
    }
  }
}

class DynamicOn : public setka::test::OnDevice {};

std::vector<std::string> preconditioner_choices() {
  std::vector<std::string> words{"auto"};
  for (const auto& one : setka::solve::preconditioners()) words.emplace_back(one.word);
  return words;
}

// A factor on the host, and conjugate gradients with every preconditioner on every device, are the same
// motion.
TEST_P(DynamicOn, SolversAgree) {
  std::string text =
      beam("*STEP,INC=1000\n*DYNAMIC,DIRECT\n0.1,2\n*CLOAD\n16,3,1\n*NODE PRINT,NSET=END\nU\n*END STEP\n");
  text.replace(text.find("*DENSITY"), 0, "*DAMPING,ALPHA=0.1,BETA=0.01\n");
  const double expected = run_deck_text(text).at_node("U", 16, 2);
  for (const std::string& kind : preconditioner_choices()) {
    setka::analysis::Computing computing = setka::analysis::Computing::on_cpu(1);
    computing.device = device();
    computing.solver.method = setka::solve::Method::cg;
    computing.solver.preconditioner = kind;
    computing.solver.tolerance = 1e-12;
    EXPECT_NEAR(run_deck_text(text, computing).at_node("U", 16, 2) / expected, 1, 1e-8);
  }
}

/// The beam of damped elements, moved by a force; of two materials and with an equation where they are mixed.
std::string damped_beam(bool mixed) {
  std::string text =
      beam("*STEP,INC=1000\n*DYNAMIC,DIRECT\n0.1,2\n*CLOAD\n16,3,1\n*NODE PRINT,NSET=END\nU\n*END STEP\n");
  text.replace(text.find("*DENSITY"), 0, "*DAMPING,ALPHA=0.1,BETA=0.01\n");
  if (mixed) {
    text.replace(text.find("*SOLID SECTION"), 0,
                 "*MATERIAL,NAME=N\n*ELASTIC\n80,0.3\n*DENSITY\n2\n*DAMPING,ALPHA=0.3\n*ELSET,ELSET=F\n3\n"
                 "*ELSET,ELSET=G\n1,2\n*SOLID SECTION,ELSET=F,MATERIAL=N\n");
    text.replace(text.find("ELSET=E,MATERIAL"), 7, "ELSET=G");
    text.replace(text.find("*STEP"), 0, "*EQUATION\n2\n15,3,1,16,3,-1\n");
  }
  return text;
}

// Products element by element, with and without an assembled matrix for the preconditioner.
TEST_P(DynamicOn, OperatorsAgree) {
  using setka::analysis::OperatorKind;
  for (const bool mixed : {false, true}) {
    const std::string text = damped_beam(mixed);
    const double expected = run_deck_text(text).at_node("U", 16, 2);
    for (const OperatorKind kind : {OperatorKind::elements, OperatorKind::matrix_free}) {
      for (const std::string& preconditioning : preconditioner_choices()) {
        setka::analysis::Computing computing = setka::analysis::Computing::on_cpu(1);
        computing.device = device();
        computing.operator_kind = kind;
        computing.solver.preconditioner = preconditioning;
        computing.solver.tolerance = 1e-12;
        EXPECT_NEAR(run_deck_text(text, computing).at_node("U", 16, 2) / expected, 1, 1e-8)
            << mixed << static_cast<int>(kind) << preconditioning;
      }
    }
  }
}

/// A bar of bricks in a row whose nodes are numbered far from their neighbours, so that unknowns of matrices
/// that the host assembles have an order of their own.
std::string mixed_up_bar() {
  constexpr int bricks = 40;
  constexpr int nodes = 4 * (bricks + 1);
  const auto label = [](int node) { return 1 + node * 61 % nodes; };
  std::vector<std::string> lines(nodes);
  for (int n = 0; n < nodes; ++n) {
    const int corner = n % 4;
    lines[static_cast<std::size_t>(label(n) - 1)] =
        fmt::format("{},{},{},{}\n", label(n), 0.5 * (n / 4), corner == 1 || corner == 2 ? 1 : 0, corner / 2);
  }
  std::string text = "*NODE\n";
  for (const std::string& line : lines) text += line;
  text += "*ELEMENT,TYPE=C3D8,ELSET=E\n";
  for (int e = 0; e < bricks; ++e) {
    text += fmt::format("{}", e + 1);
    for (const int n : {0, 4, 5, 1, 3, 7, 6, 2}) text += fmt::format(",{}", label(4 * e + n));
    text += "\n";
  }
  text += "*NSET,NSET=BASE\n";
  for (int n = 0; n < 4; ++n) text += fmt::format("{},", label(n));
  text += fmt::format("\n*NSET,NSET=END\n{}\n", label(nodes - 1));
  return text +
         "*MATERIAL,NAME=M\n*ELASTIC\n1e5,0.3\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\n"
         "BASE,1,3\n*STEP,INC=1000\n*DYNAMIC,DIRECT\n0.1,0.5\n*CLOAD\nEND,3,1\n*NODE PRINT,NSET=END\nU\n"
         "*END STEP\n";
}

TEST_P(DynamicOn, OperatorsAgreeWhereUnknownsAreOrderedAnew) {
  using setka::analysis::OperatorKind;
  const std::string text = mixed_up_bar();
  const int end = 1 + 163 * 61 % 164;
  const double expected = run_deck_text(text).at_node("U", end, 2);
  ASSERT_NE(expected, 0);
  for (const char* const preconditioning : {"auto", "jacobi", "amg", "fsai"}) {
    setka::analysis::Computing computing = setka::analysis::Computing::on_cpu(1);
    computing.device = device();
    computing.operator_kind = OperatorKind::elements;
    computing.solver.preconditioner = preconditioning;
    computing.solver.tolerance = 1e-12;
    EXPECT_NEAR(run_deck_text(text, computing).at_node("U", end, 2) / expected, 1, 1e-8) << preconditioning;
  }
}

SETKA_ON_ALL_DEVICES(DynamicOn);

TEST(Dynamic, OperatorsSayWhatTheyNeed) {
  setka::analysis::Computing computing = setka::analysis::Computing::on_cpu(1);
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      run_deck_text(text, computing);
    } catch (const setka::Error& error) {
      EXPECT_EQ(error.fault(), setka::Fault::usage);
      return error.what();
    }
    return "nothing was thrown";
  };
  computing.operator_kind = setka::analysis::OperatorKind::matrix_free;
  std::string text = damped_beam(false);
  text.replace(text.find("TYPE=C3D8"), 9, "TYPE=C3D8I");
  EXPECT_THAT(refusal(text), HasSubstr("element 1 is a C3D8I, which has a formulation of its own"));
  text = damped_beam(false);
  text.replace(text.find("*NSET,NSET=HELD"), 0,
               "*ELEMENT,TYPE=SPRINGA,ELSET=S\n10,1,16\n*SPRING,ELSET=S\n\n1e-7\n");
  EXPECT_EQ(refusal(text), "--operator: element 10 is a spring, which is no solid; use --operator assembled");
  computing.solver.method = setka::solve::Method::cholesky;
  EXPECT_EQ(refusal(damped_beam(false)),
            "--operator: a factorisation needs the assembled matrix; use --operator assembled");
}

// With a spring, which is not damped, C is a matrix of its own.
TEST(Dynamic, DampingOfSomeElements) {
  std::string text =
      beam("*STEP,INC=1000\n*DYNAMIC,DIRECT\n0.1,2\n*CLOAD\n16,3,1\n*NODE PRINT,NSET=END\nU\n*END STEP\n");
  text.replace(text.find("*DENSITY"), 0, "*DAMPING,ALPHA=0.5,BETA=0.05\n");
  const double expected = run_deck_text(text).at_node("U", 16, 2);
  text.replace(text.find("*NSET,NSET=HELD"), 0,
               "*ELEMENT,TYPE=SPRINGA,ELSET=S\n10,1,16\n*SPRING,ELSET=S\n\n1e-7\n");
  EXPECT_NEAR(run_deck_text(text).at_node("U", 16, 2) / expected, 1, 1e-8);
}

// A fluid resists a change of volume alone; across the bar nothing can move.
TEST(Dynamic, MovesAColumnOfFluid) {
  std::string text = bar(moving(",DIRECT", "0.005,1"));
  text.replace(text.find("*ELASTIC\n3,0\n"), 13, "*ELASTIC,TYPE=ORTHO\n3,3,3,3,3,3,0,0,\n0,0\n");
  EXPECT_NEAR(end(run_deck_text(text).frames.back()), exact_end(1), 2e-4);
  text.replace(text.find("3,3,3,3,3,3,0"), 13, "3,3,3,3,3,3,-1");
  EXPECT_THAT(refusal_of_deck(text), HasSubstr("not positive definite"));
}

TEST(Dynamic, WhatIsWrongIsSaid) {
  const auto refusal = [](const std::string& numbers, const std::string& parameters = ",DIRECT") {
    return refusal_of_deck(bar(moving(parameters, numbers)));
  };
  EXPECT_THAT(refusal("0,1"), HasSubstr("*DYNAMIC: the time increment is 0; it is larger than zero"));
  EXPECT_THAT(refusal("-0.1,1"), HasSubstr("the time increment is -0.1"));
  EXPECT_THAT(refusal("0.1,0"), HasSubstr("the time period is 0"));
  EXPECT_THAT(refusal("0.1"), HasSubstr("*DYNAMIC does not say how long; give the time increment and"));
  EXPECT_THAT(refusal("2,1"), HasSubstr("the time increment 2 is longer than the step of 1"));
  EXPECT_THAT(refusal("0.1,1,0.2,0.05"),
              HasSubstr("the least increment 0.2 is longer than the longest, 0.05"));
  EXPECT_THAT(refusal("0.0001,1"), AllOf(HasSubstr("takes 10000 increments"), HasSubstr("INC=10000")));
  EXPECT_THAT(refusal("0.0001,1,1e-5,0.0002", ""), HasSubstr("not at its end after the 1000 increments"));
  EXPECT_THAT(refusal("0.1,1", ",DIRECT,ALPHA=0.1"), HasSubstr("it goes from -1/3 to 0"));
}

TEST(Dynamic, AMotionThatIsNoNumberIsRefused) {
  for (const char* parameters : {"", ",DIRECT"}) {
    std::string text = bar(moving(parameters, "0.1,1"));
    text.replace(text.find("2,1,6"), 5, "2,1,1e308");
    text.replace(text.find("*ELASTIC\n3,0"), 12, "*ELASTIC\n3e-3,0");
    EXPECT_THAT(refusal_of_deck(text), AllOf(HasSubstr("the motion is not a number at time"),
                                             HasSubstr("check loads, amplitudes and materials")))
        << parameters;
  }
}

TEST(Dynamic, ThermalStrainsAreRefused) {
  std::string text = bar(moving(",DIRECT", "0.1,1"));
  text.replace(text.find("*CLOAD"), 0, "*TEMPERATURE\nEND,100\n");
  text.replace(text.find("*STEP"), 0, "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nEND,0\n");
  EXPECT_EQ(run_deck_text(text).frames.size(), 11U);  // nothing expands
  text.replace(text.find("*DENSITY"), 0, "*EXPANSION\n1e-5\n");
  EXPECT_THAT(refusal_of_deck(text),
              HasSubstr("*DYNAMIC: thermal strains are not computed; take *TEMPERATURE"));
}

TEST(Dynamic, NothingHasMass) {
  std::string text = bar(moving(",DIRECT", "0.1,1"));
  text.erase(text.find("*STEP\n*FREQUENCY"), std::string("*STEP\n*FREQUENCY\n1\n*END STEP\n").size());
  text.replace(text.find("*DENSITY\n1"), 10, "*DENSITY\n0");
  EXPECT_THAT(
      refusal_of_deck(text),
      AllOf(HasSubstr("deck.inp:"),
            HasSubstr("nothing has mass, which *DYNAMIC needs: all densities are zero; give *DENSITY")));
}

TEST(Dynamic, ModalDampingHasNoPart) {
  std::string text = bar(moving(",DIRECT", "0.1,1"));
  text.replace(text.find("*CLOAD"), 0, "*MODAL DAMPING\n1,1,0.05\n");
  EXPECT_THAT(run_deck_text(text).deck->warnings,
              testing::ElementsAre(HasSubstr("*MODAL DAMPING does not count in *DYNAMIC")));
}

// Frequencies of the range hit those of the modes, by rounding not exactly.
TEST(SteadyState, ResonanceWithoutDamping) {
  const std::string range = "*STEP\n*STEADY STATE DYNAMICS\n0.001,100,2,1\n";
  const std::string ending = "*NODE PRINT,NSET=END\nU\n*END STEP\n";
  const std::string modes = "*STEP\n*FREQUENCY\n36\n*END STEP\n";
  EXPECT_THAT(refusal_of_deck(beam(modes + range + "*CLOAD\n16,3,1\n" + ending)),
              AllOf(HasSubstr("mode 1 is in resonance at frequency"), HasSubstr("add *MODAL DAMPING")));
  // Pulled along its axis the beam does not bend, and modes of bending may be in the range.
  EXPECT_THAT(refusal_of_deck(beam(modes + range + "*CLOAD\n13,1,1\n14,1,1\n15,1,1\n16,1,1\n" + ending)),
              testing::Not(HasSubstr("mode 1 is")));
}

TEST(ModalDynamic, WhatIsWrongIsSaid) {
  std::string without = bar(modal("0.1,1", ""));
  without.erase(without.find("*STEP\n*FREQUENCY"), std::string("*STEP\n*FREQUENCY\n1\n*END STEP\n").size());
  EXPECT_THAT(
      refusal_of_deck(without),
      AllOf(HasSubstr("deck.inp:37: *MODAL DYNAMIC is a sum of modes, but no step before it finds any"),
            HasSubstr("add a step with *FREQUENCY before it")));
  EXPECT_THAT(refusal_of_deck(bar(modal("0.1,1", ""), "*AMPLITUDE,NAME=A\n0,0,2,1,1,3\n")),
              AllOf(HasSubstr("deck.inp:36: *AMPLITUDE: time 1 follows 2"), HasSubstr("order the points")));
  EXPECT_THAT(refusal_of_deck(bar(modal("0.1,1", "", ",DIRECT=NO"))), HasSubstr("add DELTMX="));
  EXPECT_THAT(refusal_of_deck(bar(modal("0.00001,1", ""))),
              AllOf(HasSubstr("takes 100000 increments"), HasSubstr("INC=100000")));
  EXPECT_THAT(refusal_of_deck(bar(modal("0.1,1", "*BOUNDARY\n2,1,1,5\n"))),
              HasSubstr("node 2, direction 1 is prescribed here, but was free in the *FREQUENCY step"));
  EXPECT_THAT(refusal_of_deck(bar(modal("0.1,1", "*MODAL DAMPING\n3,4,0.1\n"))), HasSubstr("mode 3"));
  EXPECT_THAT(refusal_of_deck(bar(modal("2,1", ""))), HasSubstr("longer than the step"));
  EXPECT_THAT(refusal_of_deck(bar("*STEP\n*STEADY STATE DYNAMICS,HARMONIC=NO\n0.2,0.4,2,1\n"
                                  "*BASE MOTION,DOF=1,AMPLITUDE=A\n*END STEP\n",
                                  "*AMPLITUDE,NAME=A\n0,0,2,1\n")),
              HasSubstr("an acceleration in a step that is neither *MODAL DYNAMIC nor harmonic"));
}

TEST(Dynamic, BeginsWithTheVelocitiesGiven) {
  const std::string given = "*INITIAL CONDITIONS,TYPE=VELOCITY\n2,1,1.5\n3,1,1.5\n6,1,1.5\n7,1,1.5\n";
  const auto frames =
      frames_of(bar("*STEP,INC=10000\n*DYNAMIC,DIRECT,ALPHA=0\n0.001,1\n"
                    "*NODE PRINT,NSET=END,FREQUENCY=250\nU,V\n*END STEP\n",
                    given));
  ASSERT_EQ(frames.size(), 4U);
  // The trapezoidal rule turns (omega h)^2 / 12 too slowly, 8e-7 of a turn of 3 rad.
  for (const auto& frame : frames) {
    EXPECT_NEAR(end(frame), 0.5 * std::sin(omega * frame.time), 2e-6) << frame.time;
    EXPECT_NEAR(end(frame, "V"), 1.5 * std::cos(omega * frame.time), 6e-6) << frame.time;
  }
}

}  // namespace
