// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/dof_map_kernel.hpp"
#include "setka/fem/element_group_kernel.hpp"

namespace setka::fem {

/// Symmetric matrices of one order with their index vectors, in blocks of 32 as element_group_kernel.hpp has
/// them; in the memory of a device. Places that fill the last block have the index -1 and finite entries.
struct PackedElements {
  int rows = 0;                         // l, of each matrix
  std::int64_t blocks = 0;              // of 32 elements
  const std::int32_t* index = nullptr;  // [blocks, rows, 32] row of X; -1: held, counts as zero
  const double* triangle = nullptr;     // [blocks, entries, 32] upper triangles row by row

  SETKA_HD PackedElements part(std::int64_t first, std::int64_t count) const {
    return {rows, count, index + first * rows * block_lanes,
            triangle + first * triangle_size(rows) * block_lanes};
  }
};

namespace kernel {

/// How the fused kernel of a GPU shares elements out; 0: what was found best.
struct FusedTuning {
  int warps = 0;     // a block of threads: 2, 4 or 8
  int elements = 0;  // whose triangles are in shared memory at a time, twice: 4, 8, 16 or 32
};

/// Index vectors of a group from its nodes; of the places that fill the last block they are -1.
struct IndexElements {
  const std::int32_t* node;  // [blocks, nodes, 32]
  int nodes;
  int rows;
  std::int64_t size;            // elements
  const std::int32_t* unknown;  // [dofs]; null: the degree of freedom itself
  std::int32_t* index;          // [blocks, rows, 32]

  SETKA_HD void operator()(std::int64_t i) const {
    const auto lane = static_cast<int>(i % block_lanes);
    const std::int64_t block = i / block_lanes / rows;
    const auto row = static_cast<int>(i / block_lanes % rows);
    const int directions = rows / nodes;
    const std::int32_t dof =
        directions * node[interleaved(block, nodes, row / directions, lane)] + row % directions;
    index[i] = block * block_lanes + lane >= size ? -1 : unknown == nullptr ? dof : unknown[dof];
  }
};

/// Rows of X for each row of each element, [blocks, rows, 32, columns].
struct GatherProjected {
  const std::int32_t* index;
  exec::MultiView<const double> x;
  RowAndColumn split;
  double* gathered;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t place = split.row(i);
    const std::int64_t column = split.column(i);
    if (column >= x.columns) return;
    const std::int32_t q = index[place];
    gathered[place * x.columns + column] = q < 0 ? 0.0 : x(q, column);
  }
};

/// Y_i = L_i X_i, both [blocks, rows, 32, columns].
struct MultiplyGathered {
  const double* triangle;
  int rows;
  std::int64_t columns;
  RowAndColumn split;
  const double* gathered;
  double* product;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t place = split.row(i);
    const std::int64_t column = split.column(i);
    if (column >= columns) return;
    const auto lane = static_cast<int>(place % block_lanes);
    const std::int64_t block = place / block_lanes / rows;
    const auto row = static_cast<int>(place / block_lanes % rows);
    const double* const own = triangle + interleaved(block, triangle_size(rows), 0, lane);
    const double* const from = gathered + interleaved(block, rows, 0, lane) * columns + column;
    double sum = 0;
    for (int j = 0; j < rows; ++j) {
      const int entry = j < row ? triangle_entry(rows, j, row) : triangle_entry(rows, row, j);
      sum += own[std::int64_t{entry} * block_lanes] * from[std::int64_t{j} * block_lanes * columns];
    }
    product[place * columns + column] = sum;
  }
};

struct ClearSquare {
  exec::MultiView<double> s;

  SETKA_HD void operator()(std::int64_t i) const { s(i / s.columns, i % s.columns) = 0; }
};

}  // namespace kernel

namespace cuda {

/// Orders up to this are projected by the fused kernel.
inline constexpr int most_fused_rows = 64;

/// S += X'KX on the matrix instructions of double precision; defined in element_projection.cu.
void add_fused_projection(const exec::Stream& stream, const PackedElements& elements,
                          exec::MultiView<const double> x, exec::MultiView<double> s,
                          const kernel::FusedTuning& tuning);

}  // namespace cuda
}  // namespace setka::fem
