// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve::detail {

/// A level of multigrid below one whose rows are shared out over a team. A member has the coarse rows of its
/// own aggregates.
struct TeamCoarsening {
  sparse::TeamCsr<double> prolongation;
  sparse::TeamCsr<double> restriction;
  sparse::TeamCsr<double> matrix;  // of the level below
};

/// From the tentative prolongation of each member's own rows, whose aggregates lie within the parts; it is
/// smoothed across them as smooth_prolongation() does. By all members together. What rows at the borders need
/// of each other goes through the host: a few rows of each matrix.
TeamCoarsening coarsen_over_team(const sparse::TeamCsr<double>& fine, exec::View<const double> inverse_blocks,
                                 double omega, const sparse::BlockCsr<double>& tentative);

}  // namespace setka::solve::detail
