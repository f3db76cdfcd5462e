// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Decks on several devices.
#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST_F(DevicesCommand, ModesAreThoseOfOneDevice) {
  ASSERT_EQ(setka("example pump --size 6000 --modes 5 -o pump.inp").code, 0);
  const json alone = run("pump --modes lobpcg");
  const json found = run("pump --devices cpu,cpu");
  const json& expected = alone["steps"][0]["modes"];
  const json& modes = found["steps"][0]["modes"];
  ASSERT_EQ(modes.size(), expected.size());
  ASSERT_EQ(modes.size(), 5U);
  for (std::size_t j = 0; j < modes.size(); ++j) {
    const auto frequency = expected[j]["frequency"].get<double>();
    EXPECT_NEAR(modes[j]["frequency"].get<double>(), frequency, 1e-6 * frequency);
  }
}

TEST_F(DevicesCommand, TheDevicesAreNamed) {
  write("cube.inp", cube_deck());
  const auto result = setka("run cube --devices cpu,cpu");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("on cpu and cpu"));
}

TEST_F(DevicesCommand, WhatComputesOnOneDeviceIsRefused) {
  refused("*DYNAMIC\n0.1,1\n", "",
          "*DYNAMIC computes on one device, and --devices names 2; name one of them");
  refused("*STATIC\n", "--solver cholesky", "--solver cholesky factorises on one device");
  refused("*STATIC\n", "--solver substructures", "--solver substructures computes on one device");
  refused("*STATIC\n", "--preconditioner schwarz", "--preconditioner schwarz computes on one device");
  refused("*STATIC\n", "--operator elements", "--operator computes without a matrix on one device");
  refused("*FREQUENCY\n2\n", "--modes lanczos", "several devices find modes by LOBPCG alone");
  refused("*FREQUENCY\n2\n", "--modes reduced", "--modes reduced computes on one device");
}

}  // namespace
