// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_diagonal_kernel.hpp"

namespace setka::fem::kernel {

/// Nodes that have unknowns, their elements, and their blocks in the matrix.
struct NodesAndBlocks {
  MatrixPlaces<1> places;     // without matrices: who is with whom is the same for any field
  const std::int32_t* block;  // [nodes], -1: no unknowns
  const std::int32_t* node;   // [blocks]
};

/// The element matrices of the nodes that blocks are of.
template <int components>
struct MatrixNodes {
  MatrixPlaces<components> places;
  const std::int32_t* node;  // [blocks]
};

inline constexpr std::int32_t no_block = 0x7FFFFFFF;

/// The blocks that share an element with a block, ascending: the least one beyond the last, again and again.
/// Slower than sorting them, but it needs no room that depends on the mesh.
SETKA_HD inline std::int32_t next_neighbour(const NodesAndBlocks& nodes, std::int64_t row,
                                            std::int32_t last) {
  std::int32_t next = no_block;
  const std::int64_t node = nodes.node[row];
  for (std::int64_t k = nodes.places.first_of_node[node]; k < nodes.places.first_of_node[node + 1]; ++k) {
    const auto own = nodes.places.element(k);
    for (int b = 0; b < own.group->nodes; ++b) {
      const std::int32_t found = nodes.block[own.node(b)];
      if (found > last && found < next) next = found;
    }
  }
  return next;
}

struct CountNeighbours {
  NodesAndBlocks nodes;
  std::int64_t* count;

  SETKA_HD void operator()(std::int64_t row) const {
    std::int64_t found = 0;
    for (std::int32_t next = next_neighbour(nodes, row, -1); next != no_block;
         next = next_neighbour(nodes, row, next))
      ++found;
    count[row] = found;
  }
};

struct ListNeighbours {
  NodesAndBlocks nodes;
  const std::int64_t* first;
  std::int32_t* column;
  std::int32_t* row_of;

  SETKA_HD void operator()(std::int64_t row) const {
    std::int64_t at = first[row];
    for (std::int32_t next = next_neighbour(nodes, row, -1); next != no_block;
         next = next_neighbour(nodes, row, next)) {
      column[at] = next;
      row_of[at++] = static_cast<std::int32_t>(row);
    }
  }
};

struct NarrowOffsets {
  const std::int64_t* from;
  std::int32_t* to;
  SETKA_HD void operator()(std::int64_t i) const { to[i] = static_cast<std::int32_t>(from[i]); }
};

/// Adds to one block of the matrix what every element with both nodes, whose matrix is there, has for them,
/// in the order of the first one's list. Places of degrees of freedom that are no unknowns stay zero.
template <int components>
struct AssembleBlock {
  MatrixNodes<components> nodes;
  const std::int32_t* unknown;  // [dofs], -1: none
  const std::int32_t* offset;
  const std::int32_t* column;
  const std::int32_t* row_of;
  double* value;

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int32_t row = row_of[at];
    const std::int64_t node = nodes.node[row];
    const std::int64_t other = nodes.node[column[at]];
    const std::int64_t begin = offset[row];
    const std::int64_t width = components * (offset[row + 1] - begin);
    double* const out = value + std::int64_t{components} * components * begin + components * (at - begin);
    double sum[components][components];
    bool met = false;  // an element whose matrix is there
    for (std::int64_t k = nodes.places.first_of_node[node]; k < nodes.places.first_of_node[node + 1]; ++k) {
      const auto own = nodes.places.element(k);
      if (!own.present()) continue;
      if (!met) {
        for (int c = 0; c < components; ++c) {
          for (int r = 0; r < components; ++r) sum[c][r] = out[c * width + r];
        }
        met = true;
      }
      for (int b = 0; b < own.group->nodes; ++b) {
        if (own.node(b) != other) continue;
        for (int c = 0; c < components; ++c) {
          for (int r = 0; r < components; ++r) sum[c][r] += own.entry(own.row + c, components * b + r);
        }
      }
    }
    if (!met) return;
    for (int c = 0; c < components; ++c) {
      for (int r = 0; r < components; ++r) {
        const bool free = unknown[components * node + c] >= 0 && unknown[components * other + r] >= 0;
        out[c * width + r] = free ? sum[c][r] : 0.0;
      }
    }
  }
};

/// Adds T'Kg: the forces of prescribed displacements on the unknowns of a block.
template <int components>
struct ForcesOfShifts {
  MatrixNodes<components> nodes;
  const std::int32_t* unknown;
  const double* shift;  // [dofs]
  double* force;        // [blocks, components]

  SETKA_HD void operator()(std::int64_t row) const {
    const std::int64_t node = nodes.node[row];
    double sum[components];
    for (int c = 0; c < components; ++c) sum[c] = force[components * row + c];
    for (std::int64_t k = nodes.places.first_of_node[node]; k < nodes.places.first_of_node[node + 1]; ++k) {
      const auto own = nodes.places.element(k);
      if (!own.present()) continue;
      for (int j = 0; j < own.rows(); ++j) {
        const double g = shift[own.dof(j)];
        if (g == 0) continue;
        for (int c = 0; c < components; ++c) sum[c] += own.entry(own.row + c, j) * g;
      }
    }
    for (int c = 0; c < components; ++c)
      force[components * row + c] = unknown[components * node + c] >= 0 ? sum[c] : 0.0;
  }
};

}  // namespace setka::fem::kernel
