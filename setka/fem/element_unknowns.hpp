// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/block_numbering.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/element_unknowns_kernel.hpp"

namespace setka::fem {

/// T of u = T q + g on a device: what element operators know of constraints. Degree of freedom 3 i + c is
/// direction c of node i.
///
/// Where T only picks unknowns, every row none or one and every unknown once, operators read and write q in
/// place through index vectors. Otherwise (equations, local axes) they work on all degrees of freedom between
/// a sparse product with T and one with T'. Sums have a fixed order either way.
class ElementUnknowns {
 public:
  ElementUnknowns(const exec::Device& device, const Constraints& constraints);

  /// With the unknowns where they stand in vectors of blocks; the places that fill the blocks give zero.
  ElementUnknowns(const exec::Device& device, const Constraints& constraints,
                  const BlockNumbering& numbering);

  const exec::Device& device() const { return unknown_.device(); }
  std::int64_t dof_count() const { return dofs_; }
  std::int64_t unknown_count() const { return unknowns_; }
  bool picks() const { return picks_; }

  /// Where T picks: the unknown of each degree of freedom, -1 where it has none, and back (-1 at a place that
  /// fills a block). Empty otherwise.
  exec::View<const std::int32_t> unknown() const { return unknown_; }
  exec::View<const std::int32_t> dof() const { return dof_; }

  /// Rows of T and of T', their entries in ascending order.
  kernel::SparseView rows() const { return {first_.data(), index_.data(), coefficient_.data()}; }
  kernel::SparseView columns() const {
    return {column_first_.data(), column_index_.data(), column_coefficient_.data()};
  }

  /// u = T x (without g) and y = T' f, for every column; on a GPU they return before the work is done.
  void expand(const exec::Stream& stream, exec::MultiView<const double> x, exec::MultiView<double> u) const;
  void restrict_forces(const exec::Stream& stream, exec::MultiView<const double> f,
                       exec::MultiView<double> y) const;

 private:
  ElementUnknowns(const exec::Device& device, const Constraints& constraints, std::int64_t size,
                  std::span<const std::int32_t> place);

  std::int64_t dofs_;
  std::int64_t unknowns_;
  bool picks_ = true;
  exec::Array<std::int32_t> unknown_;
  exec::Array<std::int32_t> dof_;
  exec::Array<std::int64_t> first_;
  exec::Array<std::int32_t> index_;
  exec::Array<double> coefficient_;
  exec::Array<std::int64_t> column_first_;
  exec::Array<std::int32_t> column_index_;
  exec::Array<double> column_coefficient_;
};

}  // namespace setka::fem
