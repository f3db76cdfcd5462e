// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/block_csr_operator.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::solve {

BlockCsrOperator::BlockCsrOperator(sparse::BlockCsr<double> matrix) : matrix_(std::move(matrix)) {
  require(matrix_.rows() == matrix_.columns() && matrix_.height() == matrix_.width(), [&] {
    return fmt::format("BlockCsrOperator: a square matrix is needed, this is [{} x {}]",
                       matrix_.scalar_rows(), matrix_.scalar_columns());
  });
}

void BlockCsrOperator::apply(const exec::Stream& stream, exec::View<const double> x,
                             exec::View<double> y) const {
  sparse::multiply<double>(stream, matrix_, x, y);
}

void BlockCsrOperator::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                             exec::MultiView<double> y) const {
  sparse::multiply<double>(stream, matrix_, x, y);
}

}  // namespace setka::solve
