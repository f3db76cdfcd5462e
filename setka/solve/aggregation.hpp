// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// Groups of neighbouring block rows, each to become one block row of a coarser level. On the matrix's
/// device.
struct Aggregates {
  std::int32_t count = 0;
  exec::Array<std::int32_t> of;      // [block rows]; -1: coupled to nothing, left to the smoother
  exec::Array<std::int32_t> first;   // [count + 1]
  exec::Array<std::int32_t> member;  // block rows of aggregate g from first[g] on, ascending
};

/// The strong neighbours of every block row, on the matrix's device. Rows i and j are strong neighbours when
/// A has their block, not all zeros, and their distance is at most `threshold` times that to the nearest
/// neighbour of i or of j: so thin elements are coarsened across their thickness first.
struct StrongNeighbours {
  std::int32_t rows;
  exec::Array<std::int32_t> offset;
  exec::Array<std::int32_t> row;
  exec::Array<float> apart;  // squared distance in units of the threshold: at most 1
};

/// coordinates: [block rows, 3], on the matrix's device; empty: all neighbours are strong, but those of 1 x 1
/// blocks by their values, as if they coupled by 1 / distance^2.
StrongNeighbours strong_neighbours(const sparse::BlockCsr<double>& matrix,
                                   exec::View<const double> coordinates, double threshold);

inline constexpr int any_number = 0;

/// Vanek's greedy aggregation: a row whose strong neighbours are all free makes an aggregate with them; rows
/// that are left join the nearest neighbour that has one. The first of these is done in turn, by the host:
/// the order of the rows makes aggregates that fit together, and is the same everywhere. The lists of
/// neighbours come from a GPU in pieces, which are looked at while others come.
///
/// members: where given, a row takes the nearest free neighbours until there are so many, if it has enough of
/// them; after all rows had their turn, half of them are enough.
Aggregates aggregate(const StrongNeighbours& neighbours, int members = any_number);

/// Where the aggregates are: the means of their rows' coordinates, [aggregates, 3]; empty where these are.
std::vector<double> aggregate_coordinates(const Aggregates& aggregates, exec::View<const double> coordinates);

}  // namespace setka::solve
