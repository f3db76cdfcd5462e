// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Modes with K and M element by element, held against those of assembled matrices.
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/deck/inp.hpp"
#include "setka/modes/find.hpp"
#include "setka/solve/preconditioner.hpp"
#include "support/on_device.hpp"
#include "support/on_team.hpp"

namespace setka {
namespace {

using analysis::OperatorKind;
using ::testing::HasSubstr;

class ModesOperatorOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(ModesOperatorOn);

std::string example(const std::string& name, std::int64_t size, const std::string& element, int modes) {
  std::string text;
  deck::ExampleRequest request{name, size, element};
  request.modes = modes;
  deck::write_example(request, [&](std::string_view part) { text += part; });
  return text;
}

model::ModeTable modes_of(const std::string& text, const analysis::Computing& computing) {
  Monitor monitor(ProgressDisplay::silent());
  const deck::Deck deck = deck::read_inp_text(text, "deck.inp", monitor);
  deck::refuse_unsupported(deck);
  const analysis::Setup setup = analysis::prepare(deck.model, monitor);
  model::ModeTable found;
  analysis::run_steps(
      setup, computing, [](const model::Step&, const model::Frame&) {}, monitor,
      [&](const model::ModeTable& table) { found = table; });
  return found;
}

analysis::Computing on(const exec::Device& device, OperatorKind kind, modes::Method method) {
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  computing.device = device;
  computing.operator_kind = kind;
  computing.modes = method;
  return computing;
}

/// zeros: rigid motions, whose frequencies are rounding.
void expect_as_assembled(const std::string& text, const exec::Device& device,
                         const std::vector<OperatorKind>& kinds, std::size_t zeros = 0,
                         const std::optional<exec::Team>& team = std::nullopt) {
  const model::ModeTable expected =
      modes_of(text, on(exec::Device::cpu(1), OperatorKind::assembled, modes::Method::automatic));
  ASSERT_TRUE(expected.converged);
  for (const OperatorKind kind : kinds) {
    for (const modes::Method method : {modes::Method::lobpcg, modes::Method::subspace}) {
      SCOPED_TRACE(::testing::Message()
                   << "operator " << static_cast<int>(kind) << ", method " << static_cast<int>(method));
      analysis::Computing computing = on(device, kind, method);
      computing.team = team;
      const model::ModeTable found = modes_of(text, computing);
      EXPECT_TRUE(found.converged) << found.trouble;
      ASSERT_EQ(found.modes.size(), expected.modes.size());
      for (std::size_t j = 0; j < zeros; ++j)
        EXPECT_LT(std::abs(found.modes[j].eigenvalue), 1e-7 * expected.modes[zeros].eigenvalue);
      for (std::size_t j = zeros; j < expected.modes.size(); ++j)
        EXPECT_NEAR(found.modes[j].frequency() / expected.modes[j].frequency(), 1, 1e-6) << j;
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(found.total_mass[i], expected.total_mass[i], 1e-9 * expected.total_mass[i]);
    }
  }
}

const std::vector<OperatorKind> both{OperatorKind::elements, OperatorKind::matrix_free};

TEST_P(ModesOperatorOn, BlocksHaveTheModesOfAssembledMatrices) {
  for (const char* const element : {"C3D8", "C3D20R", "C3D10"}) {
    SCOPED_TRACE(element);
    expect_as_assembled(example("block", 410, element, 3), device(), both);
  }
}

TEST_P(ModesOperatorOn, PartsHaveTheModesOfAssembledMatrices) {
  for (const char* const element : {"C3D8", "C3D20R", "C3D10"}) {
    SCOPED_TRACE(element);
    expect_as_assembled(example("plate-with-hole", 730, element, 2), device(), both);
  }
}

// Formulations of their own are stored; equations tie plane elements to their plane.
TEST_P(ModesOperatorOn, OtherElementsAreMultipliedWithStoredMatrices) {
  expect_as_assembled(example("block", 300, "C3D8I", 3), device(), {OperatorKind::elements});
  expect_as_assembled(example("plate-with-hole", 200, "CPS8", 2), device(), {OperatorKind::elements});
}

// Those of matrices are made of an assembled one, beside products by elements.
TEST_P(ModesOperatorOn, EveryPreconditionerServes) {
  const std::string text = example("block", 410, "C3D8", 3);
  const model::ModeTable expected =
      modes_of(text, on(exec::Device::cpu(1), OperatorKind::assembled, modes::Method::automatic));
  for (const OperatorKind kind :
       {OperatorKind::assembled, OperatorKind::elements, OperatorKind::matrix_free}) {
    for (const solve::PreconditionerKind& preconditioner : solve::preconditioners()) {
      SCOPED_TRACE(::testing::Message()
                   << "operator " << static_cast<int>(kind) << ", " << preconditioner.word);
      analysis::Computing computing = on(device(), kind, modes::Method::automatic);
      computing.solver.preconditioner = preconditioner.word;
      const model::ModeTable found = modes_of(text, computing);
      EXPECT_EQ(found.method, "LOBPCG with " + std::string(preconditioner.title));
      EXPECT_TRUE(found.converged) << found.trouble;
      ASSERT_EQ(found.modes.size(), expected.modes.size());
      for (std::size_t j = 0; j < expected.modes.size(); ++j)
        EXPECT_NEAR(found.modes[j].frequency() / expected.modes[j].frequency(), 1, 1e-6) << j;
    }
  }
}

TEST_P(ModesOperatorOn, TolerancesAndLimitsOfIterationsAreKept) {
  const std::string text = example("block", 410, "C3D8", 3);
  analysis::Computing computing = on(device(), OperatorKind::assembled, modes::Method::lobpcg);
  computing.mode_tolerance = 1e-3;
  const model::ModeTable rough = modes_of(text, computing);
  computing.mode_tolerance = 1e-9;
  const model::ModeTable fine = modes_of(text, computing);
  EXPECT_TRUE(fine.converged) << fine.trouble;
  EXPECT_LT(rough.iterations, fine.iterations);
  for (const model::Mode& mode : fine.modes) EXPECT_LE(mode.residual, 1e-9);
  computing.mode_iterations = 2;
  const model::ModeTable cut = modes_of(text, computing);
  EXPECT_FALSE(cut.converged);
  EXPECT_EQ(cut.iterations, 2);
}

TEST_P(ModesOperatorOn, WhatIsFreeMovesWithoutStiffness) {
  std::string text = example("block", 300, "C3D8", 8);
  const std::size_t held = text.find("*BOUNDARY");
  text.erase(held, text.find("*STEP") - held);
  expect_as_assembled(text, device(), both, 6);
}

class ModesOperatorOnTeam : public test::OnTeam {};
SETKA_ON_ALL_DEVICES(ModesOperatorOnTeam);

TEST_P(ModesOperatorOnTeam, SeveralDevicesFindThoseOfAssembledMatrices) {
  expect_as_assembled(example("block", 410, "C3D8", 3), device(), both, 0, team(3));
  expect_as_assembled(example("block", 410, "C3D10", 3), device(), {OperatorKind::matrix_free}, 0, team(2));
  std::string text = example("block", 300, "C3D8", 8);
  const std::size_t held = text.find("*BOUNDARY");
  text.erase(held, text.find("*STEP") - held);
  SCOPED_TRACE("free");
  expect_as_assembled(text, device(), {OperatorKind::elements}, 6, team(2));
}

TEST(ModesOperator, SaysWhatNeedsAMatrix) {
  const auto refusal = [](const std::string& text, OperatorKind kind, modes::Method method) -> std::string {
    try {
      modes_of(text, on(exec::Device::cpu(1), kind, method));
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return error.what();
    }
    return "nothing was thrown";
  };
  const std::string block = example("block", 300, "C3D8", 2);
  for (const modes::Method method : {modes::Method::dense, modes::Method::lanczos})
    EXPECT_EQ(
        refusal(block, OperatorKind::elements, method),
        "--operator: --modes dense and lanczos need assembled matrices; use --modes lobpcg or subspace");
  EXPECT_THAT(refusal(example("block", 300, "C3D8I", 2), OperatorKind::matrix_free, modes::Method::automatic),
              HasSubstr("element 1 is a C3D8I, which has a formulation of its own; use --operator elements"));
  std::string loaded = block;
  loaded.replace(loaded.find("*STEP"), 5, "*STEP\n*STATIC\n*END STEP\n*STEP,PERTURBATION");
  EXPECT_EQ(refusal(loaded, OperatorKind::elements, modes::Method::automatic),
            "--operator: the stiffness about a preload is assembled; use --operator assembled");
  std::string sprung = block;
  sprung.replace(sprung.find("*BOUNDARY"), 0,
                 "*ELEMENT,TYPE=SPRINGA,ELSET=S\n900001,1,2\n*SPRING,ELSET=S\n\n1\n");
  EXPECT_EQ(refusal(sprung, OperatorKind::elements, modes::Method::automatic),
            "--operator: element 900001 is a spring, which is no solid; use --operator assembled");
}

}  // namespace
}  // namespace setka
