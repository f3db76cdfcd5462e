// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/team_coarsening.hpp"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "setka/exec/team.hpp"
#include "setka/solve/detail/team_rows.hpp"
#include "setka/solve/prolongation.hpp"
#include "setka/sparse/pieces.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve::detail {
namespace {

using sparse::BlockCsr;

/// Own rows above those of ghosts, which may bring new columns.
BlockCsr<double> above_ghosts(BlockCsr<double> own, const HostRows& ghosts, MemberColumns& columns) {
  const std::vector<std::int32_t> number = columns.take_in(ghosts.column);
  const exec::Device device = own.device();
  const BlockCsr<double> above = sparse::renumbered_columns(std::move(own), number, columns.count());
  const BlockCsr<double> below = ghosts.on(device, columns);
  return sparse::stacked({&above, &below});
}

/// The rows that a member has of the coarse matrix, from its share of all of them. share: P'AP over the fine
/// rows of the member; its rows are those of its own columns of P, then of other members'.
BlockCsr<double> own_rows(const exec::Member& member, const TeamNumbers& numbers,
                          const BlockCsr<double>& share, const std::vector<std::int32_t>& rows_of_others,
                          MemberColumns& columns) {
  const std::int32_t own = columns.own();
  const HostRows came = rows_for(
      member, numbers, HostRows(sparse::rows_between(share, own, share.rows()), rows_of_others, columns));
  const BlockCsr<double> all = above_ghosts(sparse::rows_between(share, 0, own), came, columns);
  std::vector<std::int32_t> row(static_cast<std::size_t>(own));
  std::iota(row.begin(), row.end(), 0);
  row.insert(row.end(), came.row.begin(), came.row.end());
  BlockCsr<double> sum = sparse::multiply(
      sparse::transpose(sparse::rows_of_identity(share.device(), share.height(), row, own)), all);
  const std::vector<std::int32_t> number = columns.keep(sum.column().to_vector());
  return sparse::renumbered_columns(std::move(sum), number, columns.count());
}

}  // namespace

TeamCoarsening coarsen_over_team(const sparse::TeamCsr<double>& fine, exec::View<const double> inverse_blocks,
                                 double omega, const BlockCsr<double>& tentative) {
  const exec::Member& member = *fine.member();
  const TeamNumbers numbers(member, tentative.columns());
  MemberColumns columns(numbers, member.number());
  const BlockCsr<double> a = sparse::side_by_side(fine.own(), fine.beside());

  const HostRows tentative_of_ghosts = rows_of_ghosts(member, fine.links(), tentative, columns);
  const BlockCsr<double> p = smooth_prolongation(
      a, inverse_blocks, omega, above_ghosts(tentative.to(a.device()), tentative_of_ghosts, columns));
  sparse::TeamCsr<double> prolongation =
      sparse::shared_out(member, p, columns.own(), links_of(member, numbers, columns));
  const std::vector<std::int32_t> rows_of_others = columns.others();

  const HostRows p_of_ghosts = rows_of_ghosts(member, fine.links(), p, columns);
  const BlockCsr<double> with_ghosts = above_ghosts(p.to(a.device()), p_of_ghosts, columns);
  const BlockCsr<double> share = sparse::multiply(sparse::transpose(p), sparse::multiply(a, with_ghosts));
  sparse::TeamCsr<double> restriction =
      sparse::shared_out(member, sparse::transpose(sparse::columns_between(with_ghosts, 0, columns.own())),
                         a.rows(), fine.links());
  const BlockCsr<double> coarse = own_rows(member, numbers, share, rows_of_others, columns);
  return {std::move(prolongation), std::move(restriction),
          sparse::shared_out(member, coarse, columns.own(), links_of(member, numbers, columns))};
}

}  // namespace setka::solve::detail
