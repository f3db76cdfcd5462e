// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Predictions beside what runs took, by made-up profiles of the machine.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command/grid_cases.hpp"
#include "plan/made_up_profile.hpp"
#include "setka/base/config.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/heat.hpp"
#include "setka/plan/formulas.hpp"
#include "setka/plan/profile.hpp"

namespace setka {
namespace {

using test::block_text;
using test::case_text;
using test::run_command;
using ::testing::HasSubstr;

class GridPredictions : public test::GridCommand {
 protected:
  /// The made-up device, said to be this one.
  void profile_machine(const exec::Device& device = exec::Device::cpu(), const std::string& without = "") {
    plan::DeviceProfile profile = test::made_up_profile();
    profile.hardware = plan::hardware_identity(device);
    profile.curves.erase(without);
    plan::write_profile(folder_ / "profile.json", {version, {profile}});
  }
  nlohmann::json kept() const { return nlohmann::json::parse(test::content(folder_ / "case.result.json")); }
};

/// case_text() without its stripes and its source.
std::string uniform_text(const std::string& scheme, const std::string& steps, const std::string& more = "") {
  std::string text = case_text(scheme, steps, more);
  const std::size_t source = text.find("source");
  text.erase(source, text.find('\n', source) + 1 - source);
  const std::size_t shape = text.find("[[diffusivity.shape]]");
  return text.erase(shape, text.find("[time]") - shape);
}

/// The axes of that, y and x, and what one step takes by the made-up profile.
std::vector<grid::HeatAxis> uniform_axes() {
  grid::HeatAxis y{10, 0.1, 1, grid::Ends::sides};
  y.low.value = 1;  // sides that supply cost a pass of their own
  return {y, {12, 0.1, 1, grid::Ends::periodic}};
}
double lod_step_seconds() {
  return plan::lod_step(test::made_up_profile(), uniform_axes(), 8).seconds();
}

TEST_F(GridPredictions, stand_beside_what_steps_took) {
  profile_machine();
  const std::string path = file("case.toml", uniform_text("lod", "steps = 40"));
  const nlohmann::json json = json_of(path);
  const nlohmann::json& predicted = json["predicted"];
  EXPECT_EQ(predicted["way"], "implicit steps");
  EXPECT_THAT(predicted["why"].get<std::string>(), HasSubstr("as the case says; by the model "));
  EXPECT_NEAR(predicted["seconds"].get<double>(), 40 * lod_step_seconds(), 1e-12);
  double sum = 0;
  for (const auto& term : predicted["terms"]) sum += term["seconds"].get<double>();
  EXPECT_NEAR(sum, predicted["seconds"].get<double>(), 1e-12);
  EXPECT_GT(predicted["terms"].size(), 1U);
  EXPECT_EQ(predicted["device_bytes"], 12 * 10 * 8);
  const double measured = json["measured_seconds"].get<double>();
  EXPECT_GT(measured, 0);
  EXPECT_DOUBLE_EQ(measured, 40 * json["seconds_per_step"].get<double>());
  EXPECT_DOUBLE_EQ(predicted["measured_over_predicted"].get<double>(),
                   measured / predicted["seconds"].get<double>());
  EXPECT_EQ(json["device"], "cpu");
  EXPECT_EQ(json, kept());
  EXPECT_EQ(json["files"].back(), (folder_ / "case.result.json").string());
  const auto said = grid(path);
  EXPECT_THAT(said.out,
              ::testing::ContainsRegex(
                  "predicted [0-9.]+ us, measured [0-9.]+ [num]?s .[0-9.]+ of it., 960 B on the device "
                  "predicted: implicit steps"));

  file("case.toml", uniform_text("explicit", "steps = 40"));
  const nlohmann::json other = json_of(path)["predicted"];
  EXPECT_EQ(other["way"], "explicit steps");
  EXPECT_NEAR(other["seconds"].get<double>(),
              40 * plan::explicit_step(test::made_up_profile(), uniform_axes(), 8).seconds(), 1e-12);
}

TEST_F(GridPredictions, know_schemes_of_second_order_and_fields) {
  profile_machine();
  const std::string path = file("case.toml", uniform_text("adi", "steps = 40"));
  const nlohmann::json douglas = json_of(path)["predicted"];
  EXPECT_EQ(douglas["way"], "Douglas's steps");
  EXPECT_NEAR(douglas["seconds"].get<double>(),
              40 * plan::douglas_step(test::made_up_profile(), uniform_axes(), 8).seconds(), 1e-12);
  file("case.toml", case_text("lod", "steps = 40"));
  plan::HeatFields fields;
  fields.diffusivity = fields.source = true;
  EXPECT_NEAR(json_of(path)["predicted"]["seconds"].get<double>(),
              40 * plan::lod_step(test::made_up_profile(), uniform_axes(), 8, fields).seconds(), 1e-12);
}

TEST_F(GridPredictions, are_of_what_a_run_did_itself) {
  profile_machine();
  const std::string more = "[checkpoint]\nevery = 7\n";
  const std::string path = file("case.toml", uniform_text("lod", "steps = 11", more));
  json_of(path);
  file("case.toml", uniform_text("lod", "steps = 30", more));
  EXPECT_NEAR(json_of("--continue " + path)["predicted"]["seconds"].get<double>(), 19 * lod_step_seconds(),
              1e-12);
  const std::string stopped =
      file("case.toml", block_text("jacobi", "tolerance = 1e-9\nmax-iterations = 200"));
  EXPECT_EQ(grid("-q " + stopped).code, 3);
  EXPECT_EQ(kept()["sweeps"], 200);
  const double first = kept()["predicted"]["terms"][1]["seconds"].get<double>();
  file("case.toml", block_text("jacobi", "tolerance = 1e-9\nmax-iterations = 600"));
  const nlohmann::json json = json_of("--continue " + stopped);
  EXPECT_EQ(json["first_sweep"], 200);
  EXPECT_NEAR(json["predicted"]["terms"][1]["seconds"].get<double>(),
              first / 200 * (json["sweeps"].get<double>() - 200), 1e-9);
}

TEST_F(GridPredictions, are_kept_where_a_run_is_interrupted) {
  profile_machine(exec::Device::cpu(1));
  file("case.toml", uniform_text("lod", "steps = 1000000000",
                                 "[output]\nevery = 1000000000\n[checkpoint]\nevery = 1000\n"));
  const std::string told = interrupted();
  const nlohmann::json json = kept();
  EXPECT_EQ(json["interrupted"], true);
  const double steps = json["last_step"].get<double>();
  EXPECT_GT(steps, 0);
  EXPECT_THAT(told, HasSubstr(fmt::format("interrupted after step {} of", steps)));
  EXPECT_NEAR(json["predicted"]["seconds"].get<double>() / steps, lod_step_seconds(), 1e-12);
  EXPECT_NEAR(json["measured_seconds"].get<double>() / steps, json["seconds_per_step"].get<double>(), 1e-12);
}

TEST_F(GridPredictions, stand_beside_what_sweeps_took) {
  profile_machine();
  const std::string path = file("case.toml", block_text("jacobi", "tolerance = 1e-9"));
  nlohmann::json json = json_of(path);
  constexpr double nodes = 11 * 9 * 25;
  const double sweeps = json["sweeps"].get<double>();
  EXPECT_EQ(json["predicted"]["way"], json["way"]);
  EXPECT_NEAR(json["predicted"]["seconds"].get<double>(), 3 * nodes * 8 / 5e8 + sweeps * nodes * 2e-9, 1e-9);
  EXPECT_GE(json["measured_seconds"].get<double>(), sweeps * json["seconds_per_sweep"].get<double>());

  // The height that the case gives, not the best one.
  file("case.toml", block_text("jacobi", "tolerance = 1e-9\nmemory = \"20kB\"\nheight = 4"));
  json = json_of(path);
  const nlohmann::json& predicted = json["predicted"];
  EXPECT_THAT(predicted["way"].get<std::string>(), HasSubstr("skewed pyramids, height 4, "));
  EXPECT_THAT(predicted["why"].get<std::string>(), HasSubstr("as the case says; by the model "));
  EXPECT_LE(predicted["device_bytes"].get<double>(), 20000);
  EXPECT_GT(predicted["seconds"].get<double>(), json["sweeps"].get<double>() * nodes * 2e-9);
}

TEST_F(GridPredictions, say_what_is_lacking_and_are_no_errors) {
  const auto lacks = [&](const std::string& text) {
    const nlohmann::json json = json_of(file("case.toml", text));
    EXPECT_TRUE(json.at("predicted").is_null());
    EXPECT_GT(json["measured_seconds"].get<double>(), 0);
    return json.value("why_not_predicted", "");
  };
  const std::string text = uniform_text("lod", "steps = 4");
  EXPECT_THAT(lacks(text), HasSubstr("cpu has no profile in "));
  EXPECT_THAT(grid(file("case.toml", text)).out,
              ::testing::ContainsRegex("no prediction to compare with: .*; setka calibrate would give it\n"));
  profile_machine();
  EXPECT_EQ(lacks(block_text("sor", "tolerance = 1e-3")), "the model has no formula for the scheme sor");
  profile_machine(exec::Device::cpu(), "explicit");
  EXPECT_THAT(lacks(uniform_text("explicit", "steps = 4")), HasSubstr("no measurement of \"explicit\""));
  std::ofstream(folder_ / "profile.json") << "{";
  EXPECT_THAT(lacks(text), HasSubstr("profile.json: the machine's profile cannot be used"));
  // Pyramids are then planned without it.
  EXPECT_THAT(lacks(block_text("jacobi", "tolerance = 1e-3\nmemory = \"20kB\"")), HasSubstr("profile.json"));
}

}  // namespace
}  // namespace setka
