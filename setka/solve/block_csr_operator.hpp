// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "setka/solve/operator.hpp"
#include "setka/solve/tiles_in_time.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

/// An assembled matrix as an operator.
class BlockCsrOperator final : public Operator {
 public:
  /// A matrix that is passed by reference has to outlive the operator.
  explicit BlockCsrOperator(sparse::BlockCsr<double>&& matrix);
  explicit BlockCsrOperator(const sparse::BlockCsr<double>& matrix);

  const sparse::BlockCsr<double>& matrix() const { return *matrix_; }

  /// On a GPU: makes products of 16 and more columns a fifth faster. The host takes as long to gather rows
  /// into tiles as some hundred and fifty products last, so it pays for many hundred of them; after so many
  /// it is done without being asked (TilesInTime). Does nothing on the CPU, and where tiles do not serve.
  void prepare_for_columns();

  const exec::Device& device() const override { return matrix_->device(); }
  std::int64_t rows() const override { return matrix_->scalar_rows(); }
  std::int64_t columns() const override { return matrix_->scalar_columns(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  std::shared_ptr<const sparse::BlockCsr<double>> matrix_;
  std::shared_ptr<TilesInTime> tiles_ = std::make_shared<TilesInTime>();  // of a GPU; copies share them
};

}  // namespace setka::solve
