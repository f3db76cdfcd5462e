// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "command_line.hpp"

namespace setka::app {

/// setka plan DECK.inp --ranks N: what a static step of the deck would take by up to so many processes, from
/// what mpirun setka calibrate measured.
int plan_processes(const std::string& deck, std::int64_t processes, const CommonOptions& common,
                   Monitor& monitor);

}  // namespace setka::app
