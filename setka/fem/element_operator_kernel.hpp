// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/dof_map_kernel.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/elements.hpp"

/// Products element by element: values of unknowns picked for each element, and sums of what the elements
/// give. Element vectors are [blocks, rows, 32, columns] a group.
namespace setka::fem::kernel {

/// Displacements of all degrees of freedom, of which there is a vector or an index into one.
struct DofSource {
  exec::MultiView<const double> x;
  const std::int32_t* unknown;  // [dofs], -1 where the value is zero; null: x has all degrees of freedom

  SETKA_HD double operator()(std::int64_t dof, std::int64_t column) const {
    if (unknown == nullptr) return x(dof, column);
    const std::int32_t q = unknown[dof];
    return q < 0 ? 0.0 : x(q, column);
  }
};

/// Row i of an element, picked from the vector.
template <int components>
struct GatheredRows {
  const std::int32_t* node;  // [blocks, nodes, 32]
  int nodes;
  DofSource u;

  SETKA_HD double operator()(std::int64_t block, int i, int lane, std::int64_t column) const {
    return u(
        components * std::int64_t{node[interleaved(block, nodes, i / components, lane)]} + i % components,
        column);
  }
};

/// Row i of an element, from an element vector.
struct ExpandedRows {
  const double* values;
  int rows;
  std::int64_t columns;

  SETKA_HD double operator()(std::int64_t block, int i, int lane, std::int64_t column) const {
    return values[interleaved(block, rows, i, lane) * columns + column];
  }
};

/// Writes an element vector from the unknowns: the expansion of the scatter scheme.
template <int components>
struct ExpandToElements {
  GatheredRows<components> from;
  std::int64_t columns;
  RowAndColumn split;
  double* values;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t place = split.row(i);
    const std::int64_t column = split.column(i);
    if (column >= columns) return;
    const int rows = components * from.nodes;
    const std::int64_t row = place / block_lanes;
    values[place * columns + column] =
        from(row / rows, static_cast<int>(row % rows), static_cast<int>(place % block_lanes), column);
  }
};

/// y = sums over elements, for each row of y in the order of its node's list: v = C' v~.
template <int components>
struct SumOverElements {
  const std::int64_t* first_of_node;  // [nodes + 1]
  const std::int32_t* slot;
  const std::int32_t* dof;  // [rows of y] degree of freedom of the row, -1: none; null: the row itself
  const double* values;
  exec::MultiView<double> y;
  RowAndColumn split;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t row = split.row(i);
    const std::int64_t column = split.column(i);
    if (column >= y.columns) return;
    const std::int64_t own = dof == nullptr ? row : dof[row];
    if (own < 0) {
      y(row, column) = 0;
      return;
    }
    const std::int64_t node = own / components;
    const auto component = static_cast<int>(own % components);
    double sum = 0;
    for (std::int64_t k = first_of_node[node]; k < first_of_node[node + 1]; ++k)
      sum += values[slot_row(slot[k], components, component) * y.columns + column];
    y(row, column) = sum;
  }
};

}  // namespace setka::fem::kernel

namespace setka::fem::cuda {

/// values = K u for the stored triangles of elements; defined in element_operator.cu. u: null: values has
/// what the elements multiply, and the product takes its place.
void multiply_stored(const exec::Stream& stream, Element element, int components, std::int64_t blocks,
                     const std::int32_t* node, const kernel::DofSource* u, const double* k, int columns,
                     double* values);

/// values = K u without stored matrices; defined in element_matrix_free.cu.
void multiply_matrix_free(const exec::Stream& stream, Element element, const ElementGroupView& group,
                          const kernel::DofSource& u, int columns, double* values);

}  // namespace setka::fem::cuda
