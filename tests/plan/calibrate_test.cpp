// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/calibrate.hpp"

#include <gtest/gtest.h>

#include "setka/plan/decide.hpp"
#include "support/on_device.hpp"

namespace setka::plan {
namespace {

class CalibrateOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(CalibrateOn);

TEST_P(CalibrateOn, gives_all_that_plans_need) {
  Monitor monitor;
  const DeviceProfile profile = calibrate(device(), true, monitor);
  EXPECT_EQ(profile.device, device().label());
  EXPECT_EQ(why_foreign(profile, device()), "");
  EXPECT_GT(profile.launch, 0);
  EXPECT_GT(profile.took, 0);
  for (const double rate : {profile.up.rate, profile.down.rate, profile.up_pinned.rate,
                            profile.down_pinned.rate, profile.both_pinned}) {
    EXPECT_GT(rate, 1e6);
    EXPECT_LT(rate, 1e13);
  }
  for (const auto& [name, curve] : profile.curves) {
    EXPECT_FALSE(curve.empty()) << name;
    for (const double seconds : curve.seconds) EXPECT_GT(seconds, 0) << name;
  }
  EXPECT_GT(long_vectors(profile, 50, 10).seconds(), 0);
  const grid::StationaryHeat heat({{40, 1, 1}, {16, 1, 1}, {16, 1, 1}});
  EXPECT_GT(decide_stationary(profile, heat, 8, 100, 60000).choice().cost.seconds(), 0);
  // Every scheme, with and without fields: nothing is lacking.
  for (const std::size_t count : {2, 3}) {
    const std::vector<grid::HeatAxis> axes(count, {20, 1, 1, grid::Ends::insulated});
    HeatFields fields;
    for (fields.diffusivity = false;; fields.diffusivity = true) {
      for (const Choice& choice : decide_heat(profile, axes, 8, 0.1, 10, 1 << 20, fields).choices) {
        EXPECT_EQ(choice.lacks, "") << choice.name;
        for (const Term& term : choice.cost.terms) EXPECT_GT(term.seconds, 0) << term.what;
      }
      if (fields.diffusivity) break;
    }
  }
  EXPECT_GT(decide_sweep(profile, {100, 100, true, true}, 8).choice().cost.seconds(), 0);
}

}  // namespace
}  // namespace setka::plan
