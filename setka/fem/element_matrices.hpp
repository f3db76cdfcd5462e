// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_set.hpp"

namespace setka::fem {

/// The upper triangles of the element matrices of a set, row by row, on its device: [blocks, entries, 32] for
/// each group, entry triangle_entry(rows, i, j) of 32 neighbouring elements together. The last block of a
/// group is filled up with copies of its last element. 2400 bytes a C3D8.
class ElementMatrices {
 public:
  /// For a field of so many components: 1, or as many as the elements have dimensions (displacements), which
  /// is meant where none are given. Error(Fault::usage) otherwise.
  explicit ElementMatrices(const ElementSet& set);
  ElementMatrices(const ElementSet& set, int components);

  int components() const { return components_; }
  std::size_t group_count() const { return values_.size(); }
  exec::View<double> group(std::size_t g) { return values_[g]; }
  exec::View<const double> group(std::size_t g) const { return values_[g]; }
  std::size_t bytes() const;

  /// Whether they have the groups and sizes of this set.
  bool fit(const ElementSet& set) const;

 private:
  int components_;
  std::vector<exec::Array<double>> values_;
};

/// How a GPU shares out the integration of hex8 and quad4; the other elements know `best` alone, and so
/// does the CPU.
enum class IntegrationLevel {
  best,
  thread_per_element,  // I: one thread computes an element
  thread_per_point,  // II: a block of threads an element, one thread a point, pairwise sums in shared memory
  shared_blocks,     // IIa: as II, but a block of 32 threads serves 4 hexahedra or 8 quadrilaterals
};

}  // namespace setka::fem
