// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>
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
  EXPECT_THAT(result.out, HasSubstr("CPE3"));
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

// The same bits on any number of threads; energy that the load has put in is all there.
TEST(BenchCommand, DynamicsStepsBesideThePapers) {
  const test::ScratchFolder folder;
  const std::string file = (folder / "dynamics.json").string();
  const auto result = bench("dynamics --quick --backend cpu --threads 2 --json " + file);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("2160 linear\ntetrahedra, 656 nodes, 1920 unknowns"));
  EXPECT_THAT(result.out, HasSubstr("paper: OpenMP + CUDA"));
  const auto json = nlohmann::json::parse(test::content(file));
  ASSERT_EQ(json.at("rows").size(), 2);
  for (const auto& row : json.at("rows")) {
    EXPECT_TRUE(row.at("converged"));
    EXPECT_GT(row.at("iterations"), 5);
    // The first accelerations are not quite those of the load: they have some stiffness in them.
    EXPECT_LT(row.at("energy_balance"), 5e-3);
    EXPECT_EQ(row.at("tip"), json.at("rows").at(0).at("tip"));
    for (const char* part : {"matrices_s", "load_s", "solve_s"}) EXPECT_GT(row.at(part), 0.0) << part;
  }
}

TEST(BenchCommand, ProductsStopWhereTheSecondsAreSpent) {
  const auto result = bench("products --quick --threads 1 --most-seconds 1e-9 --json");
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("most_seconds"), 1e-9);
  for (const auto& row : json.at("rows")) {
    const auto& assembled = row.at("assembled").at("cpu");
    EXPECT_TRUE(assembled.at("stopped")) << row;
    EXPECT_FALSE(assembled.at("converged")) << row;
    EXPECT_EQ(assembled.at("iterations"), 20) << row;
    EXPECT_GT(assembled.at("residual"), json.at("tolerance")) << row;
  }
  EXPECT_THAT(bench("products --quick --threads 1 --most-seconds 1e-9").out,
              HasSubstr("elements on the CPU: stopped after 20 iterations in"));
}

TEST(BenchCommand, ModesOfASmallPumpBesideThePapers) {
  const auto result = bench("modes --quick --modes 8 --threads 2");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("1858824 unknowns, 27 modes"));
  EXPECT_THAT(result.out, HasSubstr("2880 s on six cores"));
  EXPECT_THAT(result.out, HasSubstr("pump of C3D8I"));
  EXPECT_THAT(result.out, HasSubstr("products with K"));
}

TEST(BenchCommand, ModesOfABlockAsJson) {
  const auto result = bench("modes --model block --size 5e3 --modes 6 --threads 2 --json");
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json.at("rows").size(), 1);
  const auto& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("element"), "C3D8");
  EXPECT_NEAR(row.at("unknowns").get<double>(), 5000, 1000);
  EXPECT_LT(row.at("free_unknowns"), row.at("unknowns"));
  EXPECT_TRUE(row.at("converged"));
  EXPECT_LE(row.at("residual"), 1e-6);
  EXPECT_EQ(row.at("columns"), 16) << "six modes, four guards, and what makes it a multiple of eight";
  // The parts of the time are those that the run has: none is empty, and their sum is the whole.
  double sum = 0;
  for (const char* part : {"assembly", "multigrid", "iterations", "check", "shapes"}) {
    EXPECT_GT(row.at("seconds").at(part), 0) << part;
    sum += row.at("seconds").at(part).get<double>();
  }
  EXPECT_DOUBLE_EQ(row.at("seconds").at("solution"), sum);
  ASSERT_EQ(row.at("work").size(), 5);
  for (const auto& work : row.at("work")) EXPECT_GT(work.at("bytes"), 0) << work;
  EXPECT_NEAR(row.at("work").at(4).at("seconds"), row.at("seconds").at("iterations"), 1e-9);
  // The cantilever of 1 m, 0.08 m wide: Euler and Bernoulli's 1.8751^2 sqrt(E I / (rho A)) / 2 pi = 66.8 Hz
  // across. C3D8 lacks bending and is stiffer.
  ASSERT_EQ(row.at("frequencies_hz").size(), 6);
  EXPECT_GT(row.at("frequencies_hz").at(0), 66.0);
  EXPECT_LT(row.at("frequencies_hz").at(0), 100.0);
}

// The ways differ in the order of sums alone.
TEST(BenchCommand, SubspaceIterationTellsTheShareOfTheProjection) {
  const auto result = bench("modes --method subspace --size 600 --modes 4 --threads 1 --json");
  ASSERT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["method"], "subspace");
  EXPECT_EQ(json["model"], "block");
  EXPECT_EQ(json["paper"]["projection_s"], 81.0);
  ASSERT_EQ(json["rows"].size(), 3U);
  for (const auto& row : json["rows"]) {
    EXPECT_TRUE(row["converged"].get<bool>()) << row;
    EXPECT_GT(row["iteration_s"].get<double>(), 0);
    const double share = row["projection_share"].get<double>();
    const bool by_elements = row["operator"] != "assembled";
    EXPECT_EQ(share > 0, by_elements) << row;
    EXPECT_LT(share, 1);
  }
  EXPECT_THAT(bench("modes --method subspace --size 600 --modes 4 --operator elements --threads 1").out,
              HasSubstr("81 s of it the projection"));
  EXPECT_THAT(bench("modes --method subspace --model pump --quick").error,
              HasSubstr("C3D8I has a formulation of its own, without matrix-free products"));
  EXPECT_THAT(bench("modes --operator elements").error, HasSubstr("is for --method subspace"));
}

TEST(BenchCommand, ProjectionBesideThePapersFigures) {
  const auto result = bench("projection --quick --threads 2");
  EXPECT_EQ(result.code, 0) << result.error;
  for (const char* text :
       {"CPU i7 3.2 GHz, 6 cores", "81", "31.86", "6.72", "4.36", "cpu ", "grouped", "fused"})
    EXPECT_THAT(result.out, HasSubstr(text));
  const auto json = nlohmann::json::parse(bench("projection --size 5e3 --threads 1 --json").out);
  EXPECT_EQ(json.at("unknowns"), 5 * 3 * 18 * 18);
  EXPECT_EQ(json.at("elements"), 5 * 17 * 17);
  EXPECT_LT(json.at("difference"), 1e-12);
  EXPECT_EQ(json.at("paper").at(3).at("seconds"), 4.36);
  ASSERT_GE(json.at("rows").size(), 2);
  for (const auto& row : json.at("rows")) {
    EXPECT_GT(row.at("seconds"), 0.0) << row;
    EXPECT_GT(row.at("floor_s"), 0.0) << row;
  }
}

TEST(BenchCommand, WrongUsageIsOneClearLine) {
  EXPECT_THAT(bench("products --size 100").error, HasSubstr("bench products has sizes of its own"));
  EXPECT_THAT(bench("projection --size -5").error, HasSubstr("--size -5 is not a number of unknowns"));
  const auto unknown = bench("mods");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.error, StartsWith("setka: error: "));
  EXPECT_THAT(
      unknown.error,
      HasSubstr("mods not in {integration,products,dynamics,projection,modes,models,plan,sweeps,domains}"));
  EXPECT_EQ(bench("").code, 2);
  const auto size = bench("modes --size 0.5");
  EXPECT_EQ(size.code, 2);
  EXPECT_THAT(size.error, HasSubstr("--size 0.5 is not a number of unknowns"));
  const auto many = bench("modes --modes 65");
  EXPECT_EQ(many.code, 2);
  EXPECT_THAT(many.error, HasSubstr("ask for 1 to 64"));
}

TEST(BenchCommand, ModelsAgainstMeasurementsWithCurves) {
  const test::ScratchFolder folder;
  const std::string plot = (folder / "models.svg").string();
  const std::string file = (folder / "models.json").string();
  const auto result = bench("models --quick --backend cpu --plot " + plot + " --json " + file);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("long vectors: normalised RMS error "));
  EXPECT_THAT(result.out, HasSubstr("height chosen by the model "));
  EXPECT_THAT(test::content(plot), HasSubstr("<svg"));
  const auto json = nlohmann::json::parse(test::content(file));
  EXPECT_THAT(test::content(plot), HasSubstr("steps of heat: one step; normalised RMS error "));
  ASSERT_EQ(json.at("models").size(), 4);
  for (const auto& model : json.at("models")) {
    EXPECT_GE(model.at("rms_error"), 0.0);
    for (const auto& point : model.at("points")) {
      EXPECT_GT(point.at("measured_s"), 0.0);
      EXPECT_GT(point.at("predicted_s"), 0.0);
    }
  }
  EXPECT_EQ(bench("sweeps --quick --plot x.svg").code, 2);
  EXPECT_EQ(bench("sweeps --quick --only sweeps").code, 2);
  const auto one = nlohmann::json::parse(bench("models --quick --backend cpu --only sweeps --json").out);
  ASSERT_EQ(one.at("models").size(), 1);
  EXPECT_EQ(one.at("models").at(0).at("name"), "sweeps");
  EXPECT_EQ(one.at("models").at(0).at("points").size(), 4);
  const auto unknown = bench("models --only pyramid");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("pyramid not in {long-vectors,pyramids,sweeps,steps}"));
}

TEST(BenchCommand, SweepsOnOneDeviceAndOnTwo) {
  const auto result = bench("sweeps --quick --backend cpu --threads 2 --json");
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("two_devices"), "two teams of 1 on the CPU");
  ASSERT_EQ(json.at("rows").size(), 1);
  for (const char* time :
       {"one_core_s", "along_s", "across_s", "papers_along_s", "papers_across_s", "step_one_core_s",
        "step_one_device_s", "step_two_devices_s", "resident_one_device_s", "resident_two_devices_s"})
    EXPECT_GT(json.at("rows").at(0).at(time), 0.0) << time;
}

TEST(BenchCommand, DomainsOverSeveralPartsOfAMatrix) {
  const auto result = bench("domains --quick --backend cpu --threads 2 --link 50 --latency 5 --json");
  EXPECT_EQ(result.code, 0) << result.error;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("link").at("bytes_per_s"), 50e9);
  ASSERT_EQ(json.at("rows").size(), 1);
  const auto& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("given"), false);
  EXPECT_GT(row.at("unknowns"), 1000);
  ASSERT_EQ(row.at("times").size(), 5);
  int parts = 0;
  for (const auto& time : row.at("times")) {
    EXPECT_GT(time.at("parts"), parts);
    parts = time.at("parts");
    EXPECT_EQ(time.at("converged"), true);
    EXPECT_GT(time.at("seconds"), 0.0);
    EXPECT_EQ(time.contains("predicted"), parts > 1);
    EXPECT_NEAR(time.at("iterations").get<double>(), row.at("times").at(0).at("iterations"), 2);
  }
}

TEST(BenchCommand, DomainsTakeMatricesThatAreGiven) {
  const test::ScratchFolder folder;
  std::ofstream file(folder / "Flan_1565.mtx");
  file << "%%MatrixMarket matrix coordinate real symmetric\n";
  constexpr int n = 60;
  file << n << " " << n << " " << 2 * n - 1 << "\n";
  for (int i = 1; i <= n; ++i) {
    file << i << " " << i << " 2.5\n";
    if (i < n) file << i + 1 << " " << i << " -1\n";
  }
  file.close();
  const auto result = bench("domains --quick --backend cpu --json --matrices " + (folder / ".").string());
  EXPECT_EQ(result.code, 0) << result.error;
  const auto row = nlohmann::json::parse(result.out).at("rows").at(0);
  EXPECT_EQ(row.at("given"), true);
  EXPECT_EQ(row.at("unknowns"), n);
  EXPECT_EQ(bench("domains --quick --matrices nowhere").code, 2);
  EXPECT_EQ(bench("domains --quick --link 0").code, 2);
  EXPECT_EQ(bench("products --quick --link 5").code, 2);
}

TEST(CalibrateCommand, WritesAProfileThatIsReadAgain) {
  const test::ScratchFolder folder;
  const std::string file = (folder / "profile.json").string();
  const auto result =
      test::run_command(std::string(SETKA_COMMAND) + " calibrate --quick --backend cpu -o " + file);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("written: " + file));
  const auto json = nlohmann::json::parse(test::content(file));
  EXPECT_EQ(json.at("devices").at(0).at("device"), "cpu");
  EXPECT_GT(json.at("devices").at(0).at("up_pinned").at("bytes_per_s"), 1e6);
  EXPECT_GT(json.at("devices").at(0).at("took_s"), 0.0);
  EXPECT_THAT(result.out, HasSubstr("measured in "));
}

}  // namespace
}  // namespace setka
