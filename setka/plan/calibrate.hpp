// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/plan/profile.hpp"

namespace setka::plan {

/// Seconds of one of many calls in a row, by the device's clock: the median of a few batches, each long
/// enough to be measured. The work gets the number of the call.
double seconds_of_one(const exec::Device& device, const std::function<void(std::int64_t)>& work,
                      double batch_seconds = 1e-3);

/// Bytes a second between host and device, to it or from it.
Transfer measure_transfer(const exec::Device& device, bool up, bool pinned, std::int64_t bytes);

/// The same each way when both are in use.
double measure_both_ways(const exec::Device& device, std::int64_t bytes);

/// Everything a profile holds; below 30 s. quick: the smallest sizes alone, for tests.
DeviceProfile calibrate(const exec::Device& device, bool quick, Monitor& monitor);

}  // namespace setka::plan
