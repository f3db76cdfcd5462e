// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "json.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::app {

/// Implicit steps in time beside the paper's: prints them where talk, and returns them for --json.
nlohmann::ordered_json bench_dynamics(const exec::Device& cpu, const std::optional<exec::Device>& gpu,
                                      bool quick, bool talk, bool& converged, Monitor& monitor);

}  // namespace setka::app
