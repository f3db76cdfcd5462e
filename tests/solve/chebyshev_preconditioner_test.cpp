// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/chebyshev_preconditioner.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "solve/elastic_block.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::solve {
namespace {

class ChebyshevPreconditionerOn : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    test::ElasticBlock block;
    block.cells = {4, 3, 2};
    const test::ElasticSystem made = test::assemble(block);
    a_ = std::make_shared<const BlockCsrOperator>(made.system.matrix.to(device()));
    jacobi_ = std::make_shared<const BlockJacobi>(device(), 3, inverse_diagonal_blocks(a_->matrix()));
  }

  std::shared_ptr<const BlockCsrOperator> a_;
  OperatorPointer jacobi_;
};
SETKA_ON_ALL_DEVICES(ChebyshevPreconditionerOn);

TEST_P(ChebyshevPreconditionerOn, IsSymmetricAndPositive) {
  const std::int64_t n = a_->rows();
  for (const int degree : {1, 2, 3, 16}) {
    const ChebyshevPreconditioner p(a_, jacobi_, {degree, 20});
    const exec::Array<double> x(device(), test::random_values<double>(n, 1));
    const exec::Array<double> y(device(), test::random_values<double>(n, 2));
    exec::Array<double> px(device(), n);
    exec::Array<double> py(device(), n);
    p.apply(device(), x, px);
    p.apply(device(), y, py);
    const auto xpx = exec::dot<double>(device(), x, px);
    const auto ypy = exec::dot<double>(device(), y, py);
    EXPECT_GT(xpx, 0) << degree;
    EXPECT_NEAR(exec::dot<double>(device(), y, px), exec::dot<double>(device(), x, py),
                1e-13 * std::sqrt(xpx * ypy) * std::sqrt(static_cast<double>(n)))
        << degree;
  }
}

/// With an interval that holds the spectrum the polynomial tends to the inverse.
TEST_P(ChebyshevPreconditionerOn, TendsToTheInverse) {
  const std::int64_t n = a_->rows();
  const exec::MultiVector<double> u(device(), n, 3, test::random_values<double>(3 * n, 5));
  exec::MultiVector<double> f(device(), n, 3);
  a_->apply(device(), u, f);
  double last = 2;  // u is within 1
  for (const int degree : {40, 100, 250}) {
    const ChebyshevPreconditioner p(a_, jacobi_, {degree, 1000});
    exec::MultiVector<double> z(device(), n, 3);
    p.apply(device(), f, z);
    const std::vector<double> right = u.values().to_vector();
    const std::vector<double> found = z.values().to_vector();
    double error = 0;
    for (std::size_t i = 0; i < right.size(); ++i) error = std::max(error, std::abs(found[i] - right[i]));
    EXPECT_LT(error, 0.5 * last) << degree;
    last = error;
  }
  EXPECT_LT(last, 1e-3);
}

TEST_P(ChebyshevPreconditionerOn, SaysWhatIsWrong) {
  EXPECT_THAT(
      [&] {
        ChebyshevPreconditioner(a_, jacobi_, {0, 20});
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("degree >= 1 and ratio > 1")));
  const auto other = std::make_shared<const IdentityOperator>(device(), 7);
  EXPECT_THAT([&] { ChebyshevPreconditioner(a_, other, {}); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("but its diagonal 7")));
}

}  // namespace
}  // namespace setka::solve
