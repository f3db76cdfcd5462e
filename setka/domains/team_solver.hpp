// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::domains {

/// solve::solve() over a team: conjugate gradients, with the rows of the matrix shared out by a partition of
/// their graph. The matrix has to be there, symmetric and positive definite. A preconditioner of the choice
/// that is not PreconditionerKind::over_team is made by each member from what couples its own rows; "auto"
/// stands for multigrid. Error(Fault::usage) for methods of one device.
solve::SolveResult solve(const exec::Team& team, const solve::LinearSystem& system,
                         const std::vector<double>& b, const solve::SolverChoice& choice, Monitor& monitor);

}  // namespace setka::domains
