// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/solve/amg.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::modes {

/// Motions that may be free, [rows, count] row-major.
struct Motions {
  std::int64_t count = 0;
  std::vector<double> values;
};

/// The motions that multigrid is told of, for each part of the matrix that hangs together by its blocks: what
/// bodies that do not touch move by on their own. Block rows without neighbours, as prescribed values leave
/// them, are no parts. Where that makes more than `most` motions, they are those of the whole.
Motions motions_of_parts(const sparse::BlockCsr<double>& k, const solve::AmgGeometry& geometry,
                         std::int64_t most);

}  // namespace setka::modes
