// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Decks on several devices.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command/cyclic_deck.hpp"
#include "command/heat_deck.hpp"
#include "support/command_folder.hpp"

namespace {

using nlohmann::json;
using setka::test::cube_deck;
using testing::HasSubstr;

class DevicesCommand : public setka::test::CommandFolder {
 protected:
  json run(const std::string& options) const {
    const auto result = setka("run " + options + " --threads 2 --json");
    EXPECT_EQ(result.code, 0) << result.error;
    return json::parse(result.out);
  }
  void refused(const std::string& step, const std::string& options, const std::string& message) const {
    write("cube.inp", cube_deck("", step));
    const auto result = setka("run cube --quiet --devices cpu,cpu " + options);
    EXPECT_EQ(result.code, 2) << options;
    EXPECT_THAT(result.error, HasSubstr(message)) << options;
    EXPECT_FALSE(exists("cube.frd"));
  }
};

TEST_F(DevicesCommand, AStaticStepGivesWhatOneDeviceGives) {
  for (const std::string element : {"C3D8", "C3D10"}) {
    ASSERT_EQ(setka("example block --size 6000 --element " + element + " -o block.inp --force").code, 0);
    const auto moved = [](const json& one) {
      return one["steps"][0]["largest_displacement"]["value"].get<double>();
    };
    const json alone = run("block --solver cg");
    for (const std::string devices : {"cpu,cpu", "cpu,cpu,cpu"}) {
      const json found = run("block --devices " + devices);
      EXPECT_NEAR(moved(found), moved(alone), 1e-6 * moved(alone)) << devices;
      EXPECT_THAT(found["steps"][0].dump(), HasSubstr("devices")) << devices;
    }
  }
}

/// A bar of 6 cubes. material: what its material has besides.
std::string bar_deck(const std::string& model, const std::string& step, const std::string& material = "") {
  std::string deck = "*NODE\n";
  for (int i = 0; i <= 6; ++i) {
    for (int k = 0; k < 4; ++k)
      deck += std::to_string(4 * i + k + 1) + "," + std::to_string(i) + "," + std::to_string(k % 2) + "," +
              std::to_string(k / 2) + "\n";
  }
  deck += "*ELEMENT,TYPE=C3D8,ELSET=E\n";
  for (int i = 0; i < 6; ++i) {
    deck += std::to_string(i + 1);
    for (const int k : {1, 5, 6, 2, 3, 7, 8, 4}) deck += "," + std::to_string(4 * i + k);
    deck += "\n";
  }
  return deck +
         "*NSET,NSET=BASE\n1,2,3,4\n*NSET,NSET=TIP\n25,26,27,28\n*NSET,NSET=ALL,GENERATE\n1,28\n"
         "*MATERIAL,NAME=M\n*ELASTIC\n210000,0.3\n*DENSITY\n7.8e-9\n" +
         material + "*SOLID SECTION,ELSET=E,MATERIAL=M\n" + model + "*STEP,INC=1000\n" + step +
         "*NODE PRINT,NSET=ALL\nU\n*END STEP\n";
}

/// The numbers of a .dat or .csv file.
std::vector<double> numbers_in(std::string text) {
  std::vector<double> numbers;
  std::ranges::replace(text, ',', ' ');
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str() && *end == '\0') numbers.push_back(value);
  }
  return numbers;
}

TEST_F(DevicesCommand, EveryStepAndConstraintGivesWhatOneDeviceGives) {
  const std::string held = "*BOUNDARY\nBASE,1,3\n";
  const std::string moved = held + "*AMPLITUDE,NAME=A\n0,0,1e-4,1\n";
  const std::string direct = "*DYNAMIC,DIRECT\n1e-5,1e-4\n";
  const std::string pull = "*CLOAD\n1,1,-10\n2,1,-10\n3,1,-10\n4,1,-10\nTIP,1,10\n";
  const std::string tied =  // a smaller cube at the tip
      "*NODE\n101,6,.2,.2\n102,6,.7,.2\n103,6,.7,.8\n104,6,.2,.8\n105,7,.2,.2\n106,7,.7,.2\n107,7,.7,.8\n"
      "108,7,.2,.8\n*ELEMENT,TYPE=C3D8,ELSET=E\n101,101,102,103,104,105,106,107,108\n"
      "*SURFACE,NAME=FAR\n6,S4\n*SURFACE,NAME=NEAR\n101,S1\n*TIE\nNEAR,FAR\n";
  const std::string rigid = "*NODE\n201,7,.5,.5\n202\n*RIGID BODY,NSET=TIP,REF NODE=201,ROT NODE=202\n";
  const std::vector<std::string> decks{
      bar_deck(held, "*STATIC\n*BOUNDARY\nTIP,2,2,0.3\n*CLOAD\n14,3,50\n"),
      bar_deck("", "*STATIC\n" + pull),  // held by nothing
      bar_deck(held + "*EQUATION\n2\n25,2,1,28,2,-1\n", "*STATIC\n*CLOAD\n25,2,50\n"),
      bar_deck(held + tied, "*STATIC\n*CLOAD\n105,2,50\n106,3,20\n"),
      bar_deck(held + rigid, "*STATIC\n*CLOAD\n201,2,50\n202,1,20\n"),
      bar_deck(held, direct + "*CLOAD\nTIP,3,20\n"),
      bar_deck(held + "*PHYSICAL CONSTANTS,NEWTON GRAVITY=1e18\n", direct + "*DLOAD\nE,NEWTON\n"),
      bar_deck(held, "*DYNAMIC\n5e-7,5e-6\n*CLOAD\nTIP,3,20\n"),
      bar_deck(moved, direct + "*BOUNDARY,AMPLITUDE=A\nTIP,2,2,0.1\n"),
      bar_deck(held, direct + "*CLOAD\nTIP,3,20\n", "*DAMPING,ALPHA=5000,BETA=1e-7\n"),
      bar_deck(held + "*EQUATION\n2\n25,2,1,13,2,-1\n", direct + "*CLOAD\n25,2,50\n"),
      bar_deck(held + tied, direct + "*CLOAD\n105,2,50\n106,3,20\n"),
      bar_deck(held + rigid, direct + "*CLOAD\n201,2,50\n202,1,20\n"),
      bar_deck(held + "*TRANSFORM,NSET=TIP\n1,1,0,-1,1,0\n*BOUNDARY\nTIP,1\n", direct + "*CLOAD\nTIP,2,20\n"),
      bar_deck(held + "*ELEMENT,TYPE=SPRINGA,ELSET=SP\n301,25,3\n302,14,22\n*SPRING,ELSET=SP\n\n5000\n",
               direct + "*CLOAD\nTIP,3,20\n"),
      bar_deck(
          held + "*ELEMENT,TYPE=T3D2,ELSET=TR\n401,26,2\n402,26,15\n*SOLID SECTION,ELSET=TR,MATERIAL=M\n.1\n",
          direct + "*CLOAD\nTIP,3,20\n"),
  };
  for (const std::string& deck : decks) {
    write("bar.inp", deck);
    run("bar --solver cg --tolerance 1e-12");
    const std::vector<double> alone = numbers_in(text_of("bar.dat"));
    ASSERT_GT(alone.size(), 28U * 4) << deck;
    double most = 0;  // of the displacements: nodes have numbers from 1 on
    for (const double value : alone) most = std::abs(value) < 1 ? std::max(most, std::abs(value)) : most;
    EXPECT_GT(most, 0);
    for (const std::string devices : {"cpu,cpu", "cpu,cpu,cpu"}) {
      run("bar --solver cg --tolerance 1e-12 --devices " + devices);
      const std::vector<double> found = numbers_in(text_of("bar.dat"));
      ASSERT_EQ(found.size(), alone.size()) << deck;
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], alone[i], 2e-6 * std::max(most, std::abs(alone[i]))) << deck << devices;
    }
  }
}

TEST_F(DevicesCommand, ASectorMovesAsOnOneDevice) {
  write("sector.inp", setka::test::cyclic_sector());
  const json alone = run("sector");
  const json found = run("sector --devices cpu,cpu --tolerance 1e-10");
  const auto moved = [](const json& all) {
    return all["steps"][0]["largest_displacement"]["value"].get<double>();
  };
  EXPECT_NEAR(moved(found), moved(alone), 1e-7 * moved(alone));
  for (const std::size_t step : {1U, 2U}) {
    for (std::size_t j = 0; j < 4; ++j) {
      const auto frequency = alone["steps"][step]["modes"][j]["frequency"].get<double>();
      EXPECT_GT(frequency, 0);
      EXPECT_NEAR(found["steps"][step]["modes"][j]["frequency"].get<double>(), frequency, 1e-6 * frequency)
          << step << j;
    }
  }
}

TEST_F(DevicesCommand, HeatIsThatOfOneDevice) {
  const auto tied = [](std::string deck) {  // far nodes, one beside what is prescribed
    return deck.insert(deck.find("*STEP"),
                       "*EQUATION\n2\n200,11,1.,201,11,-1.\n"
                       "*EQUATION\n3\n1000,11,1.,300,11,-0.5,700,11,-0.5\n");
  };
  for (const std::string& deck :
       {setka::test::steady_heat(), setka::test::heat_in_time(setka::test::constant_heat),
        setka::test::heat_in_time(setka::test::changing_heat), tied(setka::test::steady_heat()),
        tied(setka::test::heat_in_time(setka::test::changing_heat))}) {
    write("heat.inp", deck);
    const json once = run("heat --solver cg --tolerance 1e-11");
    const std::vector<double> alone = numbers_in(text_of("heat.dat"));
    ASSERT_GT(alone.size(), 1224U * 2);
    const auto unknowns = once["steps"][0]["unknowns"].get<int>();
    EXPECT_TRUE(unknowns > 1000 && unknowns < 1224) << unknowns;
    for (const std::string devices : {"cpu,cpu", "cpu,cpu,cpu"}) {
      const json found = run("heat --tolerance 1e-11 --devices " + devices);
      EXPECT_THAT(found["steps"][0].dump(), HasSubstr("devices")) << devices;
      EXPECT_EQ(found["steps"][0]["unknowns"], unknowns) << devices;
      const std::vector<double> values = numbers_in(text_of("heat.dat"));
      ASSERT_EQ(values.size(), alone.size()) << devices;
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], alone[i], 1e-7 * std::max(900.0, alone[i])) << devices << i;
    }
  }
  write("modes.inp", setka::test::heat_block(setka::test::constant_heat, "*BOUNDARY\nLEFT,11,11,0.\n",
                                             "*STEP\n*HEAT TRANSFER, FREQUENCY\n3\n*END STEP\n"));
  const json alone = run("modes");
  const json found = run("modes --devices cpu,cpu");
  for (std::size_t j = 0; j < 3; ++j) {
    const auto frequency = alone["steps"][0]["modes"][j]["frequency"].get<double>();
    EXPECT_NEAR(found["steps"][0]["modes"][j]["frequency"].get<double>(), frequency, 1e-6 * frequency);
  }
}

TEST_F(DevicesCommand, HeatInShellsIsOfOneDevice) {
  write("plate.inp",
        "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,2,1\n*ELEMENT,TYPE=S4,ELSET=E\n1,1,2,3,4\n2,2,5,6,3\n"
        "*MATERIAL,NAME=M\n*CONDUCTIVITY\n50\n*SHELL "
        "SECTION,ELSET=E,MATERIAL=M\n.1\n*NSET,NSET=ALL\n1,4\n*STEP\n"
        "*HEAT TRANSFER,STEADY STATE\n*BOUNDARY\nALL,11,11,10\n*END STEP\n");
  const auto refused = setka("run plate --devices cpu,cpu");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.error,
              HasSubstr("2 devices cannot share the model out: shells and beams have temperatures"));
}

TEST_F(DevicesCommand, ExplicitStepsGiveWhatOneDeviceGives) {
  const std::string step =
      "*DYNAMIC,EXPLICIT\n0,2e-5\n*CLOAD,AMPLITUDE=A\nTIP,3,200\n*BOUNDARY,AMPLITUDE=A\n1,1,1,0.001\n"
      "*NODE PRINT,NSET=ALL,FREQUENCY=100000\nU,V,RF\n";
  std::string deck = bar_deck("*BOUNDARY\nBASE,2,3\n2,1\n3,1\n4,1\n*AMPLITUDE,NAME=A\n0,0,1e-5,1\n", step,
                              "*DAMPING,ALPHA=3000\n");
  write("bar.inp", deck);
  const json alone = run("bar");
  const std::vector<double> expected = numbers_in(text_of("bar.dat"));
  ASSERT_GT(expected.size(), 28U * 9);
  const std::vector<double> history = numbers_in(text_of("bar.csv"));
  ASSERT_GT(history.size(), 8U);
  for (const std::string devices : {"cpu,cpu", "cpu,cpu,cpu", "cpu,cpu,cpu,cpu,cpu"}) {
    const json found = run("bar --devices " + devices);
    const std::vector<double> values = numbers_in(text_of("bar.dat"));
    ASSERT_EQ(values.size(), expected.size()) << devices;
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], expected[i], 1e-6 * std::max(1e-3, std::abs(expected[i]))) << devices << i;
    const std::vector<double> told = numbers_in(text_of("bar.csv"));
    ASSERT_EQ(told.size(), history.size()) << devices;
    for (std::size_t i = 0; i < told.size(); ++i)
      ASSERT_NEAR(told[i], history[i], 1e-6 * std::max(1e-3, std::abs(history[i]))) << devices << i;
    for (const std::string energy : {"kinetic", "internal", "external", "damping"}) {
      const auto exact = alone["steps"][0]["energies"][energy].get<double>();
      EXPECT_GT(exact, 0) << energy;
      EXPECT_NEAR(found["steps"][0]["energies"][energy].get<double>(), exact, 1e-9 * exact) << energy;
    }
  }
}

/// A block of across x across x along cells of 1, its length along x. bent: nodes within it are moved.
std::string block_deck(int across, int along, bool bent, const std::string& model, const std::string& step) {
  const int plane = (across + 1) * (across + 1);
  std::string deck = "*NODE,NSET=ALL\n";
  for (int n = 0; n < plane * (along + 1); ++n) {
    const int at[] = {n / plane, n % plane / (across + 1), n % (across + 1)};
    const bool inside = at[0] % along != 0 && at[1] % across != 0 && at[2] % across != 0;
    deck += std::to_string(n + 1);
    for (int k = 0; k < 3; ++k) {
      const double off = bent && inside ? 0.2 * std::sin(7.0 * n + 3.0 * k) : 0.0;
      deck += "," + std::to_string(at[k] + off);
    }
    deck += "\n";
  }
  deck += "*ELEMENT,TYPE=C3D8,ELSET=E\n";
  for (int e = 0; e < across * across * along; ++e) {
    const int low = e / (across * across) * plane + e / across % across * (across + 1) + e % across + 1;
    deck += std::to_string(e + 1);
    for (const int up : {0, 1}) {
      for (const int k : {0, plane, plane + across + 1, across + 1})
        deck += "," + std::to_string(low + k + up);
    }
    deck += "\n";
  }
  const int nodes = plane * (along + 1);
  return deck + "*NSET,NSET=BASE,GENERATE\n1," + std::to_string(plane) + "\n*NSET,NSET=TIP,GENERATE\n" +
         std::to_string(nodes - plane + 1) + "," + std::to_string(nodes) + "\n" +
         "*MATERIAL,NAME=M\n*ELASTIC\n210000,0.3\n*DENSITY\n7.8e-9\n*SOLID SECTION,ELSET=E,MATERIAL=M\n" +
         model + "*STEP\n" + step + "*END STEP\n";
}

/// Elements that share a state of constant stress, however they are bent and to whomever they belong.
TEST_F(DevicesCommand, PatchTestAcrossOneToNineDevices) {
  constexpr double strain = 0.01;
  constexpr double length = 6;
  write("patch.inp", block_deck(3, 6, true, "*BOUNDARY\nBASE,1\n1,2,3\n4,2\n",
                                "*STATIC\n*BOUNDARY\nTIP,1,1," + std::to_string(strain * length) +
                                    "\n*NODE PRINT,NSET=ALL\nU\n"));
  std::vector<double> place;  // [nodes, 3] as the deck has them
  std::istringstream lines(text_of("patch.inp"));
  for (std::string line; std::getline(lines, line);) {
    const std::vector<double> numbers = numbers_in(line);
    if (line.starts_with("*ELEMENT")) break;
    if (numbers.size() == 4) place.insert(place.end(), numbers.begin() + 1, numbers.end());
  }
  ASSERT_EQ(place.size(), 3U * 16 * 7);
  std::string devices;
  for (int count = 1; count <= 9; ++count) {
    devices += count == 1 ? "cpu" : ",cpu";
    run("patch --solver cg --tolerance 1e-12 --devices " + devices);
    const std::vector<double> found = numbers_in(text_of("patch.dat"));
    const std::size_t begin = found.size() - 4 * place.size() / 3;
    for (std::size_t n = 0; n < place.size() / 3; ++n) {
      ASSERT_EQ(found[begin + 4 * n], static_cast<double>(n + 1));
      for (std::size_t k = 0; k < 3; ++k) {
        const double exact = (k == 0 ? strain : -0.3 * strain) * place[3 * n + k];
        ASSERT_NEAR(found[begin + 4 * n + 1 + k], exact, 1e-6 * strain * length) << devices << n;
      }
    }
  }
}

/// A block that is pulled at its end, for a number of explicit steps.
std::string explicit_block_deck() {
  return block_deck(8, 40, false, "*BOUNDARY\nBASE,1,3\n*AMPLITUDE,NAME=A\n0,0,2e-5,1\n",
                    "*DYNAMIC,EXPLICIT\n0,6e-5\n*CLOAD,AMPLITUDE=A\nTIP,3,20\n"
                    "*NODE PRINT,NSET=TIP,FREQUENCY=100000\nU,V\n");
}

TEST_F(DevicesCommand, ElementsMoveToDevicesThatAreFaster) {
  write("block.inp", explicit_block_deck());
  run("block");
  const std::vector<double> expected = numbers_in(text_of("block.dat"));
  ASSERT_GT(expected.size(), 81U * 6);
  double most = 0;
  for (const double value : expected) most = std::max(most, std::abs(value));
  // Devices that are equally fast and have 19 : 1 of the work.
  const auto result =
      setka("run block --devices cpu,cpu --shares 19,1 --balance measured --threads 2 --verbose");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.error, HasSubstr("elements are shared out anew, as "));
  const std::vector<double> found = numbers_in(text_of("block.dat"));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-9 * most) << i;
}

TEST_F(DevicesCommand, SharesAreGiven) {
  ASSERT_EQ(setka("example block --size 6000 --element C3D8 -o block.inp").code, 0);
  const auto moved = [](const json& one) {
    return one["steps"][0]["largest_displacement"]["value"].get<double>();
  };
  const json alone = run("block --solver cg");
  const json found = run("block --devices cpu,cpu --shares 5,1");
  EXPECT_NEAR(moved(found), moved(alone), 1e-6 * moved(alone));
  const auto refuses = [&](const std::string& options, const std::string& message) {
    const auto result = setka("run block --quiet " + options);
    EXPECT_EQ(result.code, 2) << options;
    EXPECT_THAT(result.error, HasSubstr(message)) << options;
  };
  refuses("--devices cpu,cpu --shares 1,2,3", "--shares gives 3 numbers for 2 devices");
  refuses("--devices cpu --shares 1,2", "--shares gives 2 numbers for 1 device;");
  refuses("--devices cpu,cpu --shares 1,-2", "--shares: -2 is no share; give numbers above 0");
  refuses("--devices cpu,cpu --balance measured",
          "--balance measured is of *DYNAMIC, EXPLICIT, and the deck has no such step");
  refuses("--devices cpu,cpu --balance often", "--balance often is unknown; it is given or measured");
  write("bar.inp", explicit_block_deck());
  const auto one = setka("run bar --quiet --devices cpu --balance measured");
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.error, HasSubstr("--balance measured is of several devices, and one computes"));
}

TEST_F(DevicesCommand, ElementsAreMultipliedInParts) {
  ASSERT_EQ(setka("example block --size 6000 --element C3D8 -o block.inp").code, 0);
  const auto moved = [](const json& one) {
    return one["steps"][0]["largest_displacement"]["value"].get<double>();
  };
  for (const std::string kind : {"elements", "matrix-free"}) {
    const std::string options = "block --tolerance 1e-10 --preconditioner chebyshev --operator " + kind;
    const json alone = run(options);
    const json found = run(options + " --devices cpu,cpu,cpu");
    EXPECT_NEAR(moved(found), moved(alone), 1e-7 * moved(alone)) << kind;
    const int iterations = alone["steps"][0]["iterations"];
    EXPECT_NEAR(found["steps"][0]["iterations"].get<int>(), iterations, 2 + 0.1 * iterations) << kind;
  }
  const auto result = setka("run block --operator matrix-free --devices cpu,cpu");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("CG with polynomial on 2 devices"));
}

TEST_F(DevicesCommand, ModesAreThoseOfOneDevice) {
  ASSERT_EQ(setka("example pump --size 6000 --modes 5 -o pump.inp").code, 0);
  const json alone = run("pump --modes lobpcg");
  const json& expected = alone["steps"][0]["modes"];
  for (const std::string method : {"auto", "subspace"}) {
    const json found = run("pump --devices cpu,cpu --modes " + method);
    const json& modes = found["steps"][0]["modes"];
    ASSERT_EQ(modes.size(), expected.size());
    ASSERT_EQ(modes.size(), 5U);
    for (std::size_t j = 0; j < modes.size(); ++j) {
      const auto frequency = expected[j]["frequency"].get<double>();
      EXPECT_NEAR(modes[j]["frequency"].get<double>(), frequency, 1e-6 * frequency) << method;
    }
  }
}

TEST_F(DevicesCommand, WhatOneHasNoRoomForRunsOnTwo) {
  ASSERT_EQ(setka("example block --size 30000 --element C3D20R -o block.inp").code, 0);
  const auto alone = setka("run block --quiet --solver cg --backend cpu --memory 48MB");
  EXPECT_EQ(alone.code, 4);
  EXPECT_THAT(alone.error, HasSubstr("unknowns do not fit: about"));
  const auto two = setka("run block --quiet --devices cpu,cpu --memory 48MB");
  EXPECT_EQ(two.code, 0) << two.error;
  const auto too_little = setka("run block --quiet --devices cpu,cpu --memory 10MB");
  EXPECT_EQ(too_little.code, 4);
  EXPECT_THAT(too_little.error, HasSubstr("out of memory on cpu"));
}

TEST_F(DevicesCommand, TheDevicesAreNamed) {
  write("cube.inp", cube_deck());
  const auto result = setka("run cube --devices cpu,cpu");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("on cpu and cpu"));
}

TEST_F(DevicesCommand, WhatComputesOnOneDeviceIsRefused) {
  refused("*DYNAMIC\n0.1,1\n", "", "2 devices cannot share the model out: it has fewer elements (1)");
  refused("*STATIC\n", "--solver cholesky", "--solver cholesky factorises on one device");
  refused("*STATIC\n", "--solver substructures", "--solver substructures computes on one device");
  refused("*STATIC\n", "--preconditioner schwarz", "--preconditioner schwarz computes on one device");
  refused("*DYNAMIC\n0.1,1\n", "--operator elements",
          "*DYNAMIC with --operator computes without a matrix on one device");
  refused("*BUCKLE\n2\n", "", "*BUCKLE computes on one device");
  refused("*FREQUENCY\n2\n", "--modes lanczos", "several devices find modes by LOBPCG or subspace iteration");
  refused("*FREQUENCY\n2\n", "--modes reduced", "--modes reduced computes on one device");
}

}  // namespace
