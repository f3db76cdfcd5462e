// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_chunks.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_operator_kernel.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/solve/operator.hpp"

namespace setka::fem {

/// T'KT, never assembled: a product in two passes. First each element multiplies its own values, then each
/// unknown sums what its elements gave, in the order of a list: same bits at every run, without atomics. For
/// the time of a product it takes scratch memory, for 32 columns at most.
///
/// On a GPU that is one number for each row of each element and column. On the CPU the elements of a chunk
/// are summed in a cache (ElementChunks), and it is three numbers for each node that chunks share, once for
/// each of them, and column: 53 bytes a C3D8 and column in a large block, where one for each row are 192. The
/// bits do not depend on the number of threads, nor those of a column on the others.
class ElementOperator : public solve::Operator {
 public:
  static constexpr int most_columns = 32;  // at once; more are multiplied in turn

  const exec::Device& device() const final { return set_->device(); }
  std::int64_t rows() const final { return unknowns_->size(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const final;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const final;

 protected:
  /// Both on one device. The unknowns are those of a field of so many components at the set's nodes. On the
  /// CPU, for three components, chunks of so many nodes are made and multiply_chunk() is called; on a GPU,
  /// for other fields, and without that number, multiply().
  ElementOperator(std::shared_ptr<const ElementSet> set, std::shared_ptr<const DofMap> unknowns,
                  int components, std::optional<int> chunk_nodes);

  const ElementSet& set() const { return *set_; }

  /// values = K u element by element; values: element vectors, all groups.
  virtual void multiply(const exec::Stream& stream, const kernel::DofSource& u, int columns,
                        double* values) const = 0;

  /// on.y += K on.x for the elements of a chunk, on the CPU; called by many threads at once, where there are
  /// chunks.
  virtual void multiply_chunk(const ElementChunk& /*chunk*/, const ChunkVectors& /*on*/) const {}
  /// What a chunk will read first, to be asked for while the values of its nodes are picked, a line of 64
  /// bytes a node; null: nothing.
  virtual const double* to_prefetch(const ElementChunk& /*chunk*/) const { return nullptr; }

 private:
  void apply_panel(const exec::Stream& stream, exec::MultiView<const double> x,
                   exec::MultiView<double> y) const;
  void multiply_dofs(const exec::Stream& stream, const kernel::DofSource& u, const DofTarget& y) const;
  void multiply_chunks(const exec::Stream& stream, const kernel::DofSource& u, const DofTarget& y) const;

  std::shared_ptr<const ElementSet> set_;
  std::shared_ptr<const DofMap> unknowns_;
  std::unique_ptr<const ElementChunks> chunks_;
  std::vector<std::int32_t> idle_rows_;  // that fill blocks of unknowns; where there are chunks
};

/// How a product with stored matrices gets an element's values.
enum class ElementScheme {
  gather,   // picked by index inside the product
  scatter,  // expanded to an element vector first: three passes that each stream through memory
};

/// With stored matrices (stiffness or mass). Bytes an element of r rows and one column: 4 r (r + 1) to read
/// the triangle, 16 r for what it gives (written and read), 24 r more with the scatter scheme. C3D8, gather:
/// 2400 + 384; on the CPU, with partial sums of chunks instead, 2400 + 106.
class StoredElementOperator final : public ElementOperator {
 public:
  StoredElementOperator(std::shared_ptr<const ElementSet> set,
                        std::shared_ptr<const ElementMatrices> matrices,
                        std::shared_ptr<const DofMap> unknowns, ElementScheme scheme = ElementScheme::gather,
                        int chunk_nodes = ElementChunks::usual_nodes);

 private:
  void multiply(const exec::Stream& stream, const kernel::DofSource& u, int columns,
                double* values) const final;
  template <int components>
  void multiply_group(const exec::Stream& stream, const kernel::DofSource& u, int columns, std::size_t group,
                      double* values) const;
  void multiply_chunk(const ElementChunk& chunk, const ChunkVectors& on) const final;
  const double* to_prefetch(const ElementChunk& chunk) const final;

  std::shared_ptr<const ElementMatrices> matrices_;
  ElementScheme scheme_;
};

}  // namespace setka::fem
