// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/domains/row_parts.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/null_space.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::domains {

/// An operator whose rows are in parts, each known by its products on a device of a team: nothing is
/// assembled.
class DistributedOperator {
 public:
  /// What a member has of it.
  struct Rows {
    std::shared_ptr<const solve::Operator> product;             // whose Operator::member() is the member
    std::function<exec::Array<double>(int n)> diagonal_blocks;  // [rows / n, n, n]; without supports
  };

  /// Made by all members at once: each its rows, on its device.
  using Make = std::function<Rows(const exec::Member& member)>;
  DistributedOperator(const exec::Team& team, std::shared_ptr<const RowParts> parts, const Make& make);

  const exec::Team& team() const { return team_; }
  const RowParts& parts() const { return *parts_; }
  std::int64_t scalar_rows() const { return parts_->scalar_rows(); }

  /// What a member of the team has of it, in work of the team.
  const Rows& of(const exec::Member& member) const {
    return members_[static_cast<std::size_t>(member.number())];
  }

  /// That of the member which this process is, of many.
  const Rows& here() const { return members_[static_cast<std::size_t>(team_.only())]; }

  /// Over all rows, in the memory of the host.
  std::vector<double> diagonal() const;

  /// From now on products have them: springs to the ground at rows of the whole.
  void add_supports(std::span<const solve::Support> supports);

 private:
  exec::Team team_;
  std::shared_ptr<const RowParts> parts_;
  std::vector<Rows> members_;
};

/// A symmetric, positive definite system that is known by its products.
struct UnassembledSystem {
  const DistributedOperator& stiffness;
  std::int32_t unknown_count = 0;  // of the whole, without what fills the blocks
};

/// The preconditioner of a choice for such a system; "auto" stands for a polynomial. Error(Fault::usage)
/// where it is made of a matrix.
const solve::PreconditionerKind& preconditioner_of_products(const solve::SolverChoice& choice);

/// Of the rows of a member, by all of them together.
std::unique_ptr<solve::Operator> make_preconditioner(const solve::PreconditionerKind& kind,
                                                     const DistributedOperator::Rows& rows, Monitor& monitor);

}  // namespace setka::domains
