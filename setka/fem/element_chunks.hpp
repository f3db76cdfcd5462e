// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/view.hpp"
#include "setka/fem/element_operator_kernel.hpp"
#include "setka/fem/element_set.hpp"

namespace setka::fem {

/// Neighbouring blocks of a group, and the nodes that they touch.
struct ElementChunk {
  std::size_t group = 0;
  std::int64_t first_block = 0;
  std::int64_t last_block = 0;     // one past it
  std::int64_t first_number = 0;   // in the table of its elements' nodes
  std::int64_t first_node = 0;     // in the list of nodes of all chunks
  std::int64_t first_partial = 0;  // among what chunks give to nodes that they share
  int nodes = 0;
  int own_nodes = 0;  // come first: those that no other chunk touches
};

/// Where values of degrees of freedom go: a vector of them all, or one of the unknowns.
struct DofTarget {
  exec::MultiView<double> y;
  const std::int32_t* unknown;  // [dofs], -1: nowhere; null: y has all degrees of freedom

  std::int64_t row(std::int64_t dof) const { return unknown == nullptr ? dof : unknown[dof]; }
};

/// What the elements of a chunk read and add to, by the chunk's own numbers of nodes. One column after the
/// other, so that products need know of one alone.
struct ChunkVectors {
  const std::uint16_t* node;  // [blocks of the chunk, nodes of an element, 32]
  const double* x;            // [columns, stride], within a column [nodes, 3]
  double* y;
  std::int64_t stride;
  int columns;
};

/// The elements of a set on the CPU in chunks, each so small that vectors of its nodes stay in the cache of a
/// core while its elements are multiplied. What a chunk gives to a node that others touch as well is a
/// partial sum; those of a node are added in the order of the chunks. Chunks do not depend on the number of
/// threads, so that no bit of a product does.
///
/// Bytes: 2 n an element of n nodes, 8 for each node of each chunk and 12 for each node that chunks share; 46
/// a C3D8 in a large block numbered layer by layer, where nearly every node is in two chunks. Made by one
/// thread, in the time of a few products.
class ElementChunks {
 public:
  /// Two vectors of 50 kB a column: a cache of 1 MB holds those of 8 columns.
  static constexpr int usual_nodes = 2048;

  /// A chunk ends before the block that would bring it beyond most_nodes, but has one block at least. The
  /// elements are those of a CPU.
  explicit ElementChunks(const ElementSet& set, int most_nodes = usual_nodes);

  /// The chunks of one of so many workers, the next ones in order; the work is shared out evenly.
  std::span<const ElementChunk> share(int worker, int workers) const;

  /// Doubles in a column of ChunkVectors, enough for each chunk.
  std::int64_t stride() const { return stride_; }
  std::int64_t partial_count() const { return static_cast<std::int64_t>(partial_.size()); }
  const std::uint16_t* numbers(const ElementChunk& chunk) const {
    return number_.data() + chunk.first_number;
  }

  /// x: [columns, stride], of the chunk's nodes. Meanwhile it asks the memory for a line of 64 bytes a node
  /// of what comes next, unless that is null.
  void gather(const ElementChunk& chunk, const kernel::DofSource& u, double* x, const double* next) const;

  /// From a chunk's [columns, stride]: rows of y for its own nodes, partial sums [partials, 3, columns] for
  /// the others.
  void scatter(const ElementChunk& chunk, const double* from, const DofTarget& y, double* partial) const;

  /// Rows of y for shared nodes, those of one of so many workers; nodes without elements are among them, with
  /// zero.
  void sum(int worker, int workers, const double* partial, const DofTarget& y) const;

 private:
  void cut(const ElementSet& set, int most_nodes);
  void share_nodes(std::int64_t node_count);
  void number_nodes(const ElementSet& set);
  std::span<const std::int32_t> nodes_of(const ElementChunk& chunk) const {
    return {node_.data() + chunk.first_node, static_cast<std::size_t>(chunk.nodes)};
  }

  std::vector<ElementChunk> chunks_;
  std::vector<double> work_{0};  // of the chunks before, one entry more than there are chunks
  std::int64_t stride_ = 0;
  std::vector<std::int32_t> node_;     // of chunk after chunk
  std::vector<std::uint16_t> number_;  // [blocks, nodes, 32] of chunk after chunk
  std::vector<std::int32_t> shared_node_;
  std::vector<std::int64_t> first_partial_;  // [shared nodes + 1]
  std::vector<std::int32_t> partial_;
};

}  // namespace setka::fem
