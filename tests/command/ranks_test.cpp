// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The command under mpirun.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command/cyclic_deck.hpp"
#include "command/heat_deck.hpp"
#include "command/ranks_command.hpp"
#include "support/command_folder.hpp"

namespace {

using nlohmann::json;
using setka::test::RanksCommand;
using setka::test::with_step;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// The numbers of a .dat that are results, in their order: not labels of nodes, nor times.
std::vector<double> results_in(const std::string& text) {
  std::vector<double> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("time") != std::string::npos) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      char* end = nullptr;
      const double value = std::strtod(word.c_str(), &end);
      if (*end == '\0' && word.find('.') != std::string::npos) found.push_back(value);
    }
  }
  return found;
}

void expect_near(const std::string& found, const std::string& expected, double share) {
  const std::vector<double> a = results_in(found);
  const std::vector<double> b = results_in(expected);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 8U);
  double largest = 0;
  for (const double value : b) largest = std::max(largest, std::abs(value));
  ASSERT_GT(largest, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], share * largest) << "number " << i << " of " << a.size();
}

/// Displacements of nodes in a .dat, as others write them.
class RanksSteps : public RanksCommand {
 protected:
  void SetUp() override {
    RanksCommand::SetUp();
    if (IsSkipped()) return;
    take_block("3000");
  }

  /// Of so many unknowns.
  void take_block(const std::string& size) {
    ASSERT_EQ(setka("example block --size " + size + " --element C3D8 -o block.inp --force").code, 0);
    deck_ = text_of("block.inp");
    deck_.insert(deck_.find("*STEP"), "*NSET, NSET=EVERY, GENERATE\n1, 900\n");
    deck_.insert(deck_.find("*END STEP"), "*NODE PRINT, NSET=EVERY\nU\n");
  }

  /// The same .dat by one process and by so many.
  void compare(const std::string& deck, const std::string& options, double share,
               const std::vector<int>& processes) {
    write("a.inp", deck);
    const auto alone = setka("run a " + options);
    ASSERT_EQ(alone.code, 0) << alone.error;
    const std::string expected = text_of("a.dat");
    for (const int count : processes) {
      const auto result = on(count, "run a " + options);
      ASSERT_EQ(result.code, 0) << count << ": " << result.error;
      EXPECT_THAT(result.out, HasSubstr(fmt::format("{} processes", count)));
      expect_near(text_of("a.dat"), expected, share);
    }
  }

  std::string deck_;
};

TEST_F(RanksSteps, StaticOnes) {
  compare(deck_, "--solver cg --tolerance 1e-11", 1e-7, {2, 3, 5, 8});
}

TEST_F(RanksSteps, StaticOnesByAFactor) {
  compare(deck_, "", 1e-7, {3});
  EXPECT_THAT(on(2, "run a").out, HasSubstr("preonly with cholesky on 2"));
}

TEST_F(RanksCommand, NothingToSolveFor) {
  write("held.inp", setka::test::cube_deck("*BOUNDARY\nTOP,1,3\n"));
  const auto result = on(2, "run held");
  EXPECT_EQ(result.code, 0) << result.error;
}

TEST_F(RanksSteps, StaticOnesByPetscsMultigrid) {
  compare(deck_, "--tolerance 1e-11 --petsc '-pc_type gamg'", 1e-7, {2});
  EXPECT_THAT(on(2, "run a --petsc '-pc_type gamg'").out, HasSubstr("cg with gamg on 2"));
}

TEST_F(RanksSteps, StaticOnesByPetscsBddc) {
  const std::string options = "--tolerance 1e-9 --petsc '-pc_type bddc'";
  compare(deck_, options, 1e-6, {2, 3});
  const auto result = on(3, "run a --json --petsc '-pc_type bddc'");
  ASSERT_EQ(result.code, 0) << result.error;
  const json step = json::parse(result.out)["steps"][0];
  EXPECT_THAT(step.dump(), HasSubstr("cg with bddc on 3 processes"));
  EXPECT_LT(step["iterations"].get<int>(), 40);
  write("tied.inp", with_step(deck_, "*STATIC\n", "*EQUATION\n2\n1000,1,1.,999,1,-1.\n"));
  write("moved.inp", with_step(deck_, "*DYNAMIC, DIRECT\n1e-4, 1e-3\n"));
  for (const std::string deck : {"tied", "moved"}) {
    const auto refused = on(2, "run " + deck + " --petsc '-pc_type bddc'");
    EXPECT_EQ(refused.code, 2) << deck;
    EXPECT_THAT(refused.error,
                HasSubstr("-pc_type bddc is of *STATIC steps that are shared out by elements"));
    EXPECT_THAT(refused.error, HasSubstr("-pc_type gamg"));
  }
}

TEST_F(RanksSteps, SecondOrderElementsTakeNoMoreIterations) {
  ASSERT_EQ(setka("example block --size 20000 --element C3D10 -o tets.inp").code, 0);
  const auto iterations = [&](const setka::test::CommandResult& result) {
    EXPECT_EQ(result.code, 0) << result.error;
    return json::parse(result.out)["steps"][0]["iterations"].get<int>();
  };
  const int alone = iterations(setka("run tets --json --solver cg"));
  for (const int processes : {2, 4})
    EXPECT_LE(iterations(on(processes, "run tets --json --solver cg")), alone + 4) << processes;
}

TEST_F(RanksSteps, StaticOnesByElements) {
  for (const std::string kind : {"elements", "matrix-free"}) {
    const std::string options = "--tolerance 1e-11 --preconditioner chebyshev --operator " + kind;
    compare(deck_, options, 1e-7, {2, 3});
    const auto iterations = [&](const setka::test::CommandResult& result) {
      EXPECT_EQ(result.code, 0) << result.error;
      return json::parse(result.out)["steps"][0]["iterations"].get<int>();
    };
    const int alone = iterations(setka("run a --json " + options));
    EXPECT_NEAR(iterations(on(3, "run a --json " + options)), alone, 2 + 0.1 * alone);
  }
  EXPECT_THAT(on(2, "run a --operator matrix-free").out, HasSubstr("PETSc: cg with polynomial on 2"));
  for (const std::string wrong : {"--petsc '-pc_type gamg'", "--preconditioner amg"}) {
    const auto refused = on(2, "run a --operator elements " + wrong);
    EXPECT_EQ(refused.code, 2) << wrong;
    EXPECT_EQ(count_of("setka: error:", refused.error), 1U) << refused.error;
    EXPECT_THAT(refused.error, HasSubstr("assembled matrix")) << wrong;
  }
}

TEST_F(RanksSteps, WithAnEquation) {
  // Of neighbours, and of nodes that are far from each other.
  const std::string equations =
      "*EQUATION\n2\n1000,1,1.,999,1,-1.\n*EQUATION\n3\n30,2,1.,500,2,-1.,950,3,.5\n";
  const std::string still = with_step(deck_, "*STATIC\n", equations);
  compare(still, "--solver cg --tolerance 1e-11", 1e-7, {2, 3, 5});
  compare(still, "--tolerance 1e-11 --preconditioner chebyshev --operator elements", 1e-7, {2});
  compare(with_step(deck_, "*DYNAMIC, DIRECT\n1e-4, 1e-3\n", equations), "--tolerance 1e-11", 1e-6, {2, 3});
  EXPECT_THAT(on(2, "run a").error, Not(HasSubstr("not shared out")));
}

TEST_F(RanksSteps, WithSprings) {
  const std::string springs =
      "*ELEMENT, TYPE=SPRINGA, ELSET=SP\n90001, 30, 950\n90002, 500, 77\n*SPRING, ELSET=SP\n\n1e8\n";
  compare(with_step(deck_, "*DYNAMIC, DIRECT\n1e-4, 1e-3\n", springs), "--tolerance 1e-11", 1e-6, {3});
  EXPECT_THAT(on(2, "run a").error, Not(HasSubstr("not shared out")));
  // Large enough not to be looked through for mechanisms as a whole.
  take_block("24000");
  compare(with_step(deck_, "*STATIC\n", springs), "--tolerance 1e-11", 1e-7, {3});
}

TEST_F(RanksSteps, ImplicitDynamics) {
  compare(with_step(deck_, "*DYNAMIC, DIRECT\n1e-4, 1e-3\n"), "--tolerance 1e-11 --petsc '-pc_type gamg'",
          1e-6, {2});
  compare(with_step(deck_, "*DYNAMIC, DIRECT\n1e-4, 1e-3\n"), "--tolerance 1e-11", 1e-6, {2, 3});
  compare(with_step(deck_, "*DYNAMIC, DIRECT\n1e-6, 1e-5\n"), "--tolerance 1e-11", 1e-6, {2});  // by Jacobi
}

TEST_F(RanksSteps, ExplicitDynamics) {
  compare(with_step(deck_, "*DYNAMIC, EXPLICIT\n, 1e-4\n"), "", 1e-6, {2, 3, 5});
  EXPECT_GT(count_of("\n", text_of("a.csv")), 5U);
}

TEST_F(RanksSteps, Frequencies) {
  write("a.inp", deck_);
  ASSERT_EQ(setka("example block --size 3000 --element C3D8 --modes 6 -o m.inp").code, 0);
  const auto frequencies = [](const std::string& out) {
    std::vector<double> found;
    const json all = json::parse(out);
    for (const json& mode : all["steps"][0]["modes"]) found.push_back(mode["frequency"]);
    return found;
  };
  const auto alone = setka("run m --json");
  ASSERT_EQ(alone.code, 0) << alone.error;
  const std::vector<double> expected = frequencies(alone.out);
  ASSERT_EQ(expected.size(), 6U);
  for (const int processes : {2, 3, 5}) {
    const auto result = on(processes, "run m --json");
    ASSERT_EQ(result.code, 0) << result.error;
    const std::vector<double> found = frequencies(result.out);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t j = 0; j < found.size(); ++j) EXPECT_NEAR(found[j], expected[j], 1e-8 * expected[j]);
    EXPECT_THAT(result.out, HasSubstr("6 modes below"));  // by inertia
  }
  for (const std::string how :
       {"--modes lobpcg", "--modes subspace", "--modes lobpcg --preconditioner chebyshev",
        "--modes lobpcg --petsc '-eps_type lobpcg'", "--petsc '-eps_type krylovschur'", "--operator elements",
        "--modes subspace --operator matrix-free"}) {
    const auto iterated = on(3, "run m --json " + how);
    ASSERT_EQ(iterated.code, 0) << how << ": " << iterated.error;
    const std::vector<double> found = frequencies(iterated.out);
    ASSERT_EQ(found.size(), expected.size()) << how;
    for (std::size_t j = 0; j < found.size(); ++j)
      EXPECT_NEAR(found[j], expected[j], 1e-8 * expected[j]) << how;
  }
}

TEST_F(RanksSteps, FrequenciesWithAnEquation) {
  ASSERT_EQ(setka("example block --size 3000 --element C3D8 --modes 4 -o m.inp").code, 0);
  std::string deck = text_of("m.inp");
  deck.insert(deck.find("*STEP"), "*EQUATION\n2\n1000,1,1.,999,1,-1.\n");
  write("m.inp", deck);
  ASSERT_EQ(setka("run m").code, 0);
  const std::string expected = text_of("m.dat");
  const auto result = on(3, "run m");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("4 modes below"));
  expect_near(text_of("m.dat").substr(0, 800), expected.substr(0, 800), 1e-6);  // seven digits
}

TEST_F(RanksCommand, ASectorOfAWheel) {
  write("sector.inp", setka::test::cyclic_sector());
  const auto alone = setka("run sector --json");
  const auto result = on(2, "run sector --json");
  ASSERT_EQ(alone.code, 0) << alone.error;
  ASSERT_EQ(result.code, 0) << result.error;
  const json expected = json::parse(alone.out)["steps"];
  const json found = json::parse(result.out)["steps"];
  const auto moved = expected[0]["largest_displacement"]["value"].get<double>();
  EXPECT_NEAR(found[0]["largest_displacement"]["value"].get<double>(), moved, 1e-7 * moved);
  for (const std::size_t step : {1U, 2U}) {
    for (std::size_t j = 0; j < 4; ++j) {
      const auto frequency = expected[step]["modes"][j]["frequency"].get<double>();
      EXPECT_NEAR(found[step]["modes"][j]["frequency"].get<double>(), frequency, 1e-6 * frequency);
    }
  }
}

TEST_F(RanksSteps, HeatInEquilibrium) {
  compare(setka::test::steady_heat(), "--solver cg --tolerance 1e-11", 1e-7, {2, 3, 5});
  EXPECT_THAT(on(2, "run a").out, HasSubstr("CG with multigrid on 2 processes"));
  compare(text_of("a.inp"), "--tolerance 1e-11 --petsc '-pc_type gamg'", 1e-7, {3});
}

TEST_F(RanksSteps, HeatInTime) {
  compare(setka::test::heat_in_time(setka::test::constant_heat), "--solver cg --tolerance 1e-11", 1e-7,
          {2, 3, 5});
  compare(setka::test::heat_in_time(setka::test::changing_heat), "--solver cg --tolerance 1e-11", 1e-7,
          {2, 5});
}

TEST_F(RanksSteps, HeatThatPasses) {
  std::string deck = setka::test::steady_heat();
  deck.replace(deck.find("*NODE PRINT"), setka::test::temperatures_printed.size(),
               "*NODE PRINT, NSET=LEFT\nRFL\n*EL PRINT, ELSET=EALL\nHFL\n");
  compare(deck, "--solver cg --tolerance 1e-11", 1e-6, {3});
}

TEST_F(RanksSteps, HeatInACavity) {
  std::string deck = setka::test::steady_heat();
  // Faces within the block that see each other.
  deck.insert(deck.find("*DFLUX"), "*RADIATE, CAVITY=HOLE\n10,R2CR,300.,0.9\n178,R1CR,300.,0.9\n");
  compare(deck, "--solver cg --tolerance 1e-11", 1e-7, {2, 3});
}

TEST_F(RanksSteps, HeatWithAnEquation) {
  std::string deck = setka::test::steady_heat();
  deck.insert(deck.find("*STEP"), "*EQUATION\n2\n200,11,1.,201,11,-1.\n");
  compare(deck, "--solver cg --tolerance 1e-11", 1e-7, {2, 3});
  EXPECT_THAT(on(2, "run a").error, Not(HasSubstr("not shared out")));
}

TEST_F(RanksSteps, DisplacementsAtComputedTemperatures) {
  std::string deck = setka::test::heat_block(
      setka::test::constant_heat + "*ELASTIC\n2.1e11,0.3\n*EXPANSION, ZERO=300.\n1.2e-5\n",
      "*BOUNDARY\nLEFT,1,3\n",
      "*STEP\n*COUPLED TEMPERATURE-DISPLACEMENT, STEADY STATE\n*BOUNDARY\nLEFT,11,11,500.\n"
      "RIGHT,11,11,350.\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n");
  compare(deck, "--solver cg --tolerance 1e-11", 1e-6, {2});
}

TEST_F(RanksSteps, ModesOfTemperatures) {
  const std::string deck = setka::test::heat_block(setka::test::constant_heat, "*BOUNDARY\nLEFT,11,11,0.\n",
                                                   "*STEP\n*HEAT TRANSFER, FREQUENCY\n4\n*END STEP\n");
  compare(deck, "", 1e-6, {2, 3});  // seven digits
  compare(deck, "--modes lobpcg", 1e-6, {3});
}

TEST_F(RanksSteps, FreeBodiesHaveTheirRigidMotions) {
  ASSERT_EQ(setka("example block --size 1500 --element C3D8 --modes 10 -o free.inp").code, 0);
  std::string deck = text_of("free.inp");
  const std::size_t at = deck.find("*BOUNDARY");
  ASSERT_NE(at, std::string::npos);
  deck.erase(at, deck.find("\n*", at) + 1 - at);
  write("free.inp", deck);
  const auto result = on(3, "run free --json");
  ASSERT_EQ(result.code, 0) << result.error;
  const json modes = json::parse(result.out)["steps"][0]["modes"];
  ASSERT_EQ(modes.size(), 10U);
  const double first = modes[6]["frequency"];
  for (std::size_t j = 0; j < 6; ++j) EXPECT_LT(std::abs(modes[j]["frequency"].get<double>()), 1e-3 * first);
}

TEST_F(RanksSteps, AStoppedExplicitRunGoesOnWithOtherProcesses) {
  bool stopped = false;
  for (const double end : setka::test::ends_of_steps) {
    const std::string deck = with_step(deck_, fmt::format("*DYNAMIC, EXPLICIT\n, {}\n", end));
    write("a.inp", deck);
    write("alone.inp", deck);
    std::filesystem::remove(folder_ / "a.dat");
    stopped = interrupted(3, "run a", "a.checkpoint");
    if (stopped) break;
  }
  ASSERT_TRUE(stopped) << "no signal came before the end";
  ASSERT_EQ(setka("run alone").code, 0);
  const std::string expected = text_of("alone.dat");
  EXPECT_FALSE(exists("a.dat"));
  const auto gone_on = on(2, "run a --continue");
  ASSERT_EQ(gone_on.code, 0) << gone_on.error;
  EXPECT_FALSE(exists("a.checkpoint"));
  expect_near(text_of("a.dat"), expected, 1e-6);
}

TEST_F(RanksCommand, MoreProcessesThanElements) {
  write("cube.inp", setka::test::cube_deck());
  ASSERT_EQ(setka("run cube").code, 0);
  const std::string expected = text_of("cube.dat");
  const auto result = on(3, "run cube --tolerance 1e-12");
  ASSERT_EQ(result.code, 0) << result.error;
  expect_near(text_of("cube.dat"), expected, 1e-7);
}

TEST_F(RanksCommand, WhatPetscIsTold) {
  write("cube.inp", setka::test::cube_deck());
  const auto result = on(2, "run cube --petsc '-ksp_type minres -pc_type jacobi -nobody 1'");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("PETSc: minres with jacobi on 2 processes"));
  EXPECT_THAT(result.error, HasSubstr("--petsc: -nobody was not asked for"));
  const auto one = setka("run cube --petsc=-ksp_monitor_cancel", "env OMP_NUM_THREADS=1");
  ASSERT_EQ(one.code, 0) << one.error;
  EXPECT_THAT(one.out, HasSubstr("on 1 process "));
  const auto wrong = on(2, "run cube --petsc '-ksp_type nothing'");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(count_of("setka: error:", wrong.error), 1U) << wrong.error;
  EXPECT_THAT(wrong.error, HasSubstr("nothing"));
}

TEST_F(RanksCommand, InfoTellsWhetherMpiIsGpuAware) {
  const auto result = on(2, "info");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(count_of("MPI of 2 processes: ", result.out), 1U) << result.out;
  EXPECT_THAT(result.out, HasSubstr("GPU-aware"));
  EXPECT_THAT(result.out, HasSubstr("PETSc numbers up to "));
  const json told = json::parse(on(2, "info --json").out);
  EXPECT_TRUE(told["gpu_aware_mpi"].is_boolean());
  EXPECT_GE(told["max_unknowns"].get<std::int64_t>(), 2'147'483'647);
}

TEST_F(RanksCommand, ProcessesAreMeasuredAndPlannedFor) {
  ASSERT_EQ(setka("example block --size 3000 --element C3D8 -o block.inp").code, 0);
  const auto nothing = setka("plan block.inp --ranks 8");
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.error, HasSubstr("mpirun -n 2 setka calibrate"));
  const auto measured = on(3, "calibrate --json");
  ASSERT_EQ(measured.code, 0) << measured.error;
  const json profile = json::parse(measured.out);
  EXPECT_EQ(profile["processes"], 3);
  EXPECT_GT(profile["product_s_per_entry"], 1e-11);
  EXPECT_GT(profile["latency_s"], 0);
  EXPECT_GT(profile["bytes_per_s"], 1e6);
  const auto plan = setka("plan block.inp --ranks 8 --json");
  ASSERT_EQ(plan.code, 0) << plan.error;
  const json found = json::parse(plan.out);
  ASSERT_EQ(found["strong"].size(), 4U);  // 1, 2, 4, 8
  EXPECT_EQ(found["strong"][3]["processes"], 8);
  EXPECT_LT(found["strong"][1]["assembly_s"], found["strong"][0]["assembly_s"]);
  EXPECT_EQ(found["weak"].back()["processes"], 100000);
  const auto text = setka("plan block.inp --ranks 8");
  EXPECT_THAT(text.out, HasSubstr("with the part of one of 8 for every process"));
  write("heat.inp", setka::test::steady_heat());
  const auto heat = setka("plan heat.inp --ranks 8");
  EXPECT_EQ(heat.code, 1);
  EXPECT_THAT(heat.error, HasSubstr("--ranks says what *STATIC steps take, and the deck has none"));
  EXPECT_EQ(setka("plan block.inp").code, 1) << "a plan for one process needs another profile";
  EXPECT_EQ(setka("plan block.inp --ranks 0").code, 2);
}

TEST_F(RanksCommand, WhatIsOfOneProcessIsRefused) {
  write("cube.inp", setka::test::cube_deck());
  write("modes.inp", setka::test::cube_deck("", "*FREQUENCY\n2\n"));
  write("moved.inp", setka::test::cube_deck("", "*DYNAMIC, DIRECT\n1e-6, 1e-5\n"));
  write("heated.inp", setka::test::steady_heat());
  write("buckled.inp", setka::test::cube_deck("", "*BUCKLE\n2\n"));
  for (const std::string arguments :
       {"grid case.toml", "ccx -i cube", "run cube --solver substructures", "run cube --write-elements",
        "run cube --devices cpu,cpu", "run moved --solver cholesky", "run moved --operator elements",
        "run heated --solver cholesky", "run buckled",
        "run modes --preconditioner jacobi --petsc '-eps_type lobpcg'"}) {
    const auto result = on(2, arguments);
    EXPECT_EQ(result.code, 2) << arguments << ": " << result.error;
    EXPECT_EQ(count_of("setka: error:", result.error), 1U) << result.error;
    EXPECT_THAT(result.error, HasSubstr("process")) << arguments;
  }
}

TEST_F(RanksCommand, AWrongDeckIsReportedOnce) {
  write("cube.inp", setka::test::cube_deck() + "*STEP\n*STATIC\n*CLOAD\nNOWHERE,1,1\n*END STEP\n");
  const auto result = on(3, "run cube");
  EXPECT_EQ(count_of("setka: error:", result.error), 1U) << result.error;
  EXPECT_NE(result.code, 0);
  EXPECT_FALSE(exists("cube.frd"));
}

/// Long enough for processes to read it together: nodes and elements in a file of their own.
TEST_F(RanksSteps, OfALongDeckThatIncludesItsMesh) {
  ASSERT_EQ(setka("example block --size 100000 --element C3D8 -o long.inp").code, 0);
  std::string deck = text_of("long.inp");
  const std::size_t mesh = deck.find("*NODE");
  const std::size_t elements = deck.find("*ELEMENT");
  const std::size_t end = deck.find("\n*", elements) + 1;
  ASSERT_GT(elements - mesh, std::size_t{1} << 20);
  ASSERT_GT(end - elements, std::size_t{1} << 20);
  write("mesh.inc", deck.substr(mesh, end - mesh));
  deck.replace(mesh, end - mesh, "*INCLUDE, INPUT=mesh.inc\n");
  deck.insert(deck.find("*END STEP"), "*NODE PRINT, NSET=EVERY\nU\n");
  deck.insert(deck.find("*STEP"), "*NSET, NSET=EVERY, GENERATE\n1, 30000, 7\n");
  compare(deck, "--solver cg --tolerance 1e-9", 1e-6, {2, 3});
}

TEST_F(RanksCommand, AnErrorInALongListIsToldOnceWithItsLine) {
  std::string text = "*NODE\n";
  for (int n = 1; n <= 60000; ++n) text += fmt::format("{}, {}.000000000, {}.5, -{}e-3\n", n, n, n % 17, n);
  text += "*ELEMENT, TYPE=C3D15, ELSET=E\n";
  std::string where;
  for (int e = 1; e <= 30000;
       ++e) {  // on lines that look alike, so that stretches begin amid elements at first
    text += std::to_string(e);
    for (int i = 0; i < 15; ++i) {
      const bool is_wrong = e == 29000 && i == 12;
      text += fmt::format("{}{}", i == 7 ? ",\n" : ",    ", is_wrong ? 70000 : (7 * e + 11 * i) % 60000 + 1);
      if (is_wrong) where = fmt::format("long.inp:{}: ", 1 + count_of("\n", text));
    }
    text += '\n';
  }
  write("long.inp", text);
  const auto alone = setka("run long");
  EXPECT_THAT(alone.error, HasSubstr(where + "element 29000 has node 70000, which does not exist"));
  for (const int processes : {2, 3}) {
    const auto result = on(processes, "run long");
    EXPECT_EQ(result.code, alone.code);
    EXPECT_EQ(count_of("setka: error:", result.error), 1U) << result.error;
    EXPECT_THAT(result.error, HasSubstr(alone.error));
  }
}

TEST_F(RanksCommand, ASystemFromFiles) {
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n400 400 799\n";
  for (int i = 1; i <= 400; ++i) {
    text += fmt::format("{0} {0} 2.5\n", i);
    if (i < 400) text += fmt::format("{} {} -1\n", i + 1, i);
  }
  write("a.mtx", text);
  ASSERT_EQ(setka("solve a.mtx -o alone.mtx").code, 0);
  const auto result = on(4, "solve a.mtx -o x.mtx --tolerance 1e-12");
  ASSERT_EQ(result.code, 0) << result.error;
  const auto values = [&](const std::string& name) {
    std::vector<double> found;
    std::istringstream lines(text_of(name));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("%")) found.push_back(std::strtod(line.c_str(), nullptr));
    }
    return found;
  };
  const std::vector<double> expected = values("alone.mtx");
  const std::vector<double> found = values("x.mtx");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 1; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-8) << i;
}

}  // namespace
