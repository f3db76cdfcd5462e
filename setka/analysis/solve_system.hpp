// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::analysis {

/// The unknowns under forces on the solids' nodes, [3 nodes], empty: none, and the displacements that are
/// prescribed. constraints: of the solids; users: of what the user moves.
///
/// Motions that nothing holds and no force drives (bodies as rigid ones, mechanisms of trusses) are told in a
/// warning. Of all answers the one with the least sum of squares of the unknowns is given: it has nothing of
/// them. Where a force drives one, an Error says so. Not converged is for the report to say.
///
/// The stiffness keeps what was found free: it may be solved with again, but for nothing else.
solve::SolveResult solve_system(const Setup& setup, const fem::Constraints& constraints,
                                const fem::Constraints& users, Stiffness& stiffness,
                                const std::vector<double>& forces, const Computing& computing,
                                Monitor& monitor);

}  // namespace setka::analysis
