// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run.hpp"

namespace setka::app {

struct PlanOptions {
  std::vector<std::string> files;         // the case; results of runs, for --review
  std::optional<std::int64_t> processes;  // of a deck
  std::string machine;                    // the profile of another one
  bool review = false;
  bool refit = false;
  RunOptions run;  // of a deck: what run would be told

  const std::string& file() const { return files.front(); }
};

cli::App* add_plan_command(cli::App& cli, PlanOptions& options);

/// setka plan CASE.toml or DECK.inp: what a run would take in each way, from the profile of this machine; or
/// of a deck by many processes.
int plan_case(const PlanOptions& options, const CommonOptions& common, const DeviceOptions& device,
              Monitor& monitor);

}  // namespace setka::app
