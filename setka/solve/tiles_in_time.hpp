// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <optional>

#include "setka/solve/solver_choices.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/column_tiles.hpp"

namespace setka::solve {

/// Tiles of a matrix by the rule of the ski rental: they are made when products without them have lost as
/// much time as tiles take to make, so that no run takes more than twice what it would with the better choice
/// from the start. Products are counted, not timed: the same run has tiles at the same place.
class TilesInTime {
 public:
  explicit TilesInTime(int products = column_tiles_min_products) : left_(products) {}

  /// For the next product with many columns; none: it does without. Always of the same matrix. May be called
  /// by several threads.
  const sparse::ColumnTiles* for_product(const sparse::BlockCsr<double>& a);

  /// At once, where so many products are known to come.
  void make(const sparse::BlockCsr<double>& a);

  /// What there is already.
  const sparse::ColumnTiles* made() const;

 private:
  void make_locked(const sparse::BlockCsr<double>& a);

  mutable std::mutex mutex_;
  int left_;  // products without tiles; -1: tiles were tried
  std::optional<sparse::ColumnTiles> tiles_;
};

}  // namespace setka::solve
