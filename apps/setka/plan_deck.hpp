// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

namespace setka::app {

/// setka plan DECK.inp: stages by ways, with time, memory and disk; which way a run takes and why.
int plan_deck_command(const PlanOptions& options, const CommonOptions& common, const DeviceOptions& device,
                      Monitor& monitor);

}  // namespace setka::app
