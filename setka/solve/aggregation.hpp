// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// Groups of neighbouring block rows, each to become one block row of a coarser level.
struct Aggregates {
  std::int32_t count = 0;
  std::vector<std::int32_t> of;  // [block rows]; -1: coupled to nothing, left to the smoother
};

/// Block rows of each aggregate: member[first[g] .. first[g + 1]).
struct Members {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> member;
};
Members members_of(const Aggregates& aggregates);

/// The strong neighbours of every block row, on the host. Rows i and j are strong neighbours when A has
/// their block, not all zeros, and their distance is at most `threshold` times that to the nearest neighbour
/// of i or of j: so thin elements are coarsened across their thickness first.
struct StrongNeighbours {
  std::int32_t rows;
  exec::Array<std::int32_t> offset;
  exec::Array<std::int32_t> row;
  exec::Array<float> apart;  // squared distance in units of the threshold: at most 1
};

/// coordinates: [block rows, 3]; empty: all neighbours are strong, but those of 1 x 1 blocks by their values,
/// as if they coupled by 1 / distance^2. Made on the matrix's device.
StrongNeighbours strong_neighbours(const sparse::BlockCsr<double>& matrix,
                                   const std::vector<double>& coordinates, double threshold);

inline constexpr int any_number = 0;

/// Vanek's greedy aggregation: a row whose strong neighbours are all free makes an aggregate with them; rows
/// that are left join the nearest neighbour that has one. In turn, on the host: the order of the rows makes
/// aggregates that fit together, and is the same everywhere.
///
/// members: where given, a row takes the nearest free neighbours until there are so many, if it has enough of
/// them; after all rows had their turn, half of them are enough.
Aggregates aggregate(const StrongNeighbours& neighbours, int members = any_number);

/// Where the aggregates are: the means of their rows' coordinates, [aggregates, 3].
std::vector<double> aggregate_coordinates(const Aggregates& aggregates,
                                          const std::vector<double>& coordinates);

}  // namespace setka::solve
