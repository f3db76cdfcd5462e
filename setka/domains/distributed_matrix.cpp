// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/distributed_matrix.hpp"

#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"

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
    members_[static_cast<std::size_t>(member.number())] =
        std::make_shared<TeamMatrix>(rows_of_part(member, parts_->part(member.number()), rows(member)));
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

std::vector<double> DistributedMatrix::diagonal_at(std::span<const std::int32_t> rows) const {
  std::vector<double> diagonal(rows.size());
  const std::vector<RowsChosen> chosen = parts_->by_part(rows);
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
  const std::vector<RowsChosen> chosen = parts_->by_part(rows);
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    if (!team_.here(static_cast<int>(p))) continue;
    std::vector<solve::Support> own;
    own.reserve(chosen[p].row.size());
    for (std::size_t i = 0; i < chosen[p].row.size(); ++i)
      own.push_back({chosen[p].row[i], supports[chosen[p].place[i]].stiffness});
    if (!own.empty()) solve::add_supports(members_[p]->own(), own);
  }
}

}  // namespace setka::domains
