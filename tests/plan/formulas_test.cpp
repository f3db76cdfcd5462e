// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/formulas.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/made_up_profile.hpp"
#include "setka/base/error.hpp"
#include "setka/plan/decide.hpp"

namespace setka::plan {
namespace {

TEST(Curve, is_linear_in_logarithms_and_goes_on_beyond_its_ends) {
  const Curve curve{{10, 1000, 4000}, {1, 100, 200}};
  EXPECT_DOUBLE_EQ(curve.at(3), 1);
  EXPECT_DOUBLE_EQ(curve.at(10), 1);
  EXPECT_NEAR(curve.at(100), 10, 1e-12);
  EXPECT_NEAR(curve.at(2000), 100 * std::sqrt(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(curve.at(8000), 400);
}

TEST(Formulas, long_vectors_are_those_of_the_paper) {
  // n = 30: 1023 and 958 values in waves of 1000 are 2 and 1; waves take 1 us in adds and 2 us in saxpy.
  const Cost cost = long_vectors_as_printed(test::made_up_profile(), 30, 10);
  const double transfers = 2 * 1024 * 8 / 1e9;
  EXPECT_NEAR(cost.seconds(), transfers + 10 * (4e-6 + 2e-6 + 1e-6 + (3e-6 - 1e-6) + 2e-6), 1e-15);
  EXPECT_EQ(cost.device_bytes, 3U * 1024 * 8);

  // Measured ones: 31 * 32 - 1 = 991 and 958 values are below the first length of the curves.
  const Cost refined = long_vectors(test::made_up_profile(), 30, 10);
  EXPECT_NEAR(refined.seconds(), transfers + 10 * (1e-6 + 1e-6 + 2e-6 + 3e-6), 1e-15);
  // 101 * 102 - 1 = 10301 and 100 * 102 - 2 = 10198 are on them.
  EXPECT_NEAR(long_vectors(test::made_up_profile(), 100, 1).seconds(),
              2 * 102 * 102 * 8 / 1e9 + 1e-9 * 10301 + 1e-9 * 10198 + 2e-9 * 10198 + 3e-6, 1e-12);
}

const grid::StationaryHeat cube({{100, 1, 1}, {50, 1, 1}, {40, 1, 1}});

TEST(Formulas, pyramids_are_those_of_the_paper) {
  // R = 20 + 2 * 5 = 30, 5 blocks; a plane takes 2000 * 8 / 1e9 = 16 us one way, a node 2 ns.
  const grid::PyramidLayout layout{grid::PyramidShape::overlapping, 5, 20, 5, 0};
  const Cost cost = pyramid_as_printed(test::made_up_profile(), cube, 8, layout);
  EXPECT_NEAR(cost.seconds(), 5 * ((90 - 10) * 16e-6 + 2e-9 * 5 * (30 - 5 - 1) * 48 * 38), 1e-12);
}

TEST(Formulas, transfers_of_pyramids_hide_behind_computing_where_it_is_longer) {
  const DeviceProfile profile = test::made_up_profile();
  // A sweep of 200 000 nodes takes 0.4 ms; u and f up 3.2 ms, u down 1.6 ms.
  const auto of_a_sweep = [&](const DeviceProfile& device, int height) {
    const grid::PyramidLayout layout{grid::PyramidShape::skewed, height, 10, 0, 0};
    return pyramid_passes(device, cube, 8, layout, 1000).seconds() / (1000 * height);
  };
  EXPECT_NEAR(of_a_sweep(profile, 2), 3.2e-3 / 2, 0.05 * 1.6e-3);
  EXPECT_NEAR(of_a_sweep(profile, 4), 3.2e-3 / 4, 0.08 * 0.8e-3);
  EXPECT_NEAR(of_a_sweep(profile, 20), 0.4e-3, 0.05 * 0.4e-3);
  EXPECT_DOUBLE_EQ(pyramid_limit(profile, cube, 8, 2), 3.2e-3 / 2);
  EXPECT_DOUBLE_EQ(pyramid_limit(profile, cube, 8, 20), 0.4e-3);
  DeviceProfile serial = profile;
  serial.overlaps = false;
  EXPECT_NEAR(of_a_sweep(serial, 2), (3.2e-3 + 1.6e-3) / 2 + 0.4e-3, 1e-5);
  EXPECT_DOUBLE_EQ(pyramid_limit(serial, cube, 8, 2), (3.2e-3 + 1.6e-3) / 2 + 0.4e-3);
}

TEST(Formulas, sweeps_are_in_proportion_between_what_was_measured) {
  const DeviceProfile profile = test::made_up_profile();
  const auto seconds = [&](std::int64_t lines, std::int64_t rows, bool along, int bytes = 8) {
    return sweep_cost(profile, {lines, rows, along, true}, grid::SweepMethod::fused, bytes).seconds();
  };
  EXPECT_NEAR(seconds(100, 64, true), 6.4e-6, 1e-12);
  EXPECT_NEAR(seconds(100, 128, true), 12.8e-6, 1e-12);
  EXPECT_NEAR(seconds(100, 128, false), 25.6e-6, 1e-12);
  EXPECT_NEAR(seconds(2000, 512, true), 1.024e-3, 1e-9);
  EXPECT_NEAR(seconds(100, 128, true, 4), 6.4e-6, 1e-12);
  EXPECT_NEAR(seconds(100, 16, true), 1.6e-6, 1e-12);  // fewer rows than were measured
  const std::vector<grid::HeatAxis> axes{{128, 1, 1, grid::Ends::periodic},
                                         {100, 1, 1, grid::Ends::periodic}};
  EXPECT_NEAR(lod_step(profile, axes, 8).seconds(), 25.6e-6 + 12.8e-6, 1e-10);
}

TEST(Formulas, the_error_is_the_papers) {
  EXPECT_NEAR(normalised_error({1, 2}, {1.1, 1.8}), 0.1, 1e-12);
  EXPECT_THROW(normalised_error({1}, {}), Error);
}

TEST(Choices, the_least_time_that_fits_is_chosen_with_the_reason) {
  Choice slow{"slow", Cost{}.add("work", 2), {}};
  Choice fast{"fast", Cost{}.add("work", 1), {}};
  Choice fastest{"fastest", Cost{}.add("work", 0.5), "needs 3 GiB, there are 2 GiB"};
  const Decision decision = choose({slow, fastest, fast});
  EXPECT_EQ(decision.choice().name, "fast");
  EXPECT_EQ(decision.why,
            "fast: 1.00 s, the least; next: slow, 2.00 s; fastest needs 3 GiB, there are 2 GiB");
  EXPECT_THAT([&] { choose({fastest}); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("no way to do it: fastest needs 3 GiB")));
}

TEST(Choices, a_grid_that_does_not_fit_gets_pyramids_high_enough_to_hide_transfers) {
  const DeviceProfile profile = test::made_up_profile();
  const std::uint64_t all = std::uint64_t{3} * 200000 * 8;
  const Decision fits = decide_stationary(profile, cube, 8, 1000, all);
  EXPECT_EQ(fits.choice().name, "all of the grid on the device");
  const Decision tight = decide_stationary(profile, cube, 8, 1000, all / 2);
  EXPECT_THAT(tight.choice().name, ::testing::StartsWith("skewed pyramids, height "));
  EXPECT_THAT(tight.why, ::testing::HasSubstr("all of the grid on the device needs 4.58 MiB"));
  EXPECT_LE(tight.choice().cost.device_bytes, all / 2);
  EXPECT_NEAR(tight.choice().cost.seconds(), 0.4, 0.1 * 0.4);
  EXPECT_THROW(decide_stationary(profile, cube, 8, 1000, 1000), Error);
}

TEST(Choices, sweeps_and_steps_of_heat) {
  const DeviceProfile profile = test::made_up_profile();
  EXPECT_EQ(decide_sweep(profile, {100, 128, true, true}, 8).choice().name, "fused");
  EXPECT_EQ(decide_sweep(profile, {100, 20000, true, true}, 8).choice().name, "split");
  const std::vector<grid::HeatAxis> axes{{100, 1, 1, grid::Ends::periodic},
                                         {100, 1, 1, grid::Ends::periodic}};
  // An implicit step takes 30 us, an explicit one 20 us; up to a step of 1/4 one is enough.
  EXPECT_THAT(decide_heat(profile, axes, 8, 0.2, 10, 1 << 20).choice().name,
              ::testing::StartsWith("explicit"));
  const Decision longer = decide_heat(profile, axes, 8, 1.0, 10, 1 << 20);
  EXPECT_EQ(longer.choice().name, "implicit steps");
  ASSERT_EQ(longer.choices.size(), 4U);
  EXPECT_EQ(longer.choices[1].name, "explicit steps, 4 times as many");
  using grid::HeatScheme;
  EXPECT_EQ(choice_of(longer, HeatScheme::lod), 0U);
  EXPECT_EQ(choice_of(longer, HeatScheme::explicit_euler), 1U);
  EXPECT_EQ(choice_of(longer, HeatScheme::peaceman_rachford), 2U);
  EXPECT_EQ(choice_of(longer, HeatScheme::douglas), 3U);
  // A field may allow shorter explicit steps than the axes do.
  HeatFields fields;
  fields.diffusivity = true;
  fields.longest_explicit = 0.1;
  const Decision of_fields = decide_heat(profile, axes, 8, 1.0, 10, 1 << 20, fields);
  EXPECT_EQ(of_fields.choices[1].name, "explicit steps, 10 times as many");
  const Decision three = decide_heat(profile, {axes[0], axes[0], axes[0]}, 8, 1.0, 10, 1 << 30);
  EXPECT_EQ(choice_of(three, HeatScheme::peaceman_rachford), std::nullopt);
  EXPECT_EQ(choice_of(three, HeatScheme::douglas), 2U);
}

TEST(Choices, a_scheme_that_the_profile_cannot_tell_of_is_lacking) {
  DeviceProfile profile = test::made_up_profile();
  profile.curves.erase("change 2");
  const std::vector<grid::HeatAxis> axes{{100, 1, 1, grid::Ends::periodic},
                                         {100, 1, 1, grid::Ends::periodic}};
  const Decision decision = decide_heat(profile, axes, 8, 1.0, 10, 1 << 20);
  EXPECT_EQ(decision.choice().name, "implicit steps");
  EXPECT_THAT(decision.choices[2].lacks,
              ::testing::HasSubstr("cannot be told: the profile of cpu has no measurement of \"change 2\""));
  EXPECT_EQ(decision.choices[3].lacks, "");
}

/// Seconds by name; the names are all different.
std::map<std::string, double> terms_of(const Cost& cost) {
  std::map<std::string, double> terms;
  for (const Term& term : cost.terms) EXPECT_TRUE(terms.emplace(term.what, term.seconds).second);
  return terms;
}

TEST(Formulas, steps_of_peaceman_and_rachford_are_two_changes_and_two_sweeps) {
  // [100, 80]: sweeps of 100 rows across memory at 2 ns a value, of 80 along it at 1 ns.
  const std::vector<grid::HeatAxis> axes{{100, 1, 1, grid::Ends::periodic}, {80, 1, 1, grid::Ends::periodic}};
  const DeviceProfile profile = test::made_up_profile();
  const Cost uniform = peaceman_rachford_step(profile, axes, 8);
  auto terms = terms_of(uniform);
  ASSERT_EQ(terms.size(), 4U);
  EXPECT_NEAR(terms["right-hand side of axis 1"], 4e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 0: sweep across memory, fused"], 2e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["right-hand side of axis 0"], 4e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 1: sweep along memory, fused"], 1e-9 * 8000, 1e-12);
  EXPECT_EQ(uniform.device_bytes, 2U * 8000 * 8);  // u and one more

  HeatFields fields;
  fields.diffusivity = true;
  fields.source = true;
  const Cost of_fields = peaceman_rachford_step(profile, axes, 8, fields);
  terms = terms_of(of_fields);
  // The source is a third of the traffic of an addition, which takes 2 ns a value.
  EXPECT_NEAR(terms["right-hand side of axis 0"], (5e-9 + 2e-9 / 3) * 8000, 1e-12);
  EXPECT_EQ(of_fields.device_bytes, (2U + 2U + 6U) * 8000 * 8);  // and two fields, two times three bands
  // In single precision rows of uniform cells and sweeps take half as long; others are taken to take as long.
  fields.source = false;
  terms = terms_of(peaceman_rachford_step(profile, axes, 4, fields));
  EXPECT_NEAR(terms["right-hand side of axis 0"], 5e-9 * 8000, 1e-12);
  terms = terms_of(peaceman_rachford_step(profile, axes, 4));
  EXPECT_NEAR(terms["right-hand side of axis 0"], 2e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 1: sweep along memory, fused"], 0.5e-9 * 8000, 1e-12);
  EXPECT_THROW(peaceman_rachford_step(profile, {axes[0]}, 8), Error);
}

TEST(Formulas, steps_of_douglas_are_a_change_the_sweeps_and_an_addition) {
  const grid::HeatAxis axis{20, 1, 1, grid::Ends::periodic};
  const DeviceProfile profile = test::made_up_profile();
  const Cost space = douglas_step(profile, {axis, axis, axis}, 8);
  auto terms = terms_of(space);
  ASSERT_EQ(terms.size(), 5U);
  EXPECT_NEAR(terms["change of all axes"], 3e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 0: sweep across memory, fused"], 2e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 1: sweep across memory, fused"], 2e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 2: sweep along memory, fused"], 1e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["addition"], 2e-9 * 8000, 1e-12);
  EXPECT_EQ(space.device_bytes, 2U * 8000 * 8);
  EXPECT_NEAR(terms_of(douglas_step(profile, {{100}, {80}}, 8))["change of all axes"], 2e-9 * 8000, 1e-12);

  HeatFields fields;
  fields.reaction = true;  // alone it makes rows of each line as well
  const Cost reacting = douglas_step(profile, {axis, axis, axis}, 8, fields);
  EXPECT_NEAR(terms_of(reacting)["change of all axes"], (6e-9 + 2e-9 / 3) * 8000, 1e-12);
  EXPECT_EQ(reacting.device_bytes, (2U + 1U + 9U) * 8000 * 8);
}

TEST(Formulas, steps_of_lod_have_a_share_of_the_source_and_of_the_sides_an_axis) {
  const grid::HeatSide hot{grid::HeatSide::Kind::dirichlet, 100.0};
  const std::vector<grid::HeatAxis> axes{{100, 1, 1, grid::Ends::sides, hot, {}},
                                         {80, 1, 1, grid::Ends::sides}};
  HeatFields fields;
  fields.source = true;
  DeviceProfile profile = test::made_up_profile();
  profile.curves["change 2"] = {{10, 1e6}, {4e-8, 4e-3}};
  auto terms = terms_of(lod_step(profile, axes, 8, fields));
  ASSERT_EQ(terms.size(), 5U);  // nothing comes through the sides of axis 1
  EXPECT_NEAR(terms["axis 0: source"], 2e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 1: source"], 2e-9 * 8000, 1e-12);
  EXPECT_NEAR(terms["axis 0: sides"], 4e-9 * 2 * 80, 1e-12);
  // Explicit steps have the sides in the same pass.
  EXPECT_NEAR(explicit_step(profile, axes, 8, fields).seconds(), (2e-9 + 2e-9 / 3) * 8000, 1e-12);
}

TEST(Formulas, aligned_strides_and_open_ends_are_factors_where_they_were_measured) {
  DeviceProfile profile = test::made_up_profile();
  const auto seconds = [&](const SweepShape& shape) {
    return sweep_cost(profile, shape, grid::SweepMethod::fused, 8).seconds();
  };
  const SweepShape plain{520, 128, false, true};
  SweepShape aligned{520, 128, false, true, true, 512};  // 4096 bytes from row to row
  SweepShape open{520, 128, false, true, false};
  EXPECT_FALSE(plain.is_aligned(8));
  EXPECT_TRUE(aligned.is_aligned(8));
  EXPECT_FALSE(aligned.is_aligned(4));
  EXPECT_TRUE((SweepShape{1024, 7, false}).is_aligned(8));
  EXPECT_FALSE((SweepShape{1024, 7, true}).is_aligned(8));
  const double base = seconds(plain);
  EXPECT_DOUBLE_EQ(seconds(aligned), base);  // nothing is known of them
  EXPECT_DOUBLE_EQ(seconds(open), base);
  // Twice as long, and three quarters of it.
  profile.curves["sweep constant across fused aligned 128"] = {{512, 1024}, {2 * base, 4 * base}};
  profile.curves["sweep constant across fused open 128"] = {{512, 1024}, {0.75 * base, 1.5 * base}};
  const double at = 520.0 / 512;
  EXPECT_NEAR(seconds(aligned), 2 * base * at, 1e-12);
  EXPECT_NEAR(seconds(open), 0.75 * base * at, 1e-12);
  aligned.periodic = false;
  EXPECT_NEAR(seconds(aligned), 2 * 0.75 * base * at * at, 1e-12);
}

TEST(Formulas, a_profile_without_a_curve_asks_for_a_calibration) {
  DeviceProfile profile = test::made_up_profile();
  profile.curves.clear();
  EXPECT_THAT([&] { long_vectors(profile, 10, 1); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("run setka calibrate")));
}

}  // namespace
}  // namespace setka::plan
