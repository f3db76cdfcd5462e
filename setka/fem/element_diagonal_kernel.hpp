// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/fem/dof_map_kernel.hpp"
#include "setka/fem/element_group_kernel.hpp"

namespace setka::fem::kernel {

/// The stored matrices of all groups, found by places in element vectors.
struct MatrixPlaces {
  struct Group {
    std::int64_t first_row;
    int nodes;
    const std::int32_t* node;
    const double* k;
  };
  static constexpr int most_groups = 9;  // as many as there are solids

  Group group[most_groups];
  int groups;
  const std::int64_t* first_place;  // [nodes + 1]
  const std::int32_t* place;

  /// One element as one of its nodes sees it.
  struct Element {
    const Group* group;
    std::int64_t block;
    int lane;
    int row;  // of the node's first direction

    SETKA_HD int rows() const { return 3 * group->nodes; }
    SETKA_HD double entry(int i, int j) const {
      const int at = i <= j ? triangle_entry(rows(), i, j) : triangle_entry(rows(), j, i);
      return group->k[interleaved(block, triangle_size(rows()), at, lane)];
    }
    SETKA_HD std::int64_t dof(int i) const {
      return 3 * std::int64_t{group->node[interleaved(block, group->nodes, i / 3, lane)]} + i % 3;
    }
  };

  SETKA_HD Element element(std::int64_t k) const {
    int g = groups - 1;
    while (group[g].first_row > place[k]) --g;
    const std::int64_t own = place[k] - group[g].first_row;
    const std::int64_t row = own / block_lanes;
    const int rows = 3 * group[g].nodes;
    return {&group[g], row / rows, static_cast<int>(own % block_lanes), static_cast<int>(row % rows)};
  }

  /// K of a node's directions c and r.
  SETKA_HD double node_entry(std::int64_t node, int c, int r) const {
    double sum = 0;
    for (std::int64_t k = first_place[node]; k < first_place[node + 1]; ++k) {
      const Element own = element(k);
      sum += own.entry(own.row + c, own.row + r);
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

/// Diagonal blocks where T picks unknowns.
struct PickedDiagonal {
  MatrixPlaces places;
  const std::int32_t* dof;  // -1: a place that no unknown has
  int block;
  double* d;

  SETKA_HD void operator()(std::int64_t at) const {
    const DiagonalPlace place(at, block);
    const std::int32_t row = dof[place.row];
    const std::int32_t column = dof[place.column];
    if (row < 0 || column < 0) {
      d[at] = 0;
      return;
    }
    if (row / 3 == column / 3) {
      d[at] = places.node_entry(row / 3, row % 3, column % 3);
      return;
    }
    double sum = 0;  // of two nodes: what elements have that have both
    const std::int64_t node = row / 3;
    for (std::int64_t k = places.first_place[node]; k < places.first_place[node + 1]; ++k) {
      const MatrixPlaces::Element own = places.element(k);
      for (int j = 0; j < own.rows(); ++j)
        sum += own.dof(j) == column ? own.entry(own.row + row % 3, j) : 0.0;
    }
    d[at] = sum;
  }
};

/// Diagonal blocks for any T: for each degree of freedom in the row's column of T, its row of every element
/// that has it, with what the other column of T has in the element.
struct GeneralDiagonal {
  MatrixPlaces places;
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
      const std::int64_t node = columns.index[t] / 3;
      const int c = columns.index[t] % 3;
      for (std::int64_t k = places.first_place[node]; k < places.first_place[node + 1]; ++k) {
        const MatrixPlaces::Element own = places.element(k);
        double product = 0;
        for (int j = 0; j < own.rows(); ++j) {
          const double factor = coefficient(own.dof(j), place.column);
          if (factor != 0) product += own.entry(own.row + c, j) * factor;
        }
        sum += columns.coefficient[t] * product;
      }
    }
    d[at] = sum;
  }
};

struct NodeBlocks {
  MatrixPlaces places;
  const std::int32_t* unknown;
  double* blocks;  // [nodes, 3, 3]

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t node = i / 9;
    const int c = static_cast<int>(i % 9) / 3;
    const int r = static_cast<int>(i % 3);
    const bool free = unknown[3 * node + c] >= 0 && unknown[3 * node + r] >= 0;
    blocks[i] = free ? places.node_entry(node, c, r) : (c == r ? 1.0 : 0.0);
  }
};

}  // namespace setka::fem::kernel
