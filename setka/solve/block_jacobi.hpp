// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// The inverses of the diagonal blocks, [rows, n, n], on the matrix's device. An unknown without stiffness
/// gets zeros.
exec::Array<double> inverse_diagonal_blocks(const sparse::BlockCsr<double>& matrix);

/// The same of the diagonal alone: [rows * n].
exec::Array<double> inverse_diagonal(const sparse::BlockCsr<double>& matrix);

/// Inverts dense blocks [blocks, n, n] in their place. An unknown without stiffness gets zeros.
void invert_blocks(const exec::Stream& stream, int n, exec::View<double> blocks);

/// A positive scale for each unknown of a matrix that may be indefinite, or with the sign of its diagonal
/// where `signed_scales`: [rows * n]. It is the inverse of |a_ii|; where that is zero, or next to nothing
/// beside its row, of what elimination of the others would put there, the sum of a_ij^2 / |a_jj|: of a
/// saddle point [A B'; B 0] the diagonal of B D^-1 B'.
exec::Array<double> inverse_scales(const sparse::BlockCsr<double>& matrix, bool signed_scales);

/// y = D x for every column, D of dense diagonal blocks [blocks, n, n].
template <class T>
void multiply_diagonal(const exec::Stream& stream, int block, exec::ViewOf<const T> diagonal,
                       exec::MultiViewOf<const T> x, exec::MultiViewOf<T> y);

/// Preconditioner z = D^-1 r with blocks of the sizes of sparse/block_shapes.hpp.
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

struct PreconditionerInput;
std::unique_ptr<Operator> make_jacobi(const PreconditionerInput& input, Monitor& monitor);
std::unique_ptr<Operator> make_block_jacobi(const PreconditionerInput& input, Monitor& monitor);

}  // namespace setka::solve
