// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/modes.hpp"

namespace setka::domains {

/// modes::find() over a team: LOBPCG, with the rows of both matrices shared out by a partition of the graph
/// of K. The matrices have to be assembled. Error(Fault::usage) for methods of one device, and where M
/// couples unknowns that K does not.
modes::Modes find_modes(const exec::Team& team, const exec::Device& cpu, const modes::EigenSystem& system,
                        modes::Request request, const modes::Choice& choice, Monitor& monitor);

}  // namespace setka::domains
