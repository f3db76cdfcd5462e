// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// Groups of neighbouring block rows, each to become one block row of a coarser level.
struct Aggregates {
  std::int32_t count = 0;
  std::vector<std::int32_t> of;  // [block rows]; -1: coupled to nothing, left to the smoother
};

/// Vanek's greedy aggregation: a row whose strong neighbours are all free makes an aggregate with them; rows
/// that are left join the nearest neighbour that has one. Rows i and j are strong neighbours when A has their
/// block and their distance is at most `reach` times that to the nearest neighbour of i or of j: so thin
/// elements are coarsened across their thickness first. coordinates: [block rows, 3]; empty: all neighbours
/// are strong.
Aggregates aggregate(const sparse::BlockCsr<double>& host_matrix, const std::vector<double>& coordinates,
                     double reach);

/// Where the aggregates are: the means of their rows' coordinates, [aggregates, 3].
std::vector<double> aggregate_coordinates(const Aggregates& aggregates,
                                          const std::vector<double>& coordinates);

}  // namespace setka::solve
