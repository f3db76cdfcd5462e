// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_diagonal_kernel.hpp"
#include "setka/fem/element_fields.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"

/// What Jacobi's preconditioners need of an operator that is not assembled. Solids alone; sums in a fixed
/// order; on a GPU they return before the work is done.
namespace setka::fem {

/// Whether set, matrices, and unknowns fit each other and the stream; `what` begins the Errors.
void check_fit(const char* what, const exec::Stream& stream, const ElementSet& set,
               const ElementMatrices& matrices, const DofMap& unknowns);

/// How kernels find the stored matrices of the elements that a node has; matrices: null: who its elements
/// are.
template <int components>
kernel::MatrixPlaces<components> matrix_places(const ElementSet& set, const ElementMatrices* matrices) {
  kernel::MatrixPlaces<components> places{};
  places.groups = static_cast<int>(set.groups().size());
  places.first_of_node = set.first_of_node().data;
  places.slot = set.slot().data;
  for (std::size_t g = 0; g < set.groups().size(); ++g) {
    const ElementGroup& group = set.groups()[g];
    places.group[g] = {set.first_slot(g),
                       group.nodes(),
                       set.view(g).node,
                       matrices == nullptr ? nullptr : matrices->group(g).data,
                       0,
                       matrices == nullptr ? 0 : group.blocks()};
  }
  return places;
}

/// The same of the matrices of a range alone.
template <int components>
kernel::MatrixPlaces<components> matrix_places(const ElementSet& set, const Form::Range& range) {
  kernel::MatrixPlaces<components> places = matrix_places<components>(set, nullptr);
  places.group[range.group].k = range.k;
  places.group[range.group].first_block = range.first_block;
  places.group[range.group].last_block = range.first_block + range.count;
  return places;
}

/// d: [unknowns / block, block, block], the diagonal blocks of T'KT; of 1 its diagonal. Places that no
/// unknown has get zeros.
void diagonal(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
              const DofMap& unknowns, exec::View<double> d, int block = 1);

/// The same of a form, whose matrices are integrated in ranges of so many bytes.
void diagonal(const exec::Stream& stream, const Form& form, const DofMap& unknowns, exec::View<double> d,
              int block, std::int64_t bytes_at_once);

/// blocks: [nodes, components, components], what K has on each node; rows and columns of degrees of freedom
/// that are no unknowns are those of the identity. For constraints that pick unknowns; Error(Fault::usage)
/// otherwise.
void node_blocks(const exec::Stream& stream, const ElementSet& set, const ElementMatrices& matrices,
                 const DofMap& unknowns, exec::View<double> blocks);

}  // namespace setka::fem
