// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Every option of setka run is taken by a step of the deck or refused.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/solve/cholesky.hpp"
#include "support/command_folder.hpp"

namespace {

using setka::test::cube_deck;
using testing::HasSubstr;

const std::string modes = "*FREQUENCY\n2\n";
const std::string motion = "*DYNAMIC,DIRECT\n1e-6,2e-6\n";

class RunOptionsCommand : public setka::test::CommandFolder {
 protected:
  /// Runs the cube with a step.
  setka::test::CommandResult run(const std::string& step, const std::string& options) const {
    write("cube.inp", cube_deck("", step));
    return setka("run cube --threads 1 --quiet " + options);
  }

  void refused(const std::string& step, const std::string& options, const std::string& message) const {
    const auto result = run(step, options);
    EXPECT_EQ(result.code, 2) << options;
    EXPECT_THAT(result.error, HasSubstr("setka: error: " + message)) << options;
    EXPECT_FALSE(exists("cube.frd")) << options;
  }
};

TEST_F(RunOptionsCommand, OptionsOfOtherStepsAreRefused) {
  const std::string of_modes =
      "; leave it out; *FREQUENCY takes --modes, --operator, --preconditioner, --tolerance and "
      "--max-iterations";
  refused(modes, "--solver cg",
          "--solver cg is of *STATIC, *DYNAMIC, *HEAT TRANSFER, *COUPLED TEMPERATURE-DISPLACEMENT and "
          "*BUCKLE, and the deck has no such step" +
              of_modes);
  for (const char* const option : {"--precision single", "--continue", "--checkpoint-every 5"})
    refused(modes, option,
            std::string(option) + " is of *DYNAMIC, EXPLICIT, and the deck has no such step" + of_modes);
  const std::string of_statics =
      "; leave it out; *STATIC takes --solver, --operator, --preconditioner, --tolerance and "
      "--max-iterations";
  refused("*STATIC\n", "--modes lanczos",
          "--modes lanczos is of *FREQUENCY, *HEAT TRANSFER, FREQUENCY and *BUCKLE, and the deck has no such "
          "step" +
              of_statics);
  refused("*STATIC\n", "--continue",
          "--continue is of *DYNAMIC, EXPLICIT, and the deck has no such step" + of_statics);
  const auto refused_when_explicit = [&](const std::string& option, const std::string& steps) {
    refused(
        "*DYNAMIC,EXPLICIT\n1e-9,1e-8\n", option.c_str(),
        option + " is of " + steps +
            ", and the deck has no such step; leave it out; *DYNAMIC, EXPLICIT takes --precision, --balance, "
            "--continue and --checkpoint-every");
  };
  refused_when_explicit("--operator assembled",
                        "*STATIC, *FREQUENCY, *DYNAMIC and *COUPLED TEMPERATURE-DISPLACEMENT");
  for (const char* const option : {"--preconditioner jacobi", "--tolerance 0.5", "--max-iterations 5"})
    refused_when_explicit(option,
                          "*STATIC, *FREQUENCY, *DYNAMIC, *HEAT TRANSFER, *COUPLED TEMPERATURE-DISPLACEMENT, "
                          "*HEAT TRANSFER, FREQUENCY and *BUCKLE");
}

TEST_F(RunOptionsCommand, OptionsOfIterationsDoNotGoWithFactorisations) {
  for (const std::string& step : {std::string("*STATIC\n"), motion}) {
    for (const std::string option : {"--preconditioner jacobi", "--tolerance 0.5", "--max-iterations 9"})
      refused(step, "--solver cholesky " + option,
              option + " is of iterations, and --solver cholesky factorises; leave one of them out");
  }
  refused(modes, "--modes lanczos --preconditioner amg",
          "--preconditioner amg is of iterations, and --modes lanczos factorises; leave one of them out");
  refused(modes, "--modes dense --tolerance 1e-3",
          "--tolerance 0.001 is of iterations, and --modes dense factorises; leave one of them out");
}

TEST_F(RunOptionsCommand, StaticAndDynamicStepsAreSolvedInParts) {
  refused(
      "*STATIC\n", "--preconditioner schwarz --schwarz restricted",
      "--schwarz restricted is not symmetric, and only gmres takes that; give --solver gmres, which setka "
      "solve has, or --schwarz additive or multiplicative");
  refused("*STATIC\n", "--parts 3", "--parts 3 is of a solution in parts, which was not asked for");
  refused(modes, "--preconditioner schwarz",
          "--preconditioner schwarz is of *STATIC and *DYNAMIC, and the deck has no such step");
  for (const std::string option : {"", " --parts 3 --overlap 2", " --parts 2 --schwarz multiplicative"}) {
    const auto result = run("*STATIC\n", "--preconditioner schwarz" + option);
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr(" Schwarz")) << option;
    EXPECT_EQ(run(motion, "--preconditioner schwarz" + option).code, 0) << option;
  }
}

TEST_F(RunOptionsCommand, StaticStepsAreSolvedBySubstructures) {
  const std::string way = "--solver substructures ";
  refused(
      motion, way,
      "--solver substructures is of *STATIC, and the deck has no such step; leave it out; *DYNAMIC takes");
  refused("*STATIC\n", way + "--preconditioner amg",
          "--solver substructures has a preconditioner of its own, and --preconditioner amg is another");
  refused("*STATIC\n", way + "--operator elements",
          "--operator: substructures are made of the assembled matrices of parts");
  refused(
      "*STATIC\n", way + "--overlap 2",
      "--overlap 2 is of a solution in parts, which was not asked for; leave it out, or add --preconditioner "
      "schwarz");
  refused("*STATIC\n", way + "--schur dense",
          "'dense' is no way to keep a Schur complement; give auto, explicit or implicit");
  refused("*STATIC\n", way + "--parts 0", "--parts 0 makes none; give a number from 1 on");
  refused("*STATIC\n", way + "--parts 1000", "1 cannot be shared out to 1000 parts");
  refused("*STATIC\n", "--schur explicit", "--schur explicit is of a solution in parts");
  if (!setka::solve::Cholesky::available()) return;
  for (const std::string option : {"", "--parts 1", "--parts 1 --schur explicit", "--schur implicit"}) {
    const auto result = run("*STATIC\n", way + option);
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr("CG with BDDC on 1 substructure")) << option;
  }
}

TEST_F(RunOptionsCommand, WhatAStepTakesIsObeyed) {
  for (const std::string option : {"--preconditioner jacobi", "--preconditioner chebyshev",
                                   "--operator elements --preconditioner amg"}) {
    for (const std::string& step : {std::string("*STATIC\n"), modes, motion})
      EXPECT_EQ(run(step, option).code, 0) << step << option;
  }
  EXPECT_THAT(run(modes, "--preconditioner block-jacobi").out, HasSubstr("LOBPCG with block diagonal"));
  EXPECT_THAT(run(modes, "--modes subspace --preconditioner fsai").out,
              HasSubstr("subspace iteration with approximate inverse"));
  EXPECT_THAT(run("*STATIC\n", "--preconditioner chebyshev").out, HasSubstr("CG with polynomial"));
  ASSERT_EQ(setka("example block --size 400 --element C3D8 --modes 2 -o block.inp").code, 0);
  const auto cut = setka("run block --threads 1 --quiet --modes lobpcg --max-iterations 1");
  EXPECT_EQ(cut.code, 3);
  EXPECT_THAT(cut.error, HasSubstr("1 iterations of LOBPCG were not enough"));
}

// One step of several is enough: the others do what they do without it.
TEST_F(RunOptionsCommand, AnyStepMayTakeAnOption) {
  const std::string two = "*STATIC\n*END STEP\n*STEP\n" + modes;
  refused(two, "--precision single",
          "--precision single is of *DYNAMIC, EXPLICIT, and the deck has no such step; leave it out; "
          "*FREQUENCY takes --modes, --operator, --preconditioner, --tolerance and --max-iterations; *STATIC "
          "takes --solver, --operator, --preconditioner, --tolerance and --max-iterations");
  EXPECT_EQ(run(two, "--solver cg --modes dense --preconditioner jacobi").code, 0);
  if (setka::solve::Cholesky::available()) {
    EXPECT_THAT(run(two, "--solver cholesky --modes lobpcg --preconditioner jacobi").out,
                HasSubstr("LOBPCG with the diagonal"));
  }
}

}  // namespace
