// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/team_coarsening.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/detail/team_rows.hpp"
#include "setka/solve/interpolation.hpp"
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

/// Places of a tentative prolongation's columns.
std::vector<std::int32_t> places_of(const TeamTentative& tentative, const MemberColumns& columns) {
  std::vector<std::int32_t> place(static_cast<std::size_t>(columns.own()));
  std::iota(place.begin(), place.end(), 0);
  place.reserve(place.size() + tentative.beside.size());
  for (const std::int32_t number : tentative.beside) place.push_back(columns.place(number));
  return place;
}

/// A matrix over the tentative prolongation's columns, with columns in their places.
BlockCsr<double> placed(const BlockCsr<double>& matrix, const TeamTentative& tentative,
                        const MemberColumns& columns) {
  return sparse::renumbered_columns(matrix.to(matrix.device()), places_of(tentative, columns),
                                    columns.count());
}

TeamNumbers numbers_of(const exec::Member& member, const TeamTentative& tentative) {
  return {member, tentative.matrix.columns() - static_cast<std::int32_t>(tentative.beside.size())};
}

/// Rows behind so many empty ones.
BlockCsr<double> below_nothing(const BlockCsr<double>& rows, std::int32_t nothing) {
  const exec::Device& device = rows.device();
  const BlockCsr<double> empty(
      nothing, rows.columns(), rows.height(), rows.width(),
      exec::Array<std::int32_t>(device, std::vector<std::int32_t>(static_cast<std::size_t>(nothing) + 1, 0)),
      exec::Array<std::int32_t>(device, 0), exec::Array<double>(device, 0));
  return sparse::stacked({&empty, &rows});
}

/// P'AP over the rows of a member: of its own columns as one device makes it, and of those of ghosts, which
/// only rows at the border have. places: of the columns of P among those of the product.
BlockCsr<double> share_of(const sparse::TeamCsr<double>& fine, const BlockCsr<double>& p,
                          const BlockCsr<double>& p_of_ghosts, const std::vector<std::int32_t>& places) {
  BlockCsr<double> inside = sparse::renumbered_columns(sparse::galerkin(sparse::transpose(p), fine.own(), p),
                                                       places, p_of_ghosts.columns());
  if (!fine.has_beside()) return inside;
  const BlockCsr<double> at_border = sparse::rows_between(p, p.rows() - fine.beside().rows(), p.rows());
  return sparse::sum(
      inside, sparse::multiply(sparse::transpose(at_border), sparse::multiply(fine.beside(), p_of_ghosts)));
}

/// p: the member's rows of the prolongation.
TeamCoarsening coarsened(const sparse::TeamCsr<double>& fine, const BlockCsr<double>& p,
                         const TeamNumbers& numbers, MemberColumns& columns, const TeamTentative& tentative) {
  const exec::Member& member = *fine.member();
  sparse::TeamCsr<float> prolongation =
      sparse::shared_out(member, p, columns.own(), links_of(member, numbers, columns)).cast<float>();
  const std::vector<std::int32_t> rows_of_others = columns.others();
  const std::vector<std::int32_t> numbers_of_p = columns.numbers();
  std::optional<BlockCsr<double>> left;
  if (tentative.gaps != nullptr) left = placed(*tentative.gaps, tentative, columns);

  const HostRows of_ghosts = rows_of_ghosts(member, fine.links(), p, columns);
  columns.take_in(of_ghosts.column);
  const BlockCsr<double> p_of_ghosts = of_ghosts.on(fine.device(), columns);
  std::vector<std::int32_t> places;
  places.reserve(numbers_of_p.size());
  for (const std::int32_t number : numbers_of_p) places.push_back(columns.place(number));
  BlockCsr<double> share = share_of(fine, p, p_of_ghosts, places);
  if (left) {
    add_springs(fine.own(), *left, placed(*tentative.gaps, tentative, columns), tentative.spring_share,
                share);
    left.reset();
  }
  sparse::TeamCsr<float> restriction =
      sparse::shared_out(member, sparse::transpose(sparse::columns_between(p, 0, columns.own())),
                         sparse::transpose(sparse::columns_between(p_of_ghosts, 0, columns.own())),
                         fine.links())
          .cast<float>();
  const BlockCsr<double> coarse = own_rows(member, numbers, share, rows_of_others, columns);
  return {std::move(prolongation), std::move(restriction),
          sparse::shared_out(member, coarse, columns.own(), links_of(member, numbers, columns))};
}

/// Smoothed across the parts. Columns of ghosts are multiplied by themselves: the matrix is not put together,
/// which would take as much memory again.
BlockCsr<double> smoothed(const sparse::TeamCsr<double>& fine, exec::View<const double> inverse_blocks,
                          double omega, const BlockCsr<double>& tentative, MemberColumns& columns) {
  const HostRows of_ghosts = rows_of_ghosts(*fine.member(), fine.links(), tentative, columns);
  const std::vector<std::int32_t> number = columns.take_in(of_ghosts.column);
  const BlockCsr<double> own =
      sparse::renumbered_columns(tentative.to(fine.device()), number, columns.count());
  BlockCsr<double> p = sparse::multiply(fine.own(), own);
  if (fine.has_beside()) {
    const BlockCsr<double> at_border = sparse::multiply(fine.beside(), of_ghosts.on(fine.device(), columns));
    p = sparse::sum(p, below_nothing(at_border, p.rows() - at_border.rows()));
  }
  smooth_product(inverse_blocks, omega, own, p);
  return p;
}

}  // namespace

TeamCoarsening coarsen_over_team(const sparse::TeamCsr<double>& fine, exec::View<const double> inverse_blocks,
                                 double omega, const TeamTentative& tentative) {
  const exec::Member& member = *fine.member();
  const TeamNumbers numbers = numbers_of(member, tentative);
  MemberColumns columns(numbers, member.number());
  const BlockCsr<double> p = smoothed(fine, inverse_blocks, omega, tentative.matrix, columns);
  return coarsened(fine, p, numbers, columns, tentative);
}

TeamCoarsening coarsen_over_team(const sparse::TeamCsr<double>& fine, const TeamTentative& given) {
  const exec::Member& member = *fine.member();
  const TeamNumbers numbers = numbers_of(member, given);
  MemberColumns columns(numbers, member.number());
  columns.take_in(given.beside);
  const BlockCsr<double> p = placed(given.matrix, given, columns);
  return coarsened(fine, p, numbers, columns, given);
}

std::vector<std::int32_t> numbers_of_kept(const sparse::TeamCsr<double>& fine,
                                          const std::vector<std::int32_t>& kept,
                                          std::span<const std::int32_t> ghosts) {
  const exec::Member& member = *fine.member();
  const auto own = static_cast<std::int32_t>(kept.size());
  const TeamNumbers numbers(member, own);
  const MemberColumns columns(numbers, member.number());
  // Rows of ones in the columns of what is kept go to those who have them as ghosts.
  std::vector<std::int32_t> offset(static_cast<std::size_t>(fine.own().rows()) + 1, 0);
  for (const std::int32_t row : kept) ++offset[static_cast<std::size_t>(row) + 1];
  std::partial_sum(offset.begin(), offset.end(), offset.begin());
  std::vector<std::int32_t> column(kept.size());
  std::iota(column.begin(), column.end(), 0);
  const exec::Device& device = fine.device();
  const BlockCsr<double> ones(fine.own().rows(), own, 1, 1, exec::Array<std::int32_t>(device, offset),
                              exec::Array<std::int32_t>(device, column),
                              exec::Array<double>(device, std::vector<double>(kept.size(), 1.0)));
  const HostRows of_ghosts = rows_of_ghosts(member, fine.links(), ones, columns);
  std::vector<std::int32_t> found;
  found.reserve(ghosts.size());
  for (const std::int32_t ghost : ghosts) {
    const auto first = static_cast<std::size_t>(of_ghosts.offset[static_cast<std::size_t>(ghost)]);
    const auto last = static_cast<std::size_t>(of_ghosts.offset[static_cast<std::size_t>(ghost) + 1]);
    found.push_back(first < last ? of_ghosts.column[first] : -1);
  }
  return found;
}

}  // namespace setka::solve::detail
