// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/plan/meter.hpp"
#include "setka/plan/profile.hpp"

namespace setka::plan {

/// Seconds that the calibration of a machine may take, memory taken and filled included: 30 with a margin.
inline constexpr double calibration_seconds = 27;

/// Bytes a second between host and device, to it or from it. Two measurements of the meter.
Transfer measure_transfer(Meter& meter, bool up, bool pinned, std::int64_t bytes);

/// The same each way when both are in use. One measurement.
double measure_both_ways(Meter& meter, std::int64_t bytes);

/// Everything a profile holds. Each point has its share of max_seconds; on a device that is too slow for it
/// curves end at smaller sizes. quick: the smallest sizes alone, for tests.
DeviceProfile calibrate(const exec::Device& device, bool quick, Monitor& monitor,
                        double max_seconds = calibration_seconds);

}  // namespace setka::plan
