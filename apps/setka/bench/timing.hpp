// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "setka/exec/device.hpp"

namespace setka::bench {

/// The middle one, or the upper of the two middle ones; the order of the values is lost.
double median(std::vector<double>& values);

/// Seconds that one call of the work takes by the device's own clock: the median of several, after warming
/// up.
double median_seconds(const exec::Device& device, const std::function<void()>& work, int repeats = 15,
                      int warm_ups = 3);

/// What a measurement would lack: empty when the device has so many bytes free, else "needs about 6.1 GB, but
/// cpu has 3.0 GB free".
std::string lack_of_memory(const exec::Device& device, double bytes);

/// Does the work; what an allocation that failed says, and empty when all went well. Other errors go on.
std::string unless_out_of_memory(const std::function<void()>& work);

}  // namespace setka::bench
