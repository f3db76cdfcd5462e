// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "setka/domains/matrix_parts.hpp"
#include "setka/exec/ghosts.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// The rows of a matrix that a member of a team has. x and y are those rows' values: what a product needs of
/// other members comes while the columns of its own rows are multiplied.
class TeamMatrix final : public solve::Operator {
 public:
  /// By all members together, of as many parts as the team has members.
  TeamMatrix(const exec::Member& member, const MatrixParts& parts);

  const exec::Device& device() const override { return own_.device(); }
  std::int64_t rows() const override { return own_.scalar_rows(); }
  const exec::Member* member() const override { return &member_; }

  /// The diagonal part of the matrix: what couples the member's own rows.
  const sparse::BlockCsr<double>& own() const { return own_; }

  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  exec::Member member_;
  sparse::BlockCsr<double> own_;
  sparse::BlockCsr<double> beside_;
  std::int64_t inner_;  // scalar rows
  std::unique_ptr<exec::Ghosts> ghosts_;
};

}  // namespace setka::domains
