// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/fem/space.hpp"

/// Which rows of a matrix an element reaches: what the pattern of T'KT follows from.
namespace setka::fem {

/// The blocks of unknowns that each element touches, ascending: element e has index[first[e] .. first[e +
/// 1]).
struct TouchedBlocks {
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> index;

  explicit TouchedBlocks(const Space& space);
  std::span<const std::int32_t> of(std::size_t e) const {
    return {index.data() + first[e], static_cast<std::size_t>(first[e + 1] - first[e])};
  }
};

/// The elements that touch each block, ascending: block b has element[first[b] .. first[b + 1]).
struct TouchingElements {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> element;

  TouchingElements(const TouchedBlocks& touched, std::size_t blocks);
  std::span<const std::int32_t> of(std::size_t b) const {
    return {element.data() + first[b], static_cast<std::size_t>(first[b + 1] - first[b])};
  }
};

/// The matrix of a space before it is made.
struct PatternSize {
  std::int64_t rows = 0;            // of blocks
  std::int64_t blocks = 0;          // of the matrix, exactly those that assemble() makes
  std::int64_t entries = 0;         // values of them
  double pairs = 0;                 // of blocks that elements touch together: what an assembly adds up
  std::vector<std::int32_t> width;  // [rows] unknowns of each block

  /// Neighbours of a block that come after it, and itself; where they were asked for.
  std::vector<std::int64_t> offset;
  std::vector<std::int32_t> later;
};

/// One pass over the elements and one over the rows, without sorting: a quarter of a second for a million
/// nodes. with_graph: with offset and later, ascending.
PatternSize size_of_pattern(const Space& space, const exec::Device& cpu, bool with_graph = false);

}  // namespace setka::fem
