// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/solve/detail/front_tree.hpp"

namespace setka::solve::detail {

/// Whether there is a BLAS to solve with.
bool can_solve_fronts();

/// X becomes A^-1 X by the fronts of a factor; rows in its order, columns one after the other: x [columns,
/// rows]. Subtrees are computed side by side by so many threads, the fronts above them in tiles. What is
/// computed does not depend on the number of threads. Value: double or float.
///
/// Reads the factor twice: 16 bytes, or 8, and 4 flops for each of its entries and columns.
template <class Value>
void solve_fronts(const FrontTree& tree, const Value* factor, Value* x, std::int64_t columns, int threads);

}  // namespace setka::solve::detail
