// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/distributed_operator.hpp"

#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::domains {

DistributedOperator::DistributedOperator(const exec::Team& team, std::shared_ptr<const RowParts> parts,
                                         const Make& make)
    : team_(team), parts_(std::move(parts)), members_(static_cast<std::size_t>(team.size())) {
  require(parts_->count() == team.size(), "DistributedOperator: as many parts as members are right");
  team_.run([&](const exec::Member& member) {
    members_[static_cast<std::size_t>(member.number())] = make(member);
  });
}

std::vector<double> DistributedOperator::diagonal() const {
  std::vector<double> all(static_cast<std::size_t>(scalar_rows()), 0.0);
  team_.run([&](const exec::Member& member) {
    parts_->put(member.number(), of(member).diagonal_blocks(1).to_vector(), all);
  });
  team_.collect(all);
  return all;
}

void DistributedOperator::add_supports(std::span<const solve::Support> supports) {
  std::vector<std::int32_t> rows;
  rows.reserve(supports.size());
  for (const solve::Support& support : supports) rows.push_back(support.row);
  const std::vector<RowsChosen> chosen = parts_->by_part(rows);
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    if (chosen[p].row.empty() || !team_.here(static_cast<int>(p))) continue;
    std::vector<solve::Support> own;
    own.reserve(chosen[p].row.size());
    for (std::size_t i = 0; i < chosen[p].row.size(); ++i)
      own.push_back({chosen[p].row[i], supports[chosen[p].place[i]].stiffness});
    members_[p].product = solve::supported(std::move(members_[p].product), std::move(own));
  }
}

const solve::PreconditionerKind& preconditioner_of_products(const solve::SolverChoice& choice) {
  if (choice.given == nullptr && choice.preconditioner == "auto")
    return solve::preconditioner_of("chebyshev");
  const solve::PreconditionerKind& kind = solve::preconditioner_of(choice);
  if (!kind.from_diagonal)
    throw Error(
        Fault::usage,
        fmt::format("--preconditioner {} is made of an assembled matrix, and several devices or "
                    "processes that multiply element by element assemble none",
                    kind.word),
        fmt::format("give {}, or use --operator assembled", solve::preconditioner_words_from_diagonal()));
  return kind;
}

std::unique_ptr<solve::Operator> make_preconditioner(const solve::PreconditionerKind& kind,
                                                     const DistributedOperator::Rows& rows,
                                                     Monitor& monitor) {
  solve::PreconditionerInput input;
  input.diagonal_blocks = rows.diagonal_blocks;
  input.product = rows.product;
  return kind.make(input, monitor);
}

}  // namespace setka::domains
