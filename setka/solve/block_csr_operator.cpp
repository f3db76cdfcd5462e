// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/block_csr_operator.hpp"

#include <utility>

#include "setka/solve/solver_choices.hpp"
#include "setka/sparse/column_tiles.hpp"

namespace setka::solve {

BlockCsrOperator::BlockCsrOperator(sparse::BlockCsr<double>&& matrix)
    : matrix_(std::make_shared<const sparse::BlockCsr<double>>(std::move(matrix))) {}

BlockCsrOperator::BlockCsrOperator(const sparse::BlockCsr<double>& matrix)
    : matrix_(std::shared_ptr<const sparse::BlockCsr<double>>(), &matrix) {}

void BlockCsrOperator::prepare_for_columns() {
  if (device().is_cuda()) tiles_->make(*matrix_);
}

void BlockCsrOperator::apply(const exec::Stream& stream, exec::View<const double> x,
                             exec::View<double> y) const {
  sparse::multiply<double>(stream, *matrix_, x, y);
}

void BlockCsrOperator::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                             exec::MultiView<double> y) const {
  if (device().is_cuda()) {
    const sparse::ColumnTiles* const tiles =
        x.columns >= column_tiles_min_columns ? tiles_->for_product(*matrix_) : tiles_->made();
    if (tiles != nullptr) return sparse::multiply(stream, *matrix_, *tiles, x, y);
  }
  sparse::multiply<double>(stream, *matrix_, x, y);
}

}  // namespace setka::solve
