// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/chebyshev_preconditioner.hpp"

#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/solve/spectrum.hpp"

namespace setka::solve {
namespace {

constexpr int lanczos_steps = 12;

/// The estimate is from below: above it the polynomial would soon turn negative.
constexpr double room = 1.1;

}  // namespace

ChebyshevPreconditioner::ChebyshevPreconditioner(OperatorPointer a, OperatorPointer inverse_diagonal,
                                                 ChebyshevOptions options)
    : a_(std::move(a)), inverse_diagonal_(std::move(inverse_diagonal)) {
  require(a_->rows() == inverse_diagonal_->rows(), [&] {
    return fmt::format("ChebyshevPreconditioner: A has {} rows, but its diagonal {}", a_->rows(),
                       inverse_diagonal_->rows());
  });
  require(options.degree >= 1 && options.ratio > 1,
          "ChebyshevPreconditioner: degree >= 1 and ratio > 1 are needed");
  highest_ = room * highest_eigenvalue(a_->device(), *a_, *inverse_diagonal_, lanczos_steps);
  steps_ = chebyshev_steps(highest_ / options.ratio, highest_, options.degree);
}

void ChebyshevPreconditioner::apply(const exec::Stream& stream, exec::View<const double> x,
                                    exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
}

void ChebyshevPreconditioner::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                                    exec::MultiView<double> y) const {
  require(x.stride == x.columns && y.stride == y.columns,
          "ChebyshevPreconditioner: the rows of a block have gaps between them");
  const std::int64_t size = x.rows * x.columns;
  const exec::Scratch<double> residual(stream, size);
  const exec::Scratch<double> product(stream, size);
  const exec::Scratch<double> scaled(stream, size);
  const exec::Scratch<double> direction(stream, size);
  const auto block = [&](double* data) {
    return exec::MultiView<double>{data, x.rows, x.columns, x.columns};
  };
  const exec::View<double> r{residual.data(), size};
  const exec::View<double> q{product.data(), size};
  const exec::View<double> z{scaled.data(), size};
  const exec::View<double> d{direction.data(), size};
  const exec::View<double> sum{y.data, size};

  inverse_diagonal_->apply(stream, x, y);
  exec::scale<double>(stream, steps_.front().step, sum);
  for (std::size_t k = 1; k < steps_.size(); ++k) {
    const exec::View<const double> last = k == 1 ? sum : d;  // the sum is its first step
    a_->apply(stream, exec::MultiView<const double>{last.data, x.rows, x.columns, x.columns}, block(q.data));
    const exec::View<const double> before = k == 1 ? exec::View<const double>{x.data, size} : r;
    exec::combine<double>(stream, 1.0, before, -1.0, q, r);
    inverse_diagonal_->apply(stream, block(r.data), block(z.data));
    exec::combine<double>(stream, steps_[k].momentum, last, steps_[k].step, z, d);
    exec::axpy<double>(stream, 1.0, d, sum);
  }
}

std::unique_ptr<Operator> make_chebyshev(const PreconditionerInput& input, Monitor& monitor) {
  const OperatorPointer a =
      input.product != nullptr ? input.product : std::make_shared<BlockCsrOperator>(*input.matrix);
  return std::make_unique<ChebyshevPreconditioner>(a, make_block_jacobi(input, monitor),
                                                   ChebyshevOptions::within_cg());
}

}  // namespace setka::solve
