// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::domains {

/// solve::solve() over a team: conjugate gradients, with the rows of the matrix shared out by a partition of
/// their graph. The matrix has to be there, symmetric and positive definite. A preconditioner of the choice
/// that is not PreconditionerKind::over_team is made by each member from what couples its own rows; "auto"
/// stands for multigrid. Error(Fault::usage) for methods of one device.
solve::SolveResult solve(const exec::Team& team, const solve::LinearSystem& system,
                         const std::vector<double>& b, const solve::SolverChoice& choice, Monitor& monitor);

/// A system whose matrix a team has already.
struct TeamSystem {
  const DistributedMatrix& matrix;                       // symmetric and positive definite
  std::function<solve::AmgGeometry(int part)> geometry;  // of the rows of a part; asked for by its member
  std::int32_t unknown_count = 0;                        // without what fills the blocks
};

/// The same of such a one, over the matrix's team.
solve::SolveResult solve(const TeamSystem& system, const std::vector<double>& b,
                         const solve::SolverChoice& choice, Monitor& monitor);

/// The same of one that is known by its products.
solve::SolveResult solve(const UnassembledSystem& system, const std::vector<double>& b,
                         const solve::SolverChoice& choice, Monitor& monitor);

}  // namespace setka::domains
