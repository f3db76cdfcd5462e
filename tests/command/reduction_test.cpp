// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Superelements and reduced models by the command.
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "setka/solve/cholesky.hpp"
#include "support/command_folder.hpp"

namespace {

using nlohmann::json;
using setka::test::cube_deck;
using testing::HasSubstr;

class ReductionCommand : public setka::test::CommandFolder {
 protected:
  void SetUp() override {
    if (!setka::solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  }
  static std::string part(const std::string& output) {
    return cube_deck("", "*SUBSTRUCTURE GENERATE\n*RETAINED NODAL DOFS,SORTED=NO\nTOP,1,3\n" + output);
  }
};

TEST_F(ReductionCommand, ASuperelementIsWrittenBesideTheDeckAndReadByAnother) {
  write("part.inp",
        part("*SUBSTRUCTURE MATRIX OUTPUT,STIFFNESS=YES,OUTPUT FILE=USER DEFINED,FILE NAME=Top\n"));
  const auto made = setka("run part --threads 1");
  EXPECT_EQ(made.code, 0) << made.error;
  EXPECT_THAT(made.out, HasSubstr("step 1: a superelement of 12 degrees of freedom"));
  EXPECT_THAT(made.out, HasSubstr("Top.mtx"));
  EXPECT_THAT(made.error, HasSubstr("writes a stiffness alone: the loads of its step have no effect"));
  EXPECT_THAT(text_of("Top.mtx"), HasSubstr("*USER ELEMENT,NODES=         12,LINEAR\n"));

  // Twice the cube: the mesh of one, and the other as a matrix at the same nodes.
  write("both.inp", cube_deck("*MATRIX INPUT,NAME=T,INPUT=Top.mtx\n*MATRIX ASSEMBLE,STIFFNESS=T\n"));
  write("one.inp", cube_deck());
  const json both = json::parse(setka("run both --threads 1 --json").out);
  const json one = json::parse(setka("run one --threads 1 --json").out);
  const auto moved = [](const json& run) {
    return run["steps"][0]["largest_displacement"]["value"].get<double>();
  };
  EXPECT_NEAR(moved(both), moved(one) / 2, 1e-9 * moved(one));
}

TEST_F(ReductionCommand, ASuperelementHasTheNameOfItsDeckUnlessTold) {
  write("part.inp", part(""));
  const auto result = setka("ccx part");
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_TRUE(exists("part.mtx"));
  EXPECT_TRUE(exists("part.dat"));
}

TEST_F(ReductionCommand, ASuperelementDoesNotReplaceTheOneThatIsRead) {
  write("part.inp", part(""));
  EXPECT_EQ(setka("run part --quiet").code, 0);
  const std::string before = text_of("part.mtx");
  write(
      "again.inp",
      cube_deck(
          "*MATRIX INPUT,NAME=T,INPUT=part.mtx\n*MATRIX ASSEMBLE,STIFFNESS=T\n",
          "*SUBSTRUCTURE GENERATE\n*RETAINED NODAL DOFS\nTOP,1,3\n*SUBSTRUCTURE MATRIX OUTPUT,STIFFNESS=YES,"
          "FILE NAME=part\n"));
  const auto result = setka("run again --quiet");
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.error, HasSubstr("part.mtx"));
  EXPECT_EQ(text_of("part.mtx"), before);
}

TEST_F(ReductionCommand, CheckKnowsSuperelements) {
  write("part.inp", cube_deck("", "*SUBSTRUCTURE GENERATE\n*RETAINED NODAL DOFS\nBASE,1,3\n"));
  const auto result = setka("check part");
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.out + result.error, HasSubstr("node 1, direction 1 is retained, but it is held"));
}

TEST_F(ReductionCommand, ModesOfPartsAreRefinedToThoseOfTheWhole) {
  EXPECT_EQ(setka("example block --size 3000 --modes 6 -o beam.inp --quiet").code, 0);
  const auto run = setka("run beam --threads 2 --modes reduced --parts 3 --json");
  ASSERT_EQ(run.code, 0) << run.error;
  const json reduced = json::parse(run.out)["steps"][0];
  const json whole = json::parse(setka("run beam --threads 2 --modes lanczos --json").out)["steps"][0];
  EXPECT_EQ(reduced["reduction"]["parts"], 3);
  EXPECT_LT(reduced["reduction"]["reduced"].get<int>(), reduced["reduction"]["unknowns"].get<int>() / 5);
  EXPECT_LT(reduced["reduction"]["frequency_error"].get<double>(), 1e-3);
  EXPECT_GT(reduced["reduction"]["frequency_error"].get<double>(), 0);
  ASSERT_EQ(reduced["modes"].size(), 6U);
  for (std::size_t j = 0; j < 6; ++j) {
    const double exact = whole["modes"][j]["frequency"];
    EXPECT_NEAR(reduced["modes"][j]["frequency"].get<double>(), exact, 1e-6 * exact);
    EXPECT_LT(reduced["modes"][j]["residual"].get<double>(), 1e-6);
  }
  const auto told = setka("run beam --threads 2 --modes reduced");
  EXPECT_THAT(told.out, HasSubstr("began with a model of 2 parts and "));
}

/// The pump of docs/domains.md, a fifth of its size.
TEST_F(ReductionCommand, ModesOfThePumpComeFromFewUnknowns) {
  EXPECT_EQ(setka("example pump --element C3D8I --size 10000 --modes 8 -o pump.inp --quiet").code, 0);
  const auto run = setka("run pump --threads 2 --modes reduced --parts 8 --json");
  ASSERT_EQ(run.code, 0) << run.error;
  const json reduction = json::parse(run.out)["steps"][0]["reduction"];
  EXPECT_LT(reduction["reduced"].get<double>(), 0.04 * reduction["unknowns"].get<double>());
  EXPECT_LT(reduction["frequency_error"].get<double>(), 1e-3);
}

TEST_F(ReductionCommand, OptionsThatMeanNothingAreRefused) {
  const auto refused = [&](const std::string& step, const std::string& options, const std::string& message) {
    write("cube.inp", cube_deck("", step));
    const auto result = setka("run cube --quiet " + options);
    EXPECT_EQ(result.code, 2) << options;
    EXPECT_THAT(result.error, HasSubstr(message)) << options;
  };
  const std::string modes = "*FREQUENCY\n2\n";
  refused(modes, "--parts 4", "--parts 4 is of a solution in parts, which was not asked for");
  refused(modes, "--modes reduced --parts 1", "--parts 1: a model is reduced in parts");
  refused(modes, "--modes reduced --operator elements", "--modes reduced needs assembled matrices");
  refused("*FREQUENCY\n0,0,1e6\n", "--modes reduced", "--modes reduced needs to know how many modes");
  refused("*STATIC\n", "--modes reduced", "--modes reduced is of *FREQUENCY");
  refused(modes, "--modes reduced --parts 400", "400 parts");
  refused(modes, "--modes arnoldi", "give auto, dense, lanczos, lobpcg, subspace or reduced");
}

}  // namespace
