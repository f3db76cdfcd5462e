// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::app {

/// setka bench models: what the models predict against what is measured, on one device. The profile is that
/// of the machine, or measured first where there is none. plot: an SVG file to write; empty: none.
nlohmann::ordered_json bench_models(const exec::Device& device, bool quick, const std::string& plot,
                                    bool talk, Monitor& monitor);

}  // namespace setka::app
