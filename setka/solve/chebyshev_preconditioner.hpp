// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/chebyshev.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/operators.hpp"

namespace setka::solve {

struct ChebyshevOptions {
  int degree = 16;  // products with A, less one
  /// The polynomial is made for [highest / ratio, highest]; what lies below is damped less. With the square
  /// of the degree the error at the lower end falls to about a quarter.
  double ratio = 256;

  /// For conjugate gradients, which find a better polynomial themselves: enough to spare them inner products.
  static ChebyshevOptions within_cg() { return {3, 16}; }
};

/// Preconditioner of an operator that is known by its products alone, as of elements that are not assembled:
/// z = p(D^-1 A) D^-1 r with Chebyshev's polynomial, D diagonal blocks. Symmetric and positive definite where
/// A is positive semidefinite: p is positive from zero to above the highest eigenvalue of D^-1 A, which is
/// estimated by some steps of Lanczos' method when it is made.
///
/// For the time of a product it takes four vectors of scratch memory a column. Bytes of a step beside those
/// of the product and of D^-1: 11 numbers an entry.
class ChebyshevPreconditioner final : public Operator {
 public:
  ChebyshevPreconditioner(OperatorPointer a, OperatorPointer inverse_diagonal, ChebyshevOptions options = {});

  double highest() const { return highest_; }  // with the room that is left for the estimate
  const exec::Device& device() const override { return a_->device(); }
  std::int64_t rows() const override { return a_->rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  /// Blocks without gaps between their rows; Error(Fault::usage) otherwise.
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  OperatorPointer a_;
  OperatorPointer inverse_diagonal_;
  double highest_ = 0;
  std::vector<ChebyshevStep> steps_;
};

struct PreconditionerInput;
/// For conjugate gradients, over the diagonal blocks.
std::unique_ptr<Operator> make_chebyshev(const PreconditionerInput& input, Monitor& monitor);

}  // namespace setka::solve
