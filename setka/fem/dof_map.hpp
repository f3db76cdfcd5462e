// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/dof_map_kernel.hpp"
#include "setka/fem/space.hpp"

namespace setka::fem {

/// The space on a device: what element operators know of u = T q + g, and of where unknowns stand in vectors.
///
/// Where T only picks unknowns, every row none or one and every unknown once, operators read and write q in
/// place through index vectors. Otherwise (equations, local axes) they work on all degrees of freedom between
/// a sparse product with T and one with T'. Sums have a fixed order either way.
class DofMap {
 public:
  DofMap(const exec::Device& device, const Space& space);

  const exec::Device& device() const { return place_.device(); }
  const Space& space() const { return space_; }
  int components() const { return space_.components(); }
  std::int64_t dof_count() const { return space_.constraints().dof_count(); }
  std::int64_t size() const { return space_.size(); }  // of vectors; places that fill blocks give zero
  bool picks() const { return space_.picks(); }

  /// Where T picks: the place of each degree of freedom, -1 where it is no unknown, and back (-1 at a place
  /// that fills a block). Empty otherwise.
  exec::View<const std::int32_t> place() const { return place_; }
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
  Space space_;
  exec::Array<std::int32_t> place_;
  exec::Array<std::int32_t> dof_;
  exec::Array<std::int64_t> first_;
  exec::Array<std::int32_t> index_;
  exec::Array<double> coefficient_;
  exec::Array<std::int64_t> column_first_;
  exec::Array<std::int32_t> column_index_;
  exec::Array<double> column_coefficient_;
};

}  // namespace setka::fem
