// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "deck/deck_text.hpp"
#include "io/scratch_folder.hpp"
#include "plan/made_up_profile.hpp"
#include "setka/base/config.hpp"
#include "setka/plan/profile.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

class DomainsCommand : public ::testing::Test {
 protected:
  test::CommandResult domains(const std::string& arguments) const {
    return test::run_command("SETKA_PROFILE=" + (folder_ / "profile.json").string() +
                             " " SETKA_COMMAND " domains " + arguments);
  }
  nlohmann::json json_of(const std::string& arguments) const {
    const auto result = domains(arguments + " --json");
    EXPECT_EQ(result.code, 0) << arguments << "\n" << result.error;
    return nlohmann::json::parse(result.code == 0 ? result.out : "{}");
  }
  /// A mesh of the readers' tests, in the folder of this one.
  std::string gmsh(const std::string& name) const {
    const std::string copy = (folder_ / (name + ".msh")).string();
    std::filesystem::copy_file(std::string(SETKA_TEST_DATA) + "/msh/" + name + ".msh", copy,
                               std::filesystem::copy_options::overwrite_existing);
    return copy;
  }
  std::string block(int unknowns) const {
    const std::string deck = (folder_ / "block.inp").string();
    const auto made = test::run_command(std::string(SETKA_COMMAND) + " example block --size " +
                                        std::to_string(unknowns) + " -q -o " + deck);
    EXPECT_EQ(made.code, 0) << made.error;
    return deck;
  }

  const test::ScratchFolder folder_;
};

TEST_F(DomainsCommand, TellsWhatPartsHave) {
  const std::string deck = block(3000);
  for (const std::string by : {"elements", "nodes"}) {
    for (const std::string partitioner : {"auto", "bisection"}) {
      SCOPED_TRACE(by + " " + partitioner);
      const auto result = domains(deck + " --parts 3 --json --by " + by + " --partitioner " + partitioner);
      ASSERT_EQ(result.code, 0) << result.error;
      const auto json = nlohmann::json::parse(result.out);
      EXPECT_EQ(json["parts"], 3);
      EXPECT_LE(json["imbalance"], 0.05);
      EXPECT_GT(json["shared_nodes"], 0);
      ASSERT_EQ(json["table"].size(), 3U);
      for (const auto& part : json["table"]) {
        EXPECT_GT(part["elements"], 0);
        EXPECT_GT(part["boundary"], 0);
        EXPECT_LT(part["boundary"], part["nodes"]);
        EXPECT_GT(part["ghosts"], 0);
        EXPECT_GE(part["neighbours"], 1);
      }
      EXPECT_TRUE(std::filesystem::exists(folder_ / "block-domains.vtu"));
    }
  }
}

TEST_F(DomainsCommand, PrintsATable) {
  const auto result = domains(block(3000) + " --parts 2 -o " + (folder_ / "two.vtu").string());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out,
              HasSubstr("part    elements       nodes  boundary    ghosts neighbours  predicted ms"));
  EXPECT_THAT(result.out, HasSubstr("predicted: an iteration of conjugate gradients takes "));
  EXPECT_THAT(result.out, HasSubstr(" ms on one NVIDIA H200, "));
  EXPECT_THAT(result.out, HasSubstr(" times as fast\n  from h200 as measured on 2026-11-15: 4050 GB/s of "
                                    "memory, 5 us a launch; links of 200 GB/s and 10 us\n"));
  EXPECT_THAT(result.out, HasSubstr("nodes are shared"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "two.vtu"));
}

/// The formula of docs/models.md, by hand: cubes in a row, cut across, with 27 blocks a row inside.
TEST_F(DomainsCommand, PredictsAnIteration) {
  std::ofstream deck(folder_ / "row.inp");
  constexpr int cubes = 40;
  deck << "*NODE\n";
  for (int i = 0; i <= cubes; ++i) {
    for (int k = 0; k < 4; ++k) deck << 4 * i + k + 1 << ',' << i << ',' << k % 2 << ',' << k / 2 << '\n';
  }
  deck << "*ELEMENT,TYPE=C3D8\n";
  for (int i = 0; i < cubes; ++i) {
    deck << i + 1;
    for (const int k : {1, 5, 6, 2, 3, 7, 8, 4}) deck << ',' << 4 * i + k;
    deck << '\n';
  }
  deck.close();
  plan::DeviceProfile made_up = test::made_up_profile();  // 12 GB/s, 1 us a launch
  plan::write_profile(folder_ / "profile.json", {version, {made_up}});
  const auto json = json_of((folder_ / "row.inp").string() +
                            " --parts 2 --device cpu --link 1 --latency 50 --partitioner bisection");
  const auto& predicted = json["predicted"];
  EXPECT_EQ(predicted["device"], "cpu");
  EXPECT_EQ(predicted["hardware"], "a made-up device");
  EXPECT_EQ(predicted["link"]["bytes_per_s"], 1e9);
  const double nodes = 4 * (cubes + 1);
  const double blocks = 16 * (3.0 * (cubes + 1) - 2);
  const double alone = (76 * blocks + 4 * (nodes + 1) + 144 * 3 * nodes) / 12e9 + 9e-6;
  EXPECT_NEAR(predicted["one_device_s"].get<double>(), alone, 1e-9 * alone);
  // Each half has one plane of ghosts, 12 values: 96 ns and the latency, less the product with own columns.
  double slowest = 0;
  for (const auto& part : json["table"]) {
    const double own = part["nodes"];
    const double product = (76 * 16 * (3 * own / 4 - 2) + 4 * (own + 1)) / 12e9;
    const double beside = (76 * 16 + 4 * 5) / 12e9;
    const double seconds =
        product + beside + 144 * 3 * own / 12e9 + 13e-6 + (50e-6 + 96e-9 - product) + 100e-6;
    EXPECT_NEAR(part["predicted_s"].get<double>(), seconds, 1e-9 * seconds);
    slowest = std::max(slowest, seconds);
  }
  EXPECT_NEAR(predicted["devices_s"].get<double>(), slowest, 1e-9 * slowest);
  EXPECT_NEAR(predicted["speedup"].get<double>(), alone / slowest, 1e-9);
}

/// Layers of plane elements stand over the nodes of the mesh, and have no rows of their own.
TEST_F(DomainsCommand, PredictsPlaneModelsByTheNodesOfTheMesh) {
  std::ofstream(folder_ / "two.inp")
      << "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1,1\n6,2,1\n*ELEMENT,TYPE=CPS4\n1,1,2,5,4\n2,2,3,6,5\n";
  const auto json = json_of((folder_ / "two.inp").string() + " --parts 1 --device h200");
  const double blocks = 4 * 4 + 2 * 6;  // four nodes with four in their rows, two with all six
  EXPECT_NEAR(json["predicted"]["one_device_s"].get<double>(),
              (76 * blocks + 4 * 7 + 144 * 3 * 6) / 4.05e12 + 45e-6, 1e-12);
  EXPECT_EQ(json["predicted"]["speedup"], 1);
}

TEST_F(DomainsCommand, TakesThePartitionsOfAMesh) {
  for (const std::string name : {"parts", "parts_binary", "parts_msh22", "parts_msh22_binary"}) {
    SCOPED_TRACE(name);
    const std::string mesh = gmsh(name);
    const auto json = json_of(mesh);
    EXPECT_EQ(json["parts"], 3);
    EXPECT_EQ(json["method"], "as the file gives it");
    EXPECT_EQ(json["left_aside"], 0);
    int nodes = 0;
    for (const auto& part : json["table"]) {
      EXPECT_EQ(part["elements"], 16);
      nodes += part["nodes"].get<int>();
    }
    EXPECT_EQ(nodes, 30);
    EXPECT_EQ(json_of(mesh + " --parts 3")["method"], "as the file gives it");
    EXPECT_TRUE(std::filesystem::exists(folder_ / (name + "-domains.vtu")));
  }
  const auto told = domains(gmsh("parts"));
  EXPECT_THAT(told.out, HasSubstr("\nas the file gives it; the heaviest part exceeds the mean by 0.0 %"));
}

TEST_F(DomainsCommand, SharesAMeshOutAnewWhereAsked) {
  const std::string mesh = gmsh("parts");
  for (const std::string options : {"--parts 4", "--by nodes", "--partitioner bisection"}) {
    SCOPED_TRACE(options);
    const auto json = json_of(mesh + " " + options);
    EXPECT_EQ(json["parts"], options == "--parts 4" ? 4 : 3);
    EXPECT_NE(json["method"], "as the file gives it");
    EXPECT_EQ(json["left_aside"], 3);
    EXPECT_THAT(domains(mesh + " " + options).out,
                HasSubstr("the 3 partitions of the file are left aside\n"));
  }
  const auto whole = json_of(gmsh("parts_whole"));
  EXPECT_EQ(whole["parts"], 2);
  EXPECT_EQ(whole["left_aside"], 0);
}

TEST_F(DomainsCommand, APlaneMeshKeepsItsPartitions) {
  const auto json = json_of(gmsh("parts_plane"));
  EXPECT_EQ(json["parts"], 2);
  for (const auto& part : json["table"]) EXPECT_EQ(part["elements"], 4);
}

TEST_F(DomainsCommand, OneFileOfSeveralIsRefused) {
  const auto result = domains(gmsh("parts_split_1"));
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.error,
              HasSubstr("parts_split_1.msh: the file has 3 partitions, and elements of 1 alone"));
  EXPECT_EQ(json_of(gmsh("parts_split_1") + " --parts 2")["parts"], 2);
  EXPECT_EQ(json_of(gmsh("parts_split_1") + " --partitioner auto")["parts"], 3);
}

TEST_F(DomainsCommand, ADeckNeedsNoMaterials) {
  std::ofstream(folder_ / "mesh.inp")
      << "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1,1\n6,2,1\n*ELEMENT,TYPE=CPS4\n1,1,2,5,4\n2,2,3,6,5\n";
  const auto result = domains((folder_ / "mesh.inp").string() + " --parts 2");
  EXPECT_EQ(result.code, 0) << result.error;
}

TEST_F(DomainsCommand, RefusesWhatCannotBe) {
  const std::string deck = block(300);
  const auto expect_error = [&](const std::string& arguments, int code, const std::string& text) {
    const auto result = domains(arguments);
    EXPECT_EQ(result.code, code) << arguments;
    EXPECT_THAT(result.error, HasSubstr(text)) << arguments;
  };
  expect_error(deck + " --parts 100000", 2, "ask for at most");
  expect_error(deck + " --parts 0", 2, "ask for one part or more");
  expect_error(deck + " --by faces", 2, "it is elements or nodes");
  expect_error(deck + " --partitioner hand", 2, "auto, metis, scotch or bisection");
  expect_error(deck + " -o " + deck, 2, "give another name");
  expect_error(deck + " --device k80", 2, "the rates of a device k80 are not known; give h200");
  expect_error(deck + " --link 0", 2, "--link and --latency describe no link");
  expect_error(deck + " --parts 1 --latency 3", 2, "--link and --latency are between devices");
  std::ofstream(folder_ / "empty.inp") << "*NODE\n1,0,0,0\n";
  expect_error((folder_ / "empty.inp").string(), 1, "no elements");
}

}  // namespace
}  // namespace setka
