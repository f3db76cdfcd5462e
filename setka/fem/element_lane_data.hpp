// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/element_lanes.hpp"

/// What eight elements of a block have, for host loops over elements.
namespace setka::fem {

/// Lanes first .. first + 7 of a block.
struct LaneRange {
  std::int64_t block;
  int first;
};

/// body(lanes) for all parts of eight elements, blocks shared out over the team.
template <class Body>
void for_lanes(const exec::Stream& stream, std::int64_t blocks, const Body& body) {
  exec::host::for_each(stream.device().threads(), blocks, 1, [&](std::int64_t block) {
    for (int first = 0; first < block_lanes; first += Lanes::count) body(LaneRange{block, first});
  });
}

/// x: [nodes, dimension]
template <int nodes, int dimension = 3>
inline void load_coordinates(const ElementGroupView& group, LaneRange at, Lanes* x) {
  for (int i = 0; i < nodes; ++i) {
    const std::int32_t* const node = group.node + interleaved(at.block, nodes, i, at.first);
    for (int l = 0; l < Lanes::count; ++l) {
      const double* const from = group.coordinates + 3 * std::int64_t{node[l]};
      for (int c = 0; c < dimension; ++c) x[dimension * i + c].set(l, from[c]);
    }
  }
}

/// Of a table of materials with so many values each.
inline void load_material(const ElementGroupView& group, LaneRange at, const double* table, int width,
                          Lanes* values) {
  const std::int32_t* const material = group.material + interleaved(at.block, 1, 0, at.first);
  for (int i = 0; i < width; ++i) {
    for (int l = 0; l < Lanes::count; ++l) values[i].set(l, table[std::int64_t{material[l]} * width + i]);
  }
}

/// The three values of eight nodes each, from: [nodes, 3].
[[gnu::always_inline]] inline void load_nodes(const std::uint16_t* node, const double* from, Lanes* values) {
  for (int l = 0; l < Lanes::count; ++l) {
    const double* const own = from + 3 * std::ptrdiff_t{node[l]};
    for (int c = 0; c < 3; ++c) values[c].set(l, own[c]);
  }
}

/// Adds them, one lane after the other: several may have the same node.
[[gnu::always_inline]] inline void add_to_nodes(const std::uint16_t* node, const Lanes* values, double* to) {
  for (int l = 0; l < Lanes::count; ++l) {
    double* const own = to + 3 * std::ptrdiff_t{node[l]};
    for (int c = 0; c < 3; ++c) own[c] += values[c][l];
  }
}

}  // namespace setka::fem
