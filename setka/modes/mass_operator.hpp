// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::modes {

/// A matrix of numbers b where all blocks of a matrix in host memory are b I with blocks of 3: a ninth of the
/// bytes. None where some are not, as of nodes that are held in some directions only.
std::optional<sparse::BlockCsr<double>> identity_multiples(const sparse::BlockCsr<double>& matrix);

/// Products with a mass matrix, which outlives it. On the CPU, where its blocks are multiples of the
/// identity, those of one number a block: with rows of three entries in each column taken as one row of three
/// times as many columns, a third of the operations.
class MassOperator final : public solve::Operator {
 public:
  explicit MassOperator(const sparse::BlockCsr<double>& mass);

  const exec::Device& device() const override { return blocks_.device(); }
  std::int64_t rows() const override { return blocks_.rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  solve::BlockCsrOperator blocks_;
  std::optional<sparse::BlockCsr<double>> numbers_;
};

}  // namespace setka::modes
