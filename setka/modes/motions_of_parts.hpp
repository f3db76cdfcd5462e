// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/solve/amg.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::modes {

/// Motions that may be free, [rows, count] row-major.
struct Motions {
  std::int64_t count = 0;
  std::vector<double> values;
};

/// Of each block row the part of the matrix that hangs together by its blocks, from 0 on. Block rows without
/// neighbours, as prescribed values leave them, are of no part: -1.
std::vector<std::int32_t> parts_of(const sparse::BlockCsr<double>& k);

/// The motions that multigrid is told of, for each part: what bodies that do not touch move by on their own.
/// part: of each block of rows, -1: none. Where that makes more than `most` motions, they are those of the
/// whole.
Motions motions_of_parts(std::span<const std::int32_t> part, const solve::AmgGeometry& geometry,
                         std::int64_t most);

}  // namespace setka::modes
