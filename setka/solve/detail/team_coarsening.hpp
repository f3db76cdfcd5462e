// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve::detail {

/// A level of multigrid below one whose rows are shared out over a team. A member has the coarse rows of its
/// own aggregates.
struct TeamCoarsening {
  sparse::TeamCsr<float> prolongation;
  sparse::TeamCsr<float> restriction;
  sparse::TeamCsr<double> matrix;  // of the level below
};

/// What the prolongation of each member's own rows is made from.
struct TeamTentative {
  const sparse::BlockCsr<double>& matrix;
  std::span<const std::int32_t> beside = {};  // numbers over the team of the columns behind the member's own
  const sparse::BlockCsr<double>* gaps = nullptr;  // of springs, in the places of the matrix
  double spring_share = 0;
};

/// From the tentative prolongation, whose aggregates lie within the parts; it is smoothed across them as
/// smooth_prolongation() does. By all members together. What rows at the borders need of each other goes
/// through the host: a few rows of each matrix.
TeamCoarsening coarsen_over_team(const sparse::TeamCsr<double>& fine, exec::View<const double> inverse_blocks,
                                 double omega, const TeamTentative& tentative);

/// From a prolongation that is taken as it is.
TeamCoarsening coarsen_over_team(const sparse::TeamCsr<double>& fine, const TeamTentative& given);

/// Of blocks that each member keeps of its own rows, member after member, the numbers of some that others
/// keep, by the ghosts they are; -1 where nobody keeps one. By all members together.
std::vector<std::int32_t> numbers_of_kept(const sparse::TeamCsr<double>& fine,
                                          const std::vector<std::int32_t>& kept,
                                          std::span<const std::int32_t> ghosts);

}  // namespace setka::solve::detail
