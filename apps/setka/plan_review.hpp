// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "plan.hpp"
#include "setka/plan/review.hpp"

namespace setka::app {

/// What the result of setka run --json says of its prediction; nothing where it has none of times.
std::optional<plan::ReviewedRun> reviewed_run(const nlohmann::ordered_json& result, const std::string& name);

/// A table of runs, and what they come to.
void print_runs(const std::vector<plan::ReviewedRun>& runs);
void print_review(const std::string& title, const std::vector<plan::ReviewedRun>& runs);
nlohmann::ordered_json to_json(const plan::ReviewedRun& run);
nlohmann::ordered_json to_json(const plan::Review& review);

/// setka plan --review RESULT.json...
int review_runs(const PlanOptions& options, const CommonOptions& common);

}  // namespace setka::app
