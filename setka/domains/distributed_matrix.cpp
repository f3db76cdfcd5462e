// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/distributed_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/sparse/pieces.hpp"

namespace setka::domains {

DistributedMatrix::DistributedMatrix(const exec::Team& team, std::shared_ptr<const MatrixParts> parts)
    : team_(team),
      parts_(parts),
      rows_(parts->scalar_rows()),
      members_(static_cast<std::size_t>(team.size())) {
  team_.run([&](const exec::Member& member) {
    members_[static_cast<std::size_t>(member.number())] = std::make_shared<TeamMatrix>(member, *parts);
  });
}

DistributedMatrix::DistributedMatrix(const exec::Team& team, std::shared_ptr<const RowParts> parts,
                                     const Rows& rows)
    : team_(team),
      parts_(std::move(parts)),
      rows_(parts_->scalar_rows()),
      members_(static_cast<std::size_t>(team.size())) {
  require(parts_->count() == team.size(), "DistributedMatrix: as many parts as members are right");
  team_.run([&](const exec::Member& member) {
    const RowsOfPart& part = parts_->part(member.number());
    const auto own = static_cast<std::int32_t>(part.rows.size());
    sparse::BlockCsr<double> all = rows(member);
    const sparse::BlockCsr<double> beside = sparse::columns_between(all, own, own, all.columns());
    const bool nothing_else = all.rows() == own && all.columns() == own;
    sparse::BlockCsr<double> inside =
        nothing_else ? std::move(all) : sparse::columns_between(all, own, 0, own);
    members_[static_cast<std::size_t>(member.number())] =
        std::make_shared<TeamMatrix>(sparse::shared_out(member, std::move(inside), beside, part.links));
  });
}

std::int64_t DistributedMatrix::entries() const {
  std::int64_t sum = 0;
  for (const auto& member : members_) {
    if (member) sum += member->matrix().own().value().size() + member->matrix().beside().value().size();
  }
  auto all = static_cast<double>(sum);
  team_.collect({&all, 1});
  return static_cast<std::int64_t>(all);
}

std::vector<DistributedMatrix::Chosen> DistributedMatrix::by_part(std::span<const std::int32_t> rows) const {
  const int n = parts_->block();
  std::vector<std::pair<std::int32_t, std::size_t>> wanted;  // block row, and place in the list
  wanted.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) wanted.emplace_back(rows[i] / n, i);
  std::ranges::sort(wanted);
  std::vector<Chosen> chosen(members_.size());
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    const std::vector<std::int32_t>& own = parts_->part(static_cast<int>(p)).rows;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::pair<std::int32_t, std::size_t> first{own[i], 0};
      for (auto at = std::ranges::lower_bound(wanted, first); at != wanted.end() && at->first == own[i];
           ++at) {
        chosen[p].place.push_back(at->second);
        chosen[p].row.push_back(n * static_cast<std::int32_t>(i) + rows[at->second] % n);
      }
    }
  }
  return chosen;
}

std::vector<double> DistributedMatrix::diagonal_at(std::span<const std::int32_t> rows) const {
  std::vector<double> diagonal(rows.size());
  const std::vector<Chosen> chosen = by_part(rows);
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    if (chosen[p].row.empty() || !team_.here(static_cast<int>(p))) continue;
    const std::vector<double> own = solve::diagonal_at(members_[p]->matrix().own(), chosen[p].row);
    for (std::size_t i = 0; i < own.size(); ++i) diagonal[chosen[p].place[i]] = own[i];
  }
  team_.collect(diagonal);
  return diagonal;
}

void DistributedMatrix::add_supports(std::span<const solve::Support> supports) {
  std::vector<std::int32_t> rows;
  rows.reserve(supports.size());
  for (const solve::Support& support : supports) rows.push_back(support.row);
  const std::vector<Chosen> chosen = by_part(rows);
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    if (!team_.here(static_cast<int>(p))) continue;
    std::vector<solve::Support> own;
    own.reserve(chosen[p].row.size());
    for (std::size_t i = 0; i < chosen[p].row.size(); ++i)
      own.push_back({chosen[p].row[i], supports[chosen[p].place[i]].stiffness});
    if (!own.empty()) solve::add_supports(members_[p]->own(), own);
  }
}

void DistributedProduct::apply(const exec::Stream& stream, exec::View<const double> x,
                               exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1},
        exec::MultiView<double>{y.data, y.size, 1, 1});
}

void DistributedProduct::apply(const exec::Stream& /*stream*/, exec::MultiView<const double> x,
                               exec::MultiView<double> y) const {
  require(x.stride == x.columns && y.stride == y.columns, "DistributedProduct: columns beside each other");
  const RowParts& parts = matrix_.parts();
  const int width = parts.block() * static_cast<int>(x.columns);
  const std::span<const double> given(x.data, static_cast<std::size_t>(x.rows * x.columns));
  const std::span<double> made(y.data, static_cast<std::size_t>(y.rows * y.columns));
  if (matrix_.team().transport() != nullptr) std::ranges::fill(made, 0.0);
  matrix_.team().run([&](const exec::Member& member) {
    const TeamMatrix& own = *matrix_.of(member);
    const int p = member.number();
    const exec::Array<double> in(member.device(), parts.values_of(p, given, width));
    exec::Array<double> out(member.device(), in.size());
    own.apply(member.device(), exec::MultiView<const double>{in.data(), own.rows(), x.columns, x.columns},
              exec::MultiView<double>{out.data(), own.rows(), x.columns, x.columns});
    parts.put(p, out.to_vector(), made, width);
  });
  matrix_.team().collect(made);
}

}  // namespace setka::domains
