// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>

#include "setka/domains/matrix_parts.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::domains {

/// The rows of a matrix that a member of a team has. x and y are those rows' values: what a product needs of
/// other members comes while the columns of its own rows are multiplied.
class TeamMatrix final : public solve::Operator {
 public:
  /// By all members together, of as many parts as the team has members.
  TeamMatrix(const exec::Member& member, const MatrixParts& parts);
  explicit TeamMatrix(sparse::TeamCsr<double> rows) : rows_(std::move(rows)) {}

  const exec::Device& device() const override { return rows_.device(); }
  std::int64_t rows() const override { return rows_.scalar_rows(); }
  const exec::Member* member() const override { return rows_.member(); }

  const sparse::TeamCsr<double>& matrix() const { return rows_; }
  sparse::BlockCsr<double>& own() { return rows_.own(); }  // its columns of the member's own entries

  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  sparse::TeamCsr<double> rows_;
};

/// Of the rows of a part as its member assembled them: with columns of its own entries, then of ghosts. Rows
/// behind them are left out. By all members together.
sparse::TeamCsr<double> rows_of_part(const exec::Member& member, const RowsOfPart& part,
                                     sparse::BlockCsr<double> all);

/// A matrix without rows.
sparse::BlockCsr<double> no_rows(const exec::Device& device, int block);

/// What multigrid is to know of the rows of a part, from what it is to know of all: without a first level of
/// another kind.
solve::AmgGeometry geometry_of_part(const MatrixParts& parts, int p, const solve::AmgGeometry& whole);

}  // namespace setka::domains
