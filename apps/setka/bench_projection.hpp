// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "json.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::app {

/// The table of the paper on modal analysis: prints it where talk, and returns it for --json.
nlohmann::ordered_json bench_projection(const exec::Device& cpu, const std::optional<exec::Device>& gpu,
                                        std::int64_t unknowns, bool talk, Monitor& monitor);

}  // namespace setka::app
