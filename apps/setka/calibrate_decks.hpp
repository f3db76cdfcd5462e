// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/plan/profile.hpp"

namespace setka::app {

/// Seconds that the decks of a device may take, of the half a minute that its calibration has. Beside a GPU
/// grids have more points.
inline double deck_calibration_seconds(const exec::Device& device) {
  return device.is_cuda() ? 11 : 13;
}

/// Runs small decks, as setka run does, in a folder of their own, and adds what their stages took to the
/// profile. The most telling come first; what there is no time for is left out. quick: two of the smallest.
void calibrate_decks(const exec::Device& device, bool quick, Monitor& monitor, double max_seconds,
                     plan::DeviceProfile& profile);

}  // namespace setka::app
