// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/block_jacobi.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/solve/block_diagonal_kernel.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/block_shapes.hpp"

namespace setka::solve {

using sparse::with_block_size;

exec::Array<double> inverse_diagonal_blocks(const sparse::BlockCsr<double>& matrix) {
  exec::Array<double> inverse(matrix.device(), matrix.scalar_rows() * matrix.height());
  with_block_size("diagonal", matrix.height(), [&](auto size) {
    exec::parallel_for(matrix.device(), matrix.rows(),
                       kernel::InvertBlocks<size()>{matrix.view(), inverse.data()});
  });
  return inverse;
}

exec::Array<double> inverse_diagonal(const sparse::BlockCsr<double>& matrix) {
  exec::Array<double> inverse(matrix.device(), matrix.scalar_rows());
  with_block_size("diagonal", matrix.height(), [&](auto size) {
    exec::parallel_for(matrix.device(), matrix.rows(),
                       kernel::InvertDiagonal<size()>{matrix.view(), inverse.data()});
  });
  return inverse;
}

void invert_blocks(const exec::Stream& stream, int n, exec::View<double> blocks) {
  with_block_size("invert_blocks", n, [&](auto size) {
    exec::parallel_for(stream, blocks.size / (size() * size()), kernel::InvertInPlace<size()>{blocks.data});
  });
}

exec::Array<double> inverse_scales(const sparse::BlockCsr<double>& matrix, bool signed_scales) {
  const exec::Array<double> inverse = inverse_diagonal(matrix);
  exec::Array<double> scale(matrix.device(), matrix.scalar_rows());
  with_block_size("diagonal", matrix.height(), [&](auto size) {
    exec::parallel_for(
        matrix.device(), matrix.rows(),
        kernel::InverseScales<size()>{matrix.view(), inverse.data(), signed_scales, scale.data()});
  });
  return scale;
}

template <class T>
void multiply_diagonal(const exec::Stream& stream, int block, exec::ViewOf<const T> diagonal,
                       exec::MultiViewOf<const T> x, exec::MultiViewOf<T> y) {
  with_block_size("BlockJacobi", block, [&](auto size) {
    exec::parallel_for(stream, x.rows / size() * x.columns,
                       kernel::MultiplyDiagonal<size(), T>{diagonal.data, x, y});
  });
}
template void multiply_diagonal<float>(const exec::Stream&, int, exec::View<const float>,
                                       exec::MultiView<const float>, exec::MultiView<float>);
template void multiply_diagonal<double>(const exec::Stream&, int, exec::View<const double>,
                                        exec::MultiView<const double>, exec::MultiView<double>);

BlockJacobi::BlockJacobi(const exec::Device& device, int block, exec::Array<double> inverse_blocks)
    : block_(block), rows_(inverse_blocks.size() / block), inverse_(std::move(inverse_blocks).to(device)) {
  with_block_size("BlockJacobi", block, [](auto) {});
}

void BlockJacobi::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
}

void BlockJacobi::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                        exec::MultiView<double> y) const {
  require(x.rows == rows_ && y.rows == rows_ && x.columns == y.columns, [&] {
    return fmt::format("BlockJacobi: of {} rows, but x is [{} x {}] and y [{} x {}]", rows_, x.rows,
                       x.columns, y.rows, y.columns);
  });
  multiply_diagonal<double>(stream, block_, inverse_, x, y);
}

std::unique_ptr<Operator> make_jacobi(const PreconditionerInput& input, Monitor& /*monitor*/) {
  if (input.matrix == nullptr) {
    exec::Array<double> diagonal = input.diagonal_blocks(1);
    const exec::Device device = diagonal.device();
    invert_blocks(device, 1, diagonal);
    return std::make_unique<BlockJacobi>(device, 1, std::move(diagonal));
  }
  const sparse::BlockCsr<double>& a = *input.matrix;
  if (input.kind == MatrixKind::positive_definite)
    return std::make_unique<BlockJacobi>(a.device(), 1, inverse_diagonal(a));
  return std::make_unique<BlockJacobi>(a.device(), 1, inverse_scales(a, input.kind == MatrixKind::general));
}

std::unique_ptr<Operator> make_block_jacobi(const PreconditionerInput& input, Monitor& /*monitor*/) {
  if (input.matrix == nullptr) {
    constexpr int directions = 3;  // of a node; what is not assembled has displacements
    exec::Array<double> blocks = input.diagonal_blocks(directions);
    const exec::Device device = blocks.device();
    invert_blocks(device, directions, blocks);
    return std::make_unique<BlockJacobi>(device, directions, std::move(blocks));
  }
  const sparse::BlockCsr<double>& a = *input.matrix;
  return std::make_unique<BlockJacobi>(a.device(), a.height(), inverse_diagonal_blocks(a));
}

}  // namespace setka::solve
