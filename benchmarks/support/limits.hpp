// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"

namespace setka::bench {

/// Rates of memory in bytes a second, read plus written, with vectors of that many doubles: what other
/// benchmarks are held against in the same run.
double copy_rate(const exec::Device& device, std::int64_t size);
double triad_rate(const exec::Device& device, std::int64_t size);

}  // namespace setka::bench
