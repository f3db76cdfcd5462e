// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "setka/domains/row_parts.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/ghosts.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"

namespace setka::domains {

/// The rows of an operator that a member of a team has, by products of its part alone, as of the elements
/// there. x and y are those rows' values; those of ghosts come from the other members before the part is
/// multiplied, which cannot begin without them: elements know no own columns and others.
///
/// Bytes beside those of the part's product: 32 a row and 24 a ghost and column, for x and y on their way.
class TeamProduct final : public solve::Operator {
 public:
  /// By all members together. of_part: over the rows of the part and then its ghosts, with complete sums in
  /// the rows of the part; none: the part has neither.
  TeamProduct(const exec::Member& member, std::shared_ptr<const solve::Operator> of_part, int block,
              const RowsOfPart& rows);

  const exec::Device& device() const override { return member_.device(); }
  std::int64_t rows() const override { return rows_; }
  const exec::Member* member() const override { return &member_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  exec::Member member_;
  std::shared_ptr<const solve::Operator> of_part_;
  std::int64_t rows_;
  std::unique_ptr<exec::Ghosts<double>> ghosts_;
};

}  // namespace setka::domains
