// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scratch_folder.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

test::CommandResult bench(const std::string& arguments) {
  return test::run_command(std::string(SETKA_COMMAND) + " bench " + arguments);
}

TEST(BenchCommand, IntegrationBesideThePapersFigures) {
  const auto result = bench("integration --quick --backend cpu --threads 2");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("2 cores; no GPU in this run"));
  EXPECT_THAT(result.out, HasSubstr(" 10000 CPS4"));
  EXPECT_THAT(result.out, HasSubstr(" 10000 C3D8"));
  EXPECT_THAT(result.out, HasSubstr("0.74, 0.67, 1.01"));
}

TEST(BenchCommand, IntegrationAsJson) {
  const auto result = bench("integration --quick --backend cpu --json");
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("unit"), "s");
  ASSERT_EQ(json.at("rows").size(), 2);
  for (const auto& row : json.at("rows")) {
    EXPECT_EQ(row.at("elements"), 10000);
    EXPECT_GT(row.at("one_core_s"), 0.0);
    EXPECT_GT(row.at("all_cores_s"), 0.0);
  }
  EXPECT_EQ(json.at("rows").at(1).at("paper_cpu_s"), 0.14);
}

// Both ways to multiply are the same operator, so conjugate gradients take as many iterations, but for one
// that rounding may cost.
TEST(BenchCommand, ProductsSolveTheSameSystemBothWays) {
  const test::ScratchFolder folder;
  const std::string file = (folder / "products.json").string();
  const auto result = bench("products --quick --threads 1 --json " + file);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("layer of C3D6"));
  EXPECT_THAT(result.out, HasSubstr("written: " + file));
  const auto json = nlohmann::json::parse(test::content(file));
  ASSERT_EQ(json.at("rows").size(), 4);
  for (const auto& row : json.at("rows")) {
    EXPECT_EQ(row.at("skipped").size(), 0);
    for (const char* device : {"cpu", "gpu"}) {
      if (!row.at("assembled").contains(device)) continue;
      const auto& assembled = row.at("assembled").at(device);
      const auto& by_elements = row.at("by_elements").at(device);
      EXPECT_TRUE(assembled.at("converged") && by_elements.at("converged"));
      EXPECT_LE(assembled.at("residual"), json.at("tolerance"));
      EXPECT_NEAR(assembled.at("iterations").get<int>(), by_elements.at("iterations").get<int>(), 1);
    }
  }
  EXPECT_EQ(json.at("rows").at(1).at("unknowns"), 2 * 40 * 5) << "a plane mesh has two unknowns a node";
}

TEST(BenchCommand, WrongUsageIsOneClearLine) {
  const auto unknown = bench("modes");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.error, StartsWith("setka: error: "));
  EXPECT_THAT(unknown.error, HasSubstr("modes not in {integration,products}"));
  EXPECT_EQ(bench("").code, 2);
}

}  // namespace
}  // namespace setka
