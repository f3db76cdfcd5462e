// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/plan/deck_formulas.hpp"

namespace setka::plan {

/// The tree of a run's stage times as the stages of the formulas: each node's own time goes to the stage that
/// its name stands for, or to that of the node about it. The sum is that of the tree.
std::vector<MeasuredStage> measured_stages(const StageTime& run);

}  // namespace setka::plan
