// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "bench_models.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::app {

/// setka bench sweeps: periodic sweeps over one core, interleaved or not, on one device and on two. keep
/// gets the rows so far after each of them.
nlohmann::ordered_json bench_sweeps(const std::vector<exec::Device>& devices, bool quick, bool talk,
                                    const KeepJson& keep, Monitor& monitor);

}  // namespace setka::app
