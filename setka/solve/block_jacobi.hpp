// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/array.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// The inverses of the diagonal blocks, [rows, n, n], on the matrix's device. An unknown without stiffness
/// gets zeros.
exec::Array<double> inverse_diagonal_blocks(const sparse::BlockCsr<double>& matrix);

/// The same of the diagonal alone: [rows * n].
exec::Array<double> inverse_diagonal(const sparse::BlockCsr<double>& matrix);

/// y = D x for every column, D of dense diagonal blocks [blocks, n, n].
template <class T>
void multiply_diagonal(const exec::Stream& stream, int block, exec::ViewOf<const T> diagonal,
                       exec::MultiViewOf<const T> x, exec::MultiViewOf<T> y);

/// Preconditioner z = D^-1 r with blocks of 1, 2, 3 or 6 unknowns.
class BlockJacobi final : public Operator {
 public:
  /// inverse_blocks: [blocks, n, n]; moved to the device if need be.
  BlockJacobi(const exec::Device& device, int block, exec::Array<double> inverse_blocks);

  const exec::Device& device() const override { return inverse_.device(); }
  std::int64_t rows() const override { return rows_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  int block_;
  std::int64_t rows_;
  exec::Array<double> inverse_;
};

}  // namespace setka::solve
