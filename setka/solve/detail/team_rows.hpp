// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/ghosts.hpp"
#include "setka/exec/letter.hpp"
#include "setka/exec/team.hpp"
#include "setka/sparse/block_csr.hpp"

/// Rows of matrices that members of a team give each other while multigrid is set up.
namespace setka::solve::detail {

/// Numbers over a team: member after member, each its own blocks in their order.
struct TeamNumbers {
  std::vector<std::int32_t> first;  // [members + 1]

  /// By all members together.
  TeamNumbers(const exec::Member& member, std::int32_t own);

  std::int32_t count(int member) const {
    return first[static_cast<std::size_t>(member) + 1] - first[static_cast<std::size_t>(member)];
  }
  std::int32_t total() const { return first.back(); }
  int owner(std::int32_t number) const;
};

/// The columns that a member's rows have: its own first, then those of others, ascending.
class MemberColumns {
 public:
  MemberColumns(const TeamNumbers& numbers, int member)
      : begin_(numbers.first[static_cast<std::size_t>(member)]), own_(numbers.count(member)) {}

  std::int32_t own() const { return own_; }
  std::int32_t count() const { return own_ + static_cast<std::int32_t>(others_.size()); }
  const std::vector<std::int32_t>& others() const { return others_; }

  /// Places of numbers that are among them, and numbers of places.
  std::int32_t place(std::int32_t number) const;
  std::vector<std::int32_t> numbers() const;

  /// Takes in the numbers that are not yet there; the new places of the old ones.
  std::vector<std::int32_t> take_in(std::span<const std::int32_t> numbers);

  /// Leaves those of the others that are used, by their places; the new places of the old ones.
  std::vector<std::int32_t> keep(std::span<const std::int32_t> used);

 private:
  std::vector<std::int32_t> places_of(const std::vector<std::int32_t>& numbers) const;

  std::int32_t begin_;
  std::int32_t own_;
  std::vector<std::int32_t> others_;
};

/// What members tell each other of the entries of those columns; by all members together.
std::vector<exec::Link> links_of(const exec::Member& member, const TeamNumbers& numbers,
                                 const MemberColumns& columns);

/// Rows of a matrix on the host, whose columns have numbers over the team.
struct HostRows {
  int height = 1;
  int width = 1;
  std::vector<std::int32_t> row;  // what the sender says of each
  std::vector<std::int32_t> offset = {0};
  std::vector<std::int32_t> column;
  std::vector<double> value;  // as in a BlockCsr

  /// From rows of a device with columns in places.
  HostRows(const sparse::BlockCsr<double>& rows, std::vector<std::int32_t> names,
           const MemberColumns& columns);
  HostRows(int of_height, int of_width) : height(of_height), width(of_width) {}
  /// As another member wrote them.
  explicit HostRows(exec::Letter& letter);

  void write(exec::Letter& letter) const;

  void append(const HostRows& other, std::size_t from, std::size_t to);

  /// With columns in places.
  sparse::BlockCsr<double> on(const exec::Device& device, const MemberColumns& columns) const;
};

/// The rows of ghosts, in their order, from those who own them. rows: those of the member, with columns in
/// places; by all members together.
HostRows rows_of_ghosts(const exec::Member& member, const std::vector<exec::Link>& links,
                        const sparse::BlockCsr<double>& rows, const MemberColumns& columns);

/// Those of all members' rows that belong to this one, named as its own blocks. rows: named by numbers over
/// the team, which ascend; by all members together.
HostRows rows_for(const exec::Member& member, const TeamNumbers& numbers, const HostRows& rows);

}  // namespace setka::solve::detail
