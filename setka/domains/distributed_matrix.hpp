// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/row_parts.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/null_space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// A matrix whose rows are in parts, each in the memory of a device of a team.
class DistributedMatrix {
 public:
  /// Of a matrix that the host has.
  DistributedMatrix(const exec::Team& team, std::shared_ptr<const MatrixParts> parts);

  /// Made by all members at once: each its rows, on its device, with columns of its own entries and then of
  /// ghosts. Rows behind them are left out.
  using Rows = std::function<sparse::BlockCsr<double>(const exec::Member& member)>;
  DistributedMatrix(const exec::Team& team, std::shared_ptr<const RowParts> parts, const Rows& rows);

  const exec::Team& team() const { return team_; }
  const RowParts& parts() const { return *parts_; }
  std::int64_t scalar_rows() const { return rows_; }
  std::int64_t entries() const;

  /// What a member of the team has of it, in work of the team.
  const std::shared_ptr<TeamMatrix>& of(const exec::Member& member) const {
    return members_[static_cast<std::size_t>(member.number())];
  }

  /// That of the member which this process is, of many.
  const TeamMatrix& here() const { return *members_[static_cast<std::size_t>(team_.only())]; }

  /// solve::diagonal_at() and solve::add_supports() over all rows.
  std::vector<double> diagonal_at(std::span<const std::int32_t> rows) const;
  void add_supports(std::span<const solve::Support> supports);

 private:
  exec::Team team_;
  std::shared_ptr<const RowParts> parts_;
  std::int64_t rows_;
  std::vector<std::shared_ptr<TeamMatrix>> members_;
};

}  // namespace setka::domains
