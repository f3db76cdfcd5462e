// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/exec/transport.hpp"
#include "setka/plan/profile.hpp"

namespace setka::plan {

/// Products with a matrix by a process while all are busy, and what two of them take to tell each other
/// something: the first and the last, which are on different machines where there are several. By all
/// processes.
RankProfile calibrate(const exec::Transport& transport, Monitor& monitor);

}  // namespace setka::plan
