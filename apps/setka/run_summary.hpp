// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

#include "setka/analysis/job.hpp"

namespace setka::app {

/// What a user wants to read after a run: a table of its static steps, modes, motions, time, memory, files.
void print_summary(const std::vector<analysis::StepSummary>& steps,
                   const std::vector<std::filesystem::path>& files, double seconds);

/// The same for programs.
nlohmann::ordered_json summary_json(const std::vector<analysis::StepSummary>& steps,
                                    const std::vector<std::filesystem::path>& files);

}  // namespace setka::app
