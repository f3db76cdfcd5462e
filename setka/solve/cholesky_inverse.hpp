// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/operator.hpp"

namespace setka::solve {

/// A Cholesky factorisation as an operator, x = A^-1 b: the preconditioner with which iterative refinement
/// is a direct solver. The factor is on the host: vectors of another device cross the bus, and the product
/// waits for it.
class CholeskyInverse final : public Operator {
 public:
  /// The factor is made already, and outlives the operator, as the list of places does: those of its unknowns
  /// among the rows of the operator, as sparse::over_unknowns() takes them.
  CholeskyInverse(const exec::Device& device, std::int64_t rows, const Cholesky& factor,
                  std::span<const std::int32_t> place = {})
      : device_(device), rows_(rows), factor_(factor), place_(place) {}

  const exec::Device& device() const override { return device_; }
  std::int64_t rows() const override { return rows_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  exec::Device device_;
  std::int64_t rows_;
  const Cholesky& factor_;
  std::span<const std::int32_t> place_;
};

}  // namespace setka::solve
