// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line.hpp"

namespace setka::app {

struct PlanOptions {
  std::string file;
  std::optional<std::int64_t> processes;  // of a deck
};

cli::App* add_plan_command(cli::App& cli, PlanOptions& options);

/// setka plan CASE.toml: what a run would take in each way, from the profile of this machine. A deck is
/// planned for processes.
int plan_case(const PlanOptions& options, const CommonOptions& common, const DeviceOptions& device,
              Monitor& monitor);

}  // namespace setka::app
