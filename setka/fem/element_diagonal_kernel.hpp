// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/fem/dof_map_kernel.hpp"
#include "setka/fem/element_group_kernel.hpp"

namespace setka::fem::kernel {

/// The stored matrices of all groups, for a field of so many components a node, found by slots of nodes.
template <int components>
struct MatrixPlaces {
  struct Group {
    std::int64_t first_slot;
    int nodes;
    const std::int32_t* node;
    const double* k;           // from first_block on
    std::int64_t first_block;  // of those whose matrices are there
    std::int64_t last_block;   // one past it
  };
  Group group[max_groups];
  int groups;
  const std::int64_t* first_of_node;  // [nodes + 1]
  const std::int32_t* slot;

  /// One element as one of its nodes sees it.
  struct Element {
    const Group* group;
    std::int64_t block;
    int lane;
    int row;  // of the node's first component

    /// Whether its matrix is there.
    SETKA_HD bool present() const { return block >= group->first_block && block < group->last_block; }
    SETKA_HD int rows() const { return components * group->nodes; }
    SETKA_HD double entry(int i, int j) const {
      const int at = i <= j ? triangle_entry(rows(), i, j) : triangle_entry(rows(), j, i);
      return group->k[interleaved(block - group->first_block, triangle_size(rows()), at, lane)];
    }
    SETKA_HD std::int64_t node(int i) const { return group->node[interleaved(block, group->nodes, i, lane)]; }
    SETKA_HD std::int64_t dof(int i) const { return components * node(i / components) + i % components; }
  };

  SETKA_HD Element element(std::int64_t k) const {
    int g = groups - 1;
    while (group[g].first_slot > slot[k]) --g;
    const std::int64_t own = slot[k] - group[g].first_slot;
    const std::int64_t node = own / block_lanes;
    return {&group[g], node / group[g].nodes, static_cast<int>(own % block_lanes),
            components * static_cast<int>(node % group[g].nodes)};
  }

  /// K of a node's components c and r, of the elements whose matrices are there.
  SETKA_HD double node_entry(std::int64_t node, int c, int r) const {
    double sum = 0;
    for (std::int64_t k = first_of_node[node]; k < first_of_node[node + 1]; ++k) {
      const Element own = element(k);
      if (own.present()) sum += own.entry(own.row + c, own.row + r);
    }
    return sum;
  }
};

/// Row and column of entry `at` of diagonal blocks [rows / block, block, block].
struct DiagonalPlace {
  std::int64_t row;
  std::int64_t column;

  SETKA_HD DiagonalPlace(std::int64_t at, int block)
      : row(at / block), column(row / block * block + at % block) {}
};

/// Adds to diagonal blocks what the matrices have that are there, where T picks unknowns.
template <int components>
struct PickedDiagonal {
  MatrixPlaces<components> places;
  const std::int32_t* dof;  // -1: a place that no unknown has
  int block;
  double* d;

  SETKA_HD void operator()(std::int64_t at) const {
    const DiagonalPlace place(at, block);
    const std::int32_t row = dof[place.row];
    const std::int32_t column = dof[place.column];
    if (row < 0 || column < 0) return;
    if (row / components == column / components) {
      d[at] += places.node_entry(row / components, row % components, column % components);
      return;
    }
    double sum = 0;  // of two nodes: what elements have that have both
    const std::int64_t node = row / components;
    for (std::int64_t k = places.first_of_node[node]; k < places.first_of_node[node + 1]; ++k) {
      const auto own = places.element(k);
      if (!own.present()) continue;
      for (int j = 0; j < own.rows(); ++j)
        sum += own.dof(j) == column ? own.entry(own.row + row % components, j) : 0.0;
    }
    d[at] += sum;
  }
};

/// The same for any T: for each degree of freedom in the row's column of T, its row of every element
/// that has it, with what the other column of T has in the element.
template <int components>
struct GeneralDiagonal {
  MatrixPlaces<components> places;
  SparseView rows;     // of T
  SparseView columns;  // of T
  int block;
  double* d;

  SETKA_HD double coefficient(std::int64_t dof, std::int64_t q) const {
    double sum = 0;
    for (std::int64_t k = rows.first[dof]; k < rows.first[dof + 1]; ++k)
      sum += rows.index[k] == q ? rows.coefficient[k] : 0.0;
    return sum;
  }

  SETKA_HD void operator()(std::int64_t at) const {
    const DiagonalPlace place(at, block);
    double sum = 0;
    for (std::int64_t t = columns.first[place.row]; t < columns.first[place.row + 1]; ++t) {
      const std::int64_t node = columns.index[t] / components;
      const int c = columns.index[t] % components;
      for (std::int64_t k = places.first_of_node[node]; k < places.first_of_node[node + 1]; ++k) {
        const auto own = places.element(k);
        if (!own.present()) continue;
        double product = 0;
        for (int j = 0; j < own.rows(); ++j) {
          const double factor = coefficient(own.dof(j), place.column);
          if (factor != 0) product += own.entry(own.row + c, j) * factor;
        }
        sum += columns.coefficient[t] * product;
      }
    }
    d[at] += sum;
  }
};

template <int components>
struct NodeBlocks {
  MatrixPlaces<components> places;
  const std::int32_t* unknown;
  double* blocks;  // [nodes, components, components]

  SETKA_HD void operator()(std::int64_t i) const {
    constexpr int entries = components * components;
    const std::int64_t node = i / entries;
    const int c = static_cast<int>(i % entries) / components;
    const int r = static_cast<int>(i % components);
    const bool free = unknown[components * node + c] >= 0 && unknown[components * node + r] >= 0;
    blocks[i] = free ? places.node_entry(node, c, r) : (c == r ? 1.0 : 0.0);
  }
};

}  // namespace setka::fem::kernel
