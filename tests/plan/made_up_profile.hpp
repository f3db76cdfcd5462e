// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/plan/formulas.hpp"
#include "setka/plan/profile.hpp"

namespace setka::test {

/// A device with round numbers: 1 us a launch, 1e9 values/s in adds, 5e8 in saxpy and stencils, 1000 threads,
/// 1e9 bytes/s both ways; a sweep takes 1 ns a value along memory and 2 ns across, changes of heat 2 to 6 ns
/// a cell.
inline plan::DeviceProfile made_up_profile() {
  plan::DeviceProfile profile;
  profile.device = "cpu";
  profile.hardware = "a made-up device";
  profile.date = "2026-11-15T22:00:00Z";
  profile.launch = 1e-6;
  profile.threads_at_once = 1000;
  profile.overlaps = true;
  profile.up = profile.down = {0, 5e8};
  profile.up_pinned = profile.down_pinned = {0, 1e9};
  profile.both_pinned = 1e9;
  profile.curves["add"] = {{1e3, 1e6}, {1e-6, 1e-3}};
  profile.curves["saxpy"] = {{1e3, 1e6}, {2e-6, 2e-3}};
  profile.curves["border"] = {{10, 1000}, {3e-6, 3e-6}};
  profile.curves["stencil"] = {{1e3, 1e6}, {2e-6, 2e-3}};
  profile.curves["explicit"] = {{1e3, 1e6}, {2e-6, 2e-3}};
  profile.curves["explicit 3"] = {{1e3, 1e6}, {3e-6, 3e-3}};
  profile.curves["change 2"] = {{1e3, 1e6}, {4e-6, 4e-3}};
  profile.curves["change 2 of fields"] = {{1e3, 1e6}, {5e-6, 5e-3}};
  profile.curves["change 3 of fields"] = {{1e3, 1e6}, {6e-6, 6e-3}};
  for (const bool along : {true, false}) {
    for (const bool constant : {true, false}) {
      for (const std::int64_t rows : {64, 256}) {
        const plan::SweepShape shape{0, rows, along, constant};
        const double one = 1e-9 * static_cast<double>(rows) * (along ? 1 : 2);
        profile.curves[plan::sweep_curve(shape, grid::SweepMethod::fused)] = {{10, 1000},
                                                                              {10 * one, 1000 * one}};
        profile.curves[plan::sweep_curve(shape, grid::SweepMethod::split)] = {{10, 1000},
                                                                              {30 * one, 3000 * one}};
      }
    }
  }
  return profile;
}

}  // namespace setka::test
